package set

import (
	"testing"

	"github.com/prune-gen/prune-gen/hack/bench/measure"
	"github.com/prune-gen/prune-gen/structural"
	utiljson "k8s.io/apimachinery/pkg/util/json"
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
	if len(all) != 30 {
		t.Errorf("%d objects, want 30: five kinds, three sizes, clean and dirty", len(all))
	}
	want := map[string]int{}
	for _, s := range sizes {
		want[s.name] = s.bytes
	}
	clean := map[string]int{}
	for _, o := range all {
		n := len(o.JSON)
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

// There are enough manifests to choose by, none of them twice, and nothing is to be pruned in them.
func TestManifestsAreFoundForEveryKind(t *testing.T) {
	kinds, modules, err := Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all, err := Manifests(kinds, modules)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != len(kinds) {
		t.Fatalf("%d kinds have manifests, want %d", len(all), len(kinds))
	}
	for i, o := range all {
		seen := map[string]bool{}
		for _, raw := range o.Manifests {
			if seen[string(raw)] {
				t.Errorf("a %s is there twice", o.Kind)
			}
			seen[string(raw)] = true
			var obj map[string]any
			if err := utiljson.Unmarshal(raw, &obj); err != nil {
				t.Fatal(err)
			}
			if dropped := structural.Prune(obj, kinds[i].Schema, structural.PruneOptions{}); len(dropped) > 0 {
				t.Errorf("a %s has %v, which is unknown", o.Kind, dropped)
			}
		}
		t.Logf("%s: %d manifests", o.Kind, len(o.Manifests))
	}
	if n := len(all[0].Manifests); n < 150 {
		t.Errorf("%d Workflows, where argo-workflows alone ships some hundred", n)
	}
}
