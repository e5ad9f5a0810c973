package lower

import (
	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/structural"
)

// nullSlot says how to treat a null, or a missing field, for a field with the schema s.
func (all *nodes) nullSlot(s *structural.Schema, p preserve) plan.Slot {
	rule := plan.NullRule{}
	switch {
	case s == nil:
		return nil
	case s.Default != nil:
		rule.Default = all.value(complete(s.Default, s))
		if !s.Nullable {
			rule.Null = plan.NullDefault
		}
	case !s.Nullable && p != preserveAll:
		rule.Null = plan.NullDrop
	default:
		return nil
	}
	return rule
}

// nullElemSlot says how to treat a null in a list whose elements have the schema s. It stays, unless there is a default.
func (all *nodes) nullElemSlot(s *structural.Schema) plan.Slot {
	if s.Default == nil || s.Nullable {
		return nil
	}
	return plan.NullRule{Null: plan.NullDefault, Default: all.value(complete(s.Default, s))}
}
