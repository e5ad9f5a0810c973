package set

import (
	"testing"

	"github.com/prune-gen/prune-gen/hack/bench/measure"
	"github.com/prune-gen/prune-gen/internal/interpret"
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
	if len(all) != 100 {
		t.Errorf("%d objects, want 100: five kinds, clean and dirty, three sizes compact and indented, and those that take turns; "+
			"three sizes valid and invalid", len(all))
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
		case measure.Valid, measure.Invalid:
			longest := 10_000 // of a text that is too long
			if w := want[o.Size]; n < w/3 || n > w*2+longest {
				t.Errorf("%s: %s, it has %d bytes, want about %d", o.Label(), o.State, n, w)
			}
		default:
			if n <= clean[o.Label()] {
				t.Errorf("%s: %s, it has %d bytes, and %d clean and compact", o.Label(), o.State, n, clean[o.Label()])
			}
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
		for _, raw := range o.Documents {
			if seen[string(raw)] {
				t.Errorf("a %s is there twice", o.Kind)
			}
			seen[string(raw)] = true
			var obj map[string]any
			if err := utiljson.Unmarshal(raw, &obj); err != nil {
				t.Fatal(err)
			}
			if dropped := interpret.Prune(obj, kinds[i].Schema, interpret.PruneOptions{}); len(dropped) > 0 {
				t.Errorf("a %s has %v, which is unknown", o.Kind, dropped)
			}
		}
		t.Logf("%s: %d manifests", o.Kind, len(o.Documents))
	}
	if n := len(all[0].Documents); n < 150 {
		t.Errorf("%d Workflows, where argo-workflows alone ships some hundred", n)
	}
}

// The set for CEL rules has objects of each kind in both states, which are large where their lists are.
func TestRuleObjectsAreInBothStates(t *testing.T) {
	_, modules, err := Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	kinds, err := RuleKinds(modules)
	if err != nil {
		t.Fatal(err)
	}
	all, err := RuleObjects(kinds, modules)
	if err != nil {
		t.Fatal(err)
	}
	states := map[string]int{}
	bytes := map[string]int{}
	for _, o := range all {
		states[o.Label()]++
		bytes[o.Label()] = len(o.Documents[0])
		if len(o.Documents) != 1 || string(o.Documents[0]) == string(o.Old) {
			t.Errorf("%s, %s: it replaces itself, or has %d documents", o.Label(), o.State, len(o.Documents))
		}
	}
	for _, k := range kinds {
		small, large := k.Name()+" small", k.Name()+" large"
		if states[small] != 2 || states[large] != 2 || bytes[large] < 2*bytes[small] {
			t.Errorf("%s: %d and %d states, %d and %d bytes", k.Name(), states[small], states[large], bytes[small], bytes[large])
		}
	}
}
