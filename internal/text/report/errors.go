package report

import (
	"strings"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// Errors collects the errors of a CRD.
type Errors struct {
	meter.Collected[*structural.Error]
}

func (c *Errors) Required(rule structural.Rule, at *structural.Path, detail string) {
	c.Add(&structural.Error{Rule: rule, Type: prunert.ErrorTypeRequired, Path: at, Detail: detail})
}

func (c *Errors) Forbidden(rule structural.Rule, at *structural.Path, detail string) {
	c.Add(&structural.Error{Rule: rule, Type: prunert.ErrorTypeForbidden, Path: at, Detail: detail})
}

func (c *Errors) Invalid(rule structural.Rule, at *structural.Path, value any, detail string) {
	c.Add(&structural.Error{Rule: rule, Type: prunert.ErrorTypeInvalid, Path: at, BadValue: value, Detail: detail})
}

func (c *Errors) NotSupported(rule structural.Rule, at *structural.Path, value any, supported ...string) {
	c.Add(&structural.Error{Rule: rule, Type: prunert.ErrorTypeNotSupported, Path: at, BadValue: value, Detail: `supported values: "` + strings.Join(supported, `", "`) + `"`})
}
