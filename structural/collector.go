package structural

import (
	"strings"

	"github.com/prune-gen/prune-gen/internal/base/listed"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Errors collects errors about a CRD, as many as are listed and one more.
type Errors struct{ collected }

type collected = listed.Collected[*Error]

// Required adds the error that a value is missing.
func (c *Errors) Required(rule Rule, at *Path, detail string) {
	c.Add(&Error{Rule: rule, Type: prunert.ErrorTypeRequired, Path: at, Detail: detail})
}

// Forbidden adds the error that a value must not be there.
func (c *Errors) Forbidden(rule Rule, at *Path, detail string) {
	c.Add(&Error{Rule: rule, Type: prunert.ErrorTypeForbidden, Path: at, Detail: detail})
}

// Invalid adds the error that a value is not valid.
func (c *Errors) Invalid(rule Rule, at *Path, value any, detail string) {
	c.Add(&Error{Rule: rule, Type: prunert.ErrorTypeInvalid, Path: at, BadValue: value, Detail: detail})
}

// NotSupported adds the error that a value is not one of some.
func (c *Errors) NotSupported(rule Rule, at *Path, value any, supported ...string) {
	c.Add(&Error{Rule: rule, Type: prunert.ErrorTypeNotSupported, Path: at, BadValue: value, Detail: `supported values: "` + strings.Join(supported, `", "`) + `"`})
}

// unsupported adds an error in words of our own.
func (c *Errors) unsupported(rule Rule, at *Path, detail string) {
	c.Add(&Error{Rule: rule, Path: at, Detail: detail})
}
