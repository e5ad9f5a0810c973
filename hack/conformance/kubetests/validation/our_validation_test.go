// Package validation has functions with the names and the types of those in Kubernetes' package of that name, which call ours, so that
// Kubernetes' tests can be run against ours.
package validation

import (
	"sync/atomic"

	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/hack/conformance/kubetests/convert"
	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/structural"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
)

// calls counts what the tests ask us.
var calls atomic.Int64

// ConvertJSONSchemaProps is Kubernetes' own.
func ConvertJSONSchemaProps(in *apiextensions.JSONSchemaProps, out *spec.Schema) error {
	return validation.ConvertJSONSchemaProps(in, out)
}

// SchemaValidator is a schema to validate by.
type SchemaValidator struct {
	schema *structural.JSONSchema
}

// NewSchemaValidator returns a validator.
func NewSchemaValidator(s *apiextensions.JSONSchemaProps) (*SchemaValidator, *spec.Schema, error) {
	ours, err := convert.Props(s)
	return &SchemaValidator{ours}, nil, err
}

// NewSchemaValidatorForVersion returns a validator. The versions of the tests know all formats.
func NewSchemaValidatorForVersion(s *apiextensions.JSONSchemaProps, _ *version.Version) (*SchemaValidator, *spec.Schema, error) {
	return NewSchemaValidator(s)
}

// ValidateCustomResource validates any value.
func ValidateCustomResource(_ *field.Path, v any, validator *SchemaValidator) field.ErrorList {
	calls.Add(1)
	errs, _ := new(interpret.Work).ValidateValues(kube.Decoded(v), validator.schema)
	var out field.ErrorList
	for _, e := range errs {
		out = append(out, &field.Error{Type: field.ErrorType(e.Type), Field: e.Field, BadValue: e.BadValue, Detail: e.Detail})
	}
	return out
}

// NewRatchetingSchemaValidator returns a validator.
func NewRatchetingSchemaValidator(s *spec.Schema, _ any, _ string, _ strfmt.Registry) *SchemaValidator {
	ours, err := convert.Written(s)
	if err != nil {
		panic("validation: " + err.Error())
	}
	return &SchemaValidator{ours}
}

// Ratcheting is what WithRatcheting returns.
type Ratcheting struct{}

// WithRatcheting says that unchanged values are tolerated.
func WithRatcheting(any) Ratcheting { return Ratcheting{} }

// Result is what comes of an update.
type Result int

// IsValid reports whether nothing is wrong.
func (r Result) IsValid() bool { return r == 0 }

// ValidateUpdate validates an update of a value to another.
func (s *SchemaValidator) ValidateUpdate(v, old any, _ Ratcheting) Result {
	calls.Add(1)
	obj, schema := convert.WrapWritten(v, s.schema)
	before, _ := convert.WrapWritten(old, nil)
	return Result(len(new(interpret.Work).ValidateUpdate(obj, before, schema)))
}
