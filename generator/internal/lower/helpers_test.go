package lower

import (
	"testing"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/internal/testing/crdtest"
	"github.com/prune-gen/prune-gen/structural"
)

// lowered returns the plan for the CRDs in the texts.
func lowered(t testing.TB, semantics structural.Semantics, texts ...string) *plan.Plan {
	t.Helper()
	return Plan(resources(t, semantics, texts...), []Pass{Prune, Check}, ShareWithinKinds, nil)
}

// resources returns the resources of the CRDs in the texts.
func resources(t testing.TB, semantics structural.Semantics, texts ...string) []Resource {
	t.Helper()
	var all []Resource
	for _, c := range crdtest.Load(t, texts...) {
		for _, v := range c.Versions {
			if _, errs := c.Converted(v); len(errs) > 0 && v.Pruned {
				t.Fatal(errs)
			}
			all = append(all, Resource{c, v, structural.NewBehavior(c, v, semantics), "", ""})
		}
	}
	return all
}
