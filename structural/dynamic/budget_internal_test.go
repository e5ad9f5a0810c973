package dynamic

import (
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/interpret"
	"github.com/prune-gen/prune-gen/internal/structuraltest"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Each object adds to what rules may cost, so that many ordinary objects are answered for.
func TestEachObjectAddsToWhatRulesMayCost(t *testing.T) {
	crd, err := LoadCRD([]byte(structuraltest.CRDWith("{type: object, properties: {a: {type: string}}, x-kubernetes-validations: [{rule: has(self.a)}]}")))
	if err != nil {
		t.Fatal(err)
	}
	costs := &Budget{} // spent
	resources, err := CompileWithin(crd, costs)
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if errs, _ := resources[0].ValidateRules(map[string]any{}, nil); len(errs) != 1 || costs.Exceeded() != "" {
			t.Fatalf("%v, exceeded: %q", errs, costs.Exceeded())
		}
	}
}

// The limits that are exceeded are named.
func TestBudgetsNameTheirLimits(t *testing.T) {
	for want, b := range map[string]*Budget{
		"": NewBudget(),
		"CEL rules skipped: those of this run exceed the cost limit of 10000000 units, plus 1000 for each object":          {exceeded: true},
		"not validated: the objects of this run exceed the limit of 15000000 steps":                                        {work: interpret.Work{Steps: -1}},
		"defaults not filled in: they exceed the limit of 64 MiB for an object, or of 192 MiB for all objects of this run": {work: interpret.Work{Filled: -1}},
		"not validated: the errors in the objects of this run exceed the limit of 64 MiB":                                  {work: interpret.Work{Texts: -1}},
	} {
		if have := b.Exceeded(); have != want {
			t.Errorf("%s, want %s", have, want)
		}
	}
}

// All functions of all resources take from the budget.
func TestResourcesShareTheBudget(t *testing.T) {
	crd, err := LoadCRD([]byte(structuraltest.CRDWith("{type: object, properties: {a: {type: string, maxLength: 1, default: b}, status: {type: object}}}")))
	if err != nil {
		t.Fatal(err)
	}
	crd.Versions[0].HasStatus = true
	obj := func() map[string]any {
		return map[string]any{"apiVersion": "v1", "kind": "A", "metadata": map[string]any{"name": "a"}, "status": map[string]any{}}
	}
	wrong, old := obj(), obj()
	wrong["a"] = "long"
	for name, test := range map[string]struct {
		call func(r prunert.Resource)
		want string // of what it takes
	}{
		"Validate":       {func(r prunert.Resource) { r.Validate(wrong) }, "steps texts"},
		"ValidateUpdate": {func(r prunert.Resource) { r.ValidateUpdate(wrong, old) }, "steps texts"},
		"ValidateStatus": {func(r prunert.Resource) { r.ValidateStatus(wrong, old) }, "steps"},
		"Default":        {func(r prunert.Resource) { r.Default(obj()) }, "steps filled"},
		"Normalize":      {func(r prunert.Resource) { r.Normalize(obj(), prunert.NormalizeOptions{}) }, "steps filled"},
	} {
		b := NewBudget()
		resources, err := CompileWithin(crd, b)
		if err != nil {
			t.Fatal(err)
		}
		test.call(resources[0])
		var have []string
		for what, less := range map[string]bool{"filled": b.work.Filled < maxFilled, "steps": b.work.Steps < maxSteps, "texts": b.work.Texts < maxTexts} {
			if less {
				have = append(have, what)
			}
		}
		want := strings.Fields(test.want)
		slices.Sort(have)
		slices.Sort(want)
		if !slices.Equal(have, want) {
			t.Errorf("%s takes %v, want %v", name, have, want)
		}
	}
}
