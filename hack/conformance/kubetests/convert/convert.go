// Package convert turns Kubernetes' schemas into ours, and values into resources that our functions take.
package convert

import (
	"encoding/json"
	"fmt"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// Props returns a schema of a CRD as our type.
func Props(s *apiextensions.JSONSchemaProps) (*structural.JSONSchema, error) {
	v1 := &apiextensionsv1.JSONSchemaProps{}
	if err := apiextensionsv1.Convert_apiextensions_JSONSchemaProps_To_v1_JSONSchemaProps(s, v1, nil); err != nil {
		return nil, err
	}
	return Written(v1)
}

// Written returns anything that a schema is written as in JSON as our type.
func Written(s any) (*structural.JSONSchema, error) {
	data, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	out, findings := crdread.ParseSchema("schema", data)
	if out == nil {
		return nil, fmt.Errorf("%s is not a schema: %v", data, findings)
	}
	return out, nil
}

// Structural returns a structural schema as it could be written in a CRD, nil for nil.
func Structural(s *structuralschema.Structural) *structural.JSONSchema {
	if s == nil {
		return nil
	}
	out, err := Written(s.ToKubeOpenAPI())
	if err != nil {
		panic("convert: " + err.Error())
	}
	return out
}

// Value is the name of the field that Wrap puts a value into.
const Value = "x"

// Wrap returns an object with v in it, and a schema for it. Kubernetes' functions take any value, ours the root of a
// resource.
func Wrap(v any, s *structural.Schema) (map[string]any, *structural.Schema) {
	root := &structural.Schema{
		Generic:         structural.Generic{Type: "object"},
		Extensions:      structural.Extensions{XPreserveUnknownFields: true},
		ValueValidation: &structural.ValueValidation{},
	}
	if s != nil {
		root.Properties = map[string]*structural.Schema{Value: s}
	}
	return map[string]any{Value: v}, root
}

// WrapWritten is Wrap for schemas as they are written.
func WrapWritten(v any, s *structural.JSONSchema) (map[string]any, *structural.JSONSchema) {
	root := &structural.JSONSchema{Type: "object"}
	if s != nil {
		root.Properties = map[string]*structural.JSONSchema{Value: s}
	}
	return map[string]any{Value: kube.Decoded(v)}, root
}

// Errors returns errors as Kubernetes' type. Where fields begin with from, they begin with to instead.
func Errors(errs prunert.ErrorList, from, to string) field.ErrorList {
	var out field.ErrorList
	for _, e := range errs {
		at := e.Field
		if rest, ok := strings.CutPrefix(at, from); ok {
			at = to + rest
		}
		out = append(out, &field.Error{Type: field.ErrorType(e.Type), Field: at, BadValue: e.BadValue, Detail: e.Detail})
	}
	return out
}
