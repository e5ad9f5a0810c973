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
func (c *Errors) Required(id ID, at *Path, detail string) {
	c.Add(&Error{ID: id, Type: prunert.ErrorTypeRequired, Path: at, Detail: detail})
}

// Forbidden adds the error that a value must not be there.
func (c *Errors) Forbidden(id ID, at *Path, detail string) {
	c.Add(&Error{ID: id, Type: prunert.ErrorTypeForbidden, Path: at, Detail: detail})
}

// Invalid adds the error that a value is not valid.
func (c *Errors) Invalid(id ID, at *Path, value any, detail string) {
	c.Add(&Error{ID: id, Type: prunert.ErrorTypeInvalid, Path: at, BadValue: value, Detail: detail})
}

// NotSupported adds the error that a value is not one of some.
func (c *Errors) NotSupported(id ID, at *Path, value any, supported ...string) {
	c.Add(&Error{ID: id, Type: prunert.ErrorTypeNotSupported, Path: at, BadValue: value, Detail: `supported values: "` + strings.Join(supported, `", "`) + `"`})
}

// unsupported adds an error in words of our own.
func (c *Errors) unsupported(id ID, at *Path, detail string) {
	c.Add(&Error{ID: id, Path: at, Detail: detail})
}
