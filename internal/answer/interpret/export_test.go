package interpret

import (
	"github.com/prune-gen/prune-gen/internal/base/meter"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// ValidateWithin validates obj by its schema alone, within a number of units of work.
func ValidateWithin(units int, obj map[string]any, s *structural.JSONSchema) prunert.ErrorList {
	c := newObjectErrors(new(Work))
	c.meter.Spend(meter.Work - units)
	c.schema(obj, s, nil)
	return c.sorted()
}
