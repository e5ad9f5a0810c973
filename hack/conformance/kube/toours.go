package kube

import (
	"github.com/prune-gen/prune-gen/structural"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

// ToOurs returns a schema of Kubernetes as ours: all of it that CEL rules depend on.
func ToOurs(s *structuralschema.Structural) *structural.Schema {
	if s == nil {
		return nil
	}
	out := &structural.Schema{
		Items:           ToOurs(s.Items),
		Generic:         structural.Generic{Type: s.Type, Nullable: s.Nullable, Default: s.Default.Object},
		ValueValidation: valuesToOurs(s.ValueValidation),
		Extensions: structural.Extensions{
			XPreserveUnknownFields: s.XPreserveUnknownFields, XEmbeddedResource: s.XEmbeddedResource, XIntOrString: s.XIntOrString,
			XListMapKeys: s.XListMapKeys, XListType: s.XListType, XMapType: s.XMapType,
		},
		ValidationExtensions: rulesToOurs(s.ValidationExtensions),
	}
	if s.Properties != nil {
		out.Properties = map[string]*structural.Schema{}
		for name, p := range s.Properties {
			out.Properties[name] = ToOurs(&p)
		}
	}
	if ap := s.AdditionalProperties; ap != nil {
		out.AdditionalProperties = &structural.SchemaOrBool{Schema: ToOurs(ap.Structural), Bool: ap.Bool}
	}
	return out
}

func valuesToOurs(v *structuralschema.ValueValidation) *structural.ValueValidation {
	if v == nil {
		return nil
	}
	out := &structural.ValueValidation{
		Format: v.Format, Maximum: v.Maximum, ExclusiveMaximum: v.ExclusiveMaximum, Minimum: v.Minimum, ExclusiveMinimum: v.ExclusiveMinimum,
		MaxLength: v.MaxLength, MinLength: v.MinLength, Pattern: v.Pattern, MaxItems: v.MaxItems, MinItems: v.MinItems, UniqueItems: v.UniqueItems,
		MultipleOf: v.MultipleOf, MaxProperties: v.MaxProperties, MinProperties: v.MinProperties, Required: v.Required,
	}
	for _, e := range v.Enum {
		out.Enum = append(out.Enum, e.Object)
	}
	for _, n := range v.AllOf {
		out.AllOf = append(out.AllOf, nestedToOurs(&n))
	}
	return out
}

func nestedToOurs(n *structuralschema.NestedValueValidation) *structural.NestedValueValidation {
	if n == nil {
		return nil
	}
	out := &structural.NestedValueValidation{
		ValueValidation:      *valuesToOurs(&n.ValueValidation),
		ValidationExtensions: rulesToOurs(n.ValidationExtensions),
		Items:                nestedToOurs(n.Items),
		AdditionalProperties: nestedToOurs(n.AdditionalProperties),
	}
	if n.Properties != nil {
		out.Properties = map[string]*structural.NestedValueValidation{}
		for name, p := range n.Properties {
			out.Properties[name] = nestedToOurs(&p)
		}
	}
	return out
}

func rulesToOurs(v structuralschema.ValidationExtensions) structural.ValidationExtensions {
	var out structural.ValidationExtensions
	for _, r := range v.XValidations {
		rule := structural.ValidationRule{
			Rule: r.Rule, Message: r.Message, MessageExpression: r.MessageExpression, FieldPath: r.FieldPath, OptionalOldSelf: r.OptionalOldSelf,
		}
		if r.Reason != nil {
			reason := string(*r.Reason)
			rule.Reason = &reason
		}
		out.XValidations = append(out.XValidations, rule)
	}
	return out
}
