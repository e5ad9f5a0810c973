package structural

import (
	"strings"

	"github.com/prune-gen/prune-gen/internal/jsonvalue"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// MaxErrors is how many errors are listed for one schema, and MaxErrorText about how long all their texts may be: a
// schema that is made to be wrong everywhere, below names without end, must not take memory without bound. A schema that
// an API server would take, had it no errors, stays far below.
const (
	MaxErrors    = 10_000
	MaxErrorText = 16 << 20
)

// Collector collects the errors of a schema until there are too many.
type Collector struct {
	Errs []*Error
	size int
	Full bool
}

func (c *Collector) Add(e *Error) {
	if c.Full {
		return
	}
	c.size += e.Path.TextSize() + len(e.Below) + len(e.Detail) + jsonvalue.Size(e.BadValue)
	if r, ok := e.BadValue.(ValidationRule); ok {
		c.size += len(r.Rule) + len(r.Message) + len(r.MessageExpression) + len(r.FieldPath)
	}
	c.Errs = append(c.Errs, e)
	c.Full = len(c.Errs) >= MaxErrors || c.size >= MaxErrorText
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
