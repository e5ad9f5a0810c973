package dynamic_test

import (
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/crd/origin"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural/dynamic"
)

// All functions of the resources of a CRD spend its meter.
func TestResourcesShareTheMeterOfTheirCRD(t *testing.T) {
	crd := structuraltest.LoadCRD(t, structuraltest.CRDWith("{type: object, properties: {a: {type: string, maxLength: 1, default: b}, status: {type: object}}, x-kubernetes-validations: [{rule: has(self.a)}]}"))
	crd.Versions[0].HasStatus = true
	obj := func() map[string]any {
		return map[string]any{"apiVersion": "v1", "kind": "A", "metadata": map[string]any{"name": "a"}, "status": map[string]any{}}
	}
	wrong, old := obj(), obj()
	wrong["a"] = "long"
	for name, call := range map[string]func(r prunert.Resource){
		"Validate":       func(r prunert.Resource) { r.Validate(wrong) },
		"ValidateUpdate": func(r prunert.Resource) { r.ValidateUpdate(wrong, old) },
		"ValidateStatus": func(r prunert.Resource) { r.ValidateStatus(wrong, old) },
		"ValidateRules":  func(r prunert.Resource) { r.ValidateRules(wrong, nil) },
		"Default":        func(r prunert.Resource) { r.Default(obj()) },
		"Normalize":      func(r prunert.Resource) { r.Normalize(obj(), prunert.NormalizeOptions{}) },
	} {
		origin.SetMeter(crd, meter.New(1))
		resources, err := dynamic.Compile(crd)
		if err != nil {
			t.Fatal(err)
		}
		before := origin.Meter(crd).Left()
		if call(resources[0]); origin.Meter(crd).Left() >= before {
			t.Errorf("%s spends nothing", name)
		}
	}
}

// Rules are evaluated until the meter is spent. What they would say about the object with which that happens is not said.
func TestRulesAreEvaluatedWithinTheLimitsOfARun(t *testing.T) {
	const rule = `[0,1,2,3,4,5,6,7,8,9].all(a, [0,1,2,3,4,5,6,7,8,9].all(b, [0,1,2,3,4,5,6,7,8,9].all(c, a + b + c >= 0))) && has(self.a)`
	crd := structuraltest.LoadCRD(t, structuraltest.CRDWith("{type: object, properties: {a: {type: string}}, x-kubernetes-validations: [{rule: '"+rule+"'}]}"))
	origin.SetMeter(crd, meter.New(1))
	resources, err := dynamic.Compile(crd)
	if err != nil {
		t.Fatal(err)
	}
	origin.Meter(crd).Spend(int(origin.Meter(crd).Left()) - 200_000)
	refused, tries := 0, 0
	for ; !origin.Meter(crd).Spent() && tries < 1000; tries++ {
		if errs, _ := resources[0].ValidateRules(map[string]any{}, nil); len(errs) > 0 {
			refused++
		}
	}
	if !origin.Meter(crd).Spent() || refused != tries-1 || refused < 10 {
		t.Errorf("%d of %d objects are refused before the meter is spent", refused, tries)
	}
	if errs, _ := resources[0].ValidateRules(map[string]any{}, nil); len(errs) > 0 {
		t.Errorf("rules are evaluated after the meter is spent: %v", errs)
	}
}
