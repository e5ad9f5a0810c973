package dynamic

import (
	"fmt"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
)

// What the rules about the objects of a run may cost, in the units in which the API server counts: what it allows for one object,
// which takes seconds, and something for each object. Those of the examples of Gateway API cost 250 on average and 1,600 at most.
const (
	maxRuleCosts  = 10_000_000
	costsOfObject = 1_000
)

// RuleBudget is what the CEL rules about the objects of a run may still cost. Once it is spent, rules are not evaluated.
type RuleBudget struct {
	left     int64
	exceeded bool
}

// NewRuleBudget returns the budget of a run that has evaluated nothing.
func NewRuleBudget() *RuleBudget { return &RuleBudget{left: maxRuleCosts} }

// Exceeded reports whether rules were not evaluated.
func (b *RuleBudget) Exceeded() bool { return b.exceeded }

// Limit says which limit is exceeded.
func (b *RuleBudget) Limit() string {
	return fmt.Sprintf("those about the objects of this run cost more than %d units and %d for each object, which is the limit", maxRuleCosts, costsOfObject)
}

// validate is Rules.Validate within the budget.
func (b *RuleBudget) validate(table *prunecel.Rules, obj, old map[string]any, shape *pruneimpl.Shape) (prunert.ErrorList, []string) {
	if b == nil {
		return table.Validate(obj, old, shape)
	}
	if b.exceeded {
		return nil, nil
	}
	var was any
	if old != nil {
		was = old
	}
	b.left += costsOfObject
	costs := prunecel.RequestCosts()
	scarce := b.left < costs.All
	costs.All = min(costs.All, b.left)
	r := table.ValidateValue(obj, was, shape, costs)
	b.left = max(0, b.left-r.Spent)
	if scarce && r.Stopped {
		b.exceeded = true
		return nil, nil // the errors are about our budget, not about the object
	}
	return r.Errors, r.Warnings
}
