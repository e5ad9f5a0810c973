package structural

import (
	"github.com/prune-gen/prune-gen/internal/meter"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// collector collects the errors of a schema, as many as are listed and one more: a hostile schema with errors everywhere, below very long
// names, must not take unbounded memory.
type collector struct {
	errs []*Error
	list meter.List
	full bool // the last error is one too many
}

func (c *collector) add(e *Error) {
	if c.full {
		return
	}
	c.errs = append(c.errs, e)
	c.full = !c.list.Add(e.TextSize())
}

func (c *collector) required(rule Rule, at *Path, detail string) {
	c.add(&Error{Rule: rule, Type: prunert.ErrorTypeRequired, Path: at, Detail: detail})
}

func (c *collector) forbidden(rule Rule, at *Path, detail string) {
	c.add(&Error{Rule: rule, Type: prunert.ErrorTypeForbidden, Path: at, Detail: detail})
}

func (c *collector) invalid(rule Rule, at *Path, value any, detail string) {
	c.add(&Error{Rule: rule, Type: prunert.ErrorTypeInvalid, Path: at, BadValue: value, Detail: detail})
}

func (c *collector) unsupported(rule Rule, at *Path, detail string) {
	c.add(&Error{Rule: rule, Path: at, Detail: detail})
}
