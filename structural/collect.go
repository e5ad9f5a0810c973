package structural

// maxErrors is how many errors are listed for one schema, and maxErrorText about how long all their texts may be: a
// schema that is made to be wrong everywhere, below names without end, must not take memory without bound. A schema that
// an API server would take, had it no errors, stays far below.
const (
	maxErrors    = 10_000
	maxErrorText = 16 << 20
)

// collector collects the errors of a schema until there are too many.
type collector struct {
	errs []*Error
	size int
	full bool
}

func (c *collector) add(e *Error) {
	if c.full {
		return
	}
	c.size += e.Path.textSize() + len(e.Detail)
	if s, ok := e.BadValue.(string); ok {
		c.size += len(s)
	}
	c.errs = append(c.errs, e)
	c.full = len(c.errs) >= maxErrors || c.size >= maxErrorText
}

// areFull reports whether there are as many errs as a collector takes, and so perhaps more.
func areFull(errs []*Error) bool {
	var c collector
	for _, e := range errs {
		c.add(e)
	}
	return c.full
}

func (c *collector) required(rule Rule, at *Path, detail string) {
	c.add(&Error{Rule: rule, Type: ErrorRequired, Path: at, Detail: detail})
}

func (c *collector) forbidden(rule Rule, at *Path, detail string) {
	c.add(&Error{Rule: rule, Type: ErrorForbidden, Path: at, Detail: detail})
}

func (c *collector) invalid(rule Rule, at *Path, value any, detail string) {
	c.add(&Error{Rule: rule, Type: ErrorInvalid, Path: at, BadValue: value, Detail: detail})
}

func (c *collector) unsupported(rule Rule, at *Path, detail string) {
	c.add(&Error{Rule: rule, Type: ErrorUnsupported, Path: at, Detail: detail})
}
