package structural

import (
	"github.com/prune-gen/prune-gen/internal/base/meter"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// collector collects the errors of a schema.
type collector struct{ meter.Collected[*Error] }

func (c *collector) required(rule Rule, at *Path, detail string) {
	c.Add(&Error{Rule: rule, Type: prunert.ErrorTypeRequired, Path: at, Detail: detail})
}

func (c *collector) forbidden(rule Rule, at *Path, detail string) {
	c.Add(&Error{Rule: rule, Type: prunert.ErrorTypeForbidden, Path: at, Detail: detail})
}

func (c *collector) invalid(rule Rule, at *Path, value any, detail string) {
	c.Add(&Error{Rule: rule, Type: prunert.ErrorTypeInvalid, Path: at, BadValue: value, Detail: detail})
}

func (c *collector) unsupported(rule Rule, at *Path, detail string) {
	c.Add(&Error{Rule: rule, Path: at, Detail: detail})
}
