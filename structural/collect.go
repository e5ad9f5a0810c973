package structural

import "strings"

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
	c.size += e.Path.textSize() + len(e.below) + len(e.Detail) + sizeOf(e.BadValue)
	c.errs = append(c.errs, e)
	c.full = len(c.errs) >= maxErrors || c.size >= maxErrorText
}

// sizeOf returns about how long the text of a value is.
func sizeOf(value any) int {
	switch v := value.(type) {
	case string:
		return len(v)
	case *string:
		if v != nil {
			return len(*v)
		}
	case []string:
		n := 0
		for _, s := range v {
			n += len(s) + 3
		}
		return n
	case []any:
		n := 2
		for _, e := range v {
			n += sizeOf(e) + 1
		}
		return n
	case map[string]any:
		n := 2
		for k, e := range v {
			n += len(k) + sizeOf(e) + 4
		}
		return n
	}
	return 8
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

func (c *collector) notSupported(rule Rule, at *Path, value any, supported ...string) {
	c.add(&Error{Rule: rule, Type: ErrorNotSupported, Path: at, BadValue: value, Detail: `supported values: "` + strings.Join(supported, `", "`) + `"`})
}

func (c *collector) unsupported(rule Rule, at *Path, detail string) {
	c.add(&Error{Rule: rule, Type: ErrorUnsupported, Path: at, Detail: detail})
}
