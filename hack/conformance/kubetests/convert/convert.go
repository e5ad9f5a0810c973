// Package convert turns Kubernetes' structural schemas into ours, and values into resources that our functions take.
package convert

import (
	"github.com/prune-gen/prune-gen/structural"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

// Schema returns s as our type.
func Schema(s *structuralschema.Structural) *structural.Schema {
	if s == nil {
		return nil
	}
	out := &structural.Schema{
		Items: Schema(s.Items),
		Generic: structural.Generic{
			Description: s.Description, Type: s.Type, Title: s.Title, Default: s.Default.Object, Nullable: s.Nullable,
		},
		Extensions: structural.Extensions{
			XPreserveUnknownFields: s.XPreserveUnknownFields, XEmbeddedResource: s.XEmbeddedResource, XIntOrString: s.XIntOrString,
		},
		ValueValidation: &structural.ValueValidation{},
	}
	if s.Properties != nil {
		out.Properties = map[string]*structural.Schema{}
		for k, p := range s.Properties {
			out.Properties[k] = Schema(&p)
		}
	}
	if ap := s.AdditionalProperties; ap != nil {
		out.AdditionalProperties = &structural.SchemaOrBool{Schema: Schema(ap.Structural), Bool: ap.Bool}
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
