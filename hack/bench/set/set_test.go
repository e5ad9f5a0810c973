package set

import (
	"testing"

	"github.com/prune-gen/prune-gen/hack/bench/measure"
)

func TestObjectsHaveTheirSizes(t *testing.T) {
	kinds, _, err := Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all, err := Objects(kinds)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 70 {
		t.Errorf("%d objects, want 70: five kinds, clean and dirty, three sizes compact and indented, and those that take turns", len(all))
	}
	want := map[string]int{"rotating": sizes[1].bytes}
	for _, s := range sizes {
		want[s.name] = s.bytes
	}
	clean := map[string]int{}
	for _, o := range all {
		different := map[string]bool{}
		for _, doc := range o.Documents {
			different[string(doc)] = true
		}
		if w := map[bool]int{false: 1, true: rotating}[o.Size == "rotating"]; len(different) != w {
			t.Errorf("%s, %s: %d different documents, want %d", o.Label(), o.State, len(different), w)
		}
		n := len(o.Documents[0])
		switch o.State {
		case measure.Clean, measure.CleanRotating:
			clean[o.Label()] = n
			if w := want[o.Size]; n < w*9/10 || n > w*11/10 {
				t.Errorf("%s has %d bytes, want about %d", o.Label(), n, w)
			}
		default:
			if n <= clean[o.Label()] {
				t.Errorf("%s: %s, it has %d bytes, and %d clean and compact", o.Label(), o.State, n, clean[o.Label()])
			}
		}
	}
}
