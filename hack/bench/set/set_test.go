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
	if len(all) != 60 {
		t.Errorf("%d objects, want 60: five kinds, three sizes, clean, dirty, valid and invalid", len(all))
	}
	want := map[string]int{}
	for _, s := range sizes {
		want[s.name] = s.bytes
	}
	clean := map[string]int{}
	for _, o := range all {
		n := len(o.JSON)
		if o.State == measure.Valid || o.State == measure.Invalid {
			if w := want[o.Size]; n < w/3 || n > w*2 {
				t.Errorf("%s: %s, it has %d bytes, want about %d", o.Label(), o.State, n, w)
			}
			continue
		}
		if o.State == measure.Dirty {
			if n <= clean[o.Label()] {
				t.Errorf("%s: dirty, it has %d bytes, and %d clean", o.Label(), n, clean[o.Label()])
			}
			continue
		}
		clean[o.Label()] = n
		if w := want[o.Size]; n < w*9/10 || n > w*11/10 {
			t.Errorf("%s has %d bytes, want about %d", o.Label(), n, w)
		}
	}
}
