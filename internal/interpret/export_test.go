package interpret

import (
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// ValidateWithin validates obj by its schema alone, in at most so many steps.
func ValidateWithin(steps int, obj map[string]any, s *structural.JSONSchema) prunert.ErrorList {
	c := newObjectErrors(nil)
	c.steps = steps
	c.schema(obj, s, nil)
	return c.sorted()
}
