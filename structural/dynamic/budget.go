package dynamic

import (
	"fmt"

	"github.com/prune-gen/prune-gen/internal/interpret"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
)

// What the answers about the objects of a run may take.
const (
	// The costs of rules are in the units in which the API server counts. It allows maxRuleCosts for one object, which takes seconds.
	// The rules about the examples of Gateway API cost 250 on average and 1,600 at most; each object adds costsOfObject to the limit.
	maxRuleCosts  = 10_000_000
	costsOfObject = 1_000
	// The other limits are those of interpret.Work. A run has at most 400,000 values in its objects, and most values take a few steps.
	maxSteps          = 15_000_000
	maxFilled         = 192 << 20
	maxFilledInObject = 64 << 20
	maxTexts          = 64 << 20
)

// Budget is what the answers about the objects of a run may still take. Once it is exceeded, rules are not evaluated, defaults are not
// filled in, and values are not validated. A Budget must not be used by several goroutines at once.
type Budget struct {
	costs    int64 // of rules
	exceeded bool  // the costs
	work     interpret.Work
}

// NewBudget returns the budget of a run that has answered nothing.
func NewBudget() *Budget {
	return &Budget{costs: maxRuleCosts, work: interpret.Work{Steps: maxSteps, Filled: maxFilled, FilledInObject: maxFilledInObject, Texts: maxTexts}}
}

// forObjects returns the part of the budget for interpreting schemas.
func (b *Budget) forObjects() *interpret.Work {
	if b == nil {
		return nil
	}
	return &b.work
}

// Exceeded says which limit is exceeded, "" if none is. What was answered since it is may be incomplete.
func (b *Budget) Exceeded() string {
	switch {
	case b.exceeded:
		return fmt.Sprintf("CEL rules skipped: those of this run exceed the cost limit of %d units, plus %d for each object", maxRuleCosts, costsOfObject)
	case b.work.Steps < 0:
		return fmt.Sprintf("not validated: the objects of this run exceed the limit of %d steps", maxSteps)
	case b.work.Filled < 0:
		return fmt.Sprintf("defaults not filled in: they exceed the limit of %d MiB for an object, or of %d MiB for all objects of this run", maxFilledInObject>>20, maxFilled>>20)
	case b.work.Texts < 0:
		return fmt.Sprintf("not validated: the errors in the objects of this run exceed the limit of %d MiB", maxTexts>>20)
	}
	return ""
}

// validate is Rules.Validate within the budget.
func (b *Budget) validate(table *prunecel.Rules, obj, old map[string]any, shape *pruneimpl.Shape) (prunert.ErrorList, []string) {
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
	b.costs += costsOfObject
	costs := prunecel.RequestCosts()
	scarce := b.costs < costs.All
	costs.All = min(costs.All, b.costs)
	r := table.ValidateValue(obj, was, shape, costs)
	b.costs = max(0, b.costs-r.Spent)
	if scarce && r.Stopped {
		b.exceeded = true
		return nil, nil // the errors are about our budget, not about the object
	}
	return r.Errors, r.Warnings
}
