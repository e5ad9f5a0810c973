package dynamic

import (
	"testing"

	"github.com/prune-gen/prune-gen/structural/internal/structuraltest"
)

// Each object adds to what rules may cost, so that many ordinary objects are answered for.
func TestEachObjectAddsToWhatRulesMayCost(t *testing.T) {
	crd, err := LoadCRD([]byte(structuraltest.CRDWith("{type: object, properties: {a: {type: string}}, x-kubernetes-validations: [{rule: has(self.a)}]}")))
	if err != nil {
		t.Fatal(err)
	}
	costs := &RuleBudget{} // spent
	resources, err := CompileWithin(crd, costs)
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if errs, _ := resources[0].ValidateRules(map[string]any{}, nil); len(errs) != 1 || costs.Exceeded() {
			t.Fatalf("%v, exceeded: %t", errs, costs.Exceeded())
		}
	}
}
