package structural

import (
	"strings"

	"github.com/prune-gen/prune-gen/internal/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/meter"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Collector collects the errors of a schema, as many as are listed and one more: a schema that is made to be wrong everywhere, below
// names without end, must not take memory without bound.
type Collector struct {
	Errs []*Error
	list meter.List
	Full bool // the last error is one too many
}

func (c *Collector) Add(e *Error) {
	if c.Full {
		return
	}
	size := e.Path.TextSize() + len(e.Below) + len(e.Detail) + jsonvalue.Size(e.BadValue)
	if r, ok := e.BadValue.(ValidationRule); ok {
		size += len(r.Rule) + len(r.Message) + len(r.MessageExpression) + len(r.FieldPath)
	}
	c.Errs = append(c.Errs, e)
	c.Full = !c.list.Add(size)
}

func (c *Collector) Required(rule Rule, at *Path, detail string) {
	c.Add(&Error{Rule: rule, Type: prunert.ErrorTypeRequired, Path: at, Detail: detail})
}

func (c *Collector) Forbidden(rule Rule, at *Path, detail string) {
	c.Add(&Error{Rule: rule, Type: prunert.ErrorTypeForbidden, Path: at, Detail: detail})
}

func (c *Collector) Invalid(rule Rule, at *Path, value any, detail string) {
	c.Add(&Error{Rule: rule, Type: prunert.ErrorTypeInvalid, Path: at, BadValue: value, Detail: detail})
}

func (c *Collector) NotSupported(rule Rule, at *Path, value any, supported ...string) {
	c.Add(&Error{Rule: rule, Type: prunert.ErrorTypeNotSupported, Path: at, BadValue: value, Detail: `supported values: "` + strings.Join(supported, `", "`) + `"`})
}

func (c *Collector) unsupported(rule Rule, at *Path, detail string) {
	c.Add(&Error{Rule: rule, Path: at, Detail: detail})
}
