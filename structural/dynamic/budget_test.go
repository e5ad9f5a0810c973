package dynamic_test

import (
	"testing"

	"github.com/prune-gen/prune-gen/internal/structuraltest"
	"github.com/prune-gen/prune-gen/internal/testsize"
	"github.com/prune-gen/prune-gen/structural/dynamic"
)

// The rules of all resources with a budget cost no more than it has. What they would say about the object that exceeds it is not said.
func TestResourcesShareWhatRulesMayCost(t *testing.T) {
	testsize.NotShort(t)
	const rule = `[0,1,2,3,4,5,6,7,8,9].all(a, [0,1,2,3,4,5,6,7,8,9].all(b, [0,1,2,3,4,5,6,7,8,9].all(c, ` +
		`[0,1,2,3,4,5,6,7,8,9].all(d, a + b + c + d >= 0)))) && has(self.a)`
	crd, err := dynamic.LoadCRD([]byte(structuraltest.CRDWith("{type: object, properties: {a: {type: string}}, x-kubernetes-validations: [{rule: '" + rule + "'}]}")))
	if err != nil {
		t.Fatal(err)
	}
	costs := dynamic.NewBudget()
	resources, err := dynamic.CompileWithin(crd, costs)
	if err != nil {
		t.Fatal(err)
	}
	refused, tries := 0, 0
	for ; costs.Exceeded() == "" && tries < 1000; tries++ {
		if errs, _ := resources[0].ValidateRules(map[string]any{}, nil); len(errs) > 0 {
			refused++
		}
	}
	if costs.Exceeded() == "" || refused != tries-1 || refused < 10 {
		t.Errorf("%d of %d objects are refused before the budget is spent", refused, tries)
	}
	if errs, _ := resources[0].ValidateRules(map[string]any{}, nil); len(errs) > 0 {
		t.Errorf("rules are evaluated beyond the budget: %v", errs)
	}
}
