package kube

import (
	"github.com/prune-gen/prune-gen/structural"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
)

// FromOurs returns s as Kubernetes' type: what the project read, field by field, so that it can be compared with what
// Kubernetes read.
func FromOurs(s *structural.JSONSchema) *apiextensions.JSONSchemaProps {
	if s == nil {
		return nil
	}
	out := &apiextensions.JSONSchemaProps{
		ID:                     s.ID,
		Schema:                 apiextensions.JSONSchemaURL(s.Schema),
		Ref:                    s.Ref,
		Description:            s.Description,
		Type:                   s.Type,
		Nullable:               s.Nullable,
		Format:                 s.Format,
		Title:                  s.Title,
		Default:                jsonFromOurs(s.Default),
		Maximum:                s.Maximum,
		ExclusiveMaximum:       s.ExclusiveMaximum,
		Minimum:                s.Minimum,
		ExclusiveMinimum:       s.ExclusiveMinimum,
		MaxLength:              s.MaxLength,
		MinLength:              s.MinLength,
		Pattern:                s.Pattern,
		MaxItems:               s.MaxItems,
		MinItems:               s.MinItems,
		UniqueItems:            s.UniqueItems,
		MultipleOf:             s.MultipleOf,
		MaxProperties:          s.MaxProperties,
		MinProperties:          s.MinProperties,
		Required:               s.Required,
		AllOf:                  sliceFromOurs(s.AllOf),
		OneOf:                  sliceFromOurs(s.OneOf),
		AnyOf:                  sliceFromOurs(s.AnyOf),
		Not:                    FromOurs(s.Not),
		Properties:             mapFromOurs(s.Properties),
		AdditionalProperties:   orBoolFromOurs(s.AdditionalProperties),
		PatternProperties:      mapFromOurs(s.PatternProperties),
		AdditionalItems:        orBoolFromOurs(s.AdditionalItems),
		Definitions:            mapFromOurs(s.Definitions),
		Example:                jsonFromOurs(s.Example),
		XPreserveUnknownFields: s.XPreserveUnknownFields,
		XEmbeddedResource:      s.XEmbeddedResource,
		XIntOrString:           s.XIntOrString,
		XListMapKeys:           s.XListMapKeys,
		XListType:              s.XListType,
		XMapType:               s.XMapType,
	}
	if s.Enum != nil {
		out.Enum = make([]apiextensions.JSON, len(s.Enum))
		for i, v := range s.Enum {
			out.Enum[i] = v
		}
	}
	if s.Items != nil {
		out.Items = &apiextensions.JSONSchemaPropsOrArray{
			Schema: FromOurs(s.Items.Schema), JSONSchemas: sliceFromOurs(s.Items.Schemas),
		}
	}
	if s.Dependencies != nil {
		out.Dependencies = apiextensions.JSONSchemaDependencies{}
		for k, d := range s.Dependencies {
			out.Dependencies[k] = apiextensions.JSONSchemaPropsOrStringArray{Schema: FromOurs(d.Schema), Property: d.Strings}
		}
	}
	if d := s.ExternalDocs; d != nil {
		out.ExternalDocs = &apiextensions.ExternalDocumentation{Description: d.Description, URL: d.URL}
	}
	if s.XValidations != nil {
		out.XValidations = apiextensions.ValidationRules{}
		for _, v := range s.XValidations {
			out.XValidations = append(out.XValidations, ruleFromOurs(v))
		}
	}
	return out
}

func jsonFromOurs(v any) *apiextensions.JSON {
	if v == nil {
		return nil
	}
	j := apiextensions.JSON(v)
	return &j
}

func sliceFromOurs(all []*structural.JSONSchema) []apiextensions.JSONSchemaProps {
	if all == nil {
		return nil
	}
	out := make([]apiextensions.JSONSchemaProps, len(all))
	for i, s := range all {
		out[i] = *FromOurs(s)
	}
	return out
}

func mapFromOurs(all map[string]*structural.JSONSchema) map[string]apiextensions.JSONSchemaProps {
	if all == nil {
		return nil
	}
	out := make(map[string]apiextensions.JSONSchemaProps, len(all))
	for k, s := range all {
		out[k] = *FromOurs(s)
	}
	return out
}

func orBoolFromOurs(s *structural.JSONSchemaOrBool) *apiextensions.JSONSchemaPropsOrBool {
	if s == nil {
		return nil
	}
	return &apiextensions.JSONSchemaPropsOrBool{Allows: s.Allows, Schema: FromOurs(s.Schema)}
}

func ruleFromOurs(v structural.ValidationRule) apiextensions.ValidationRule {
	out := apiextensions.ValidationRule{
		Rule:              v.Rule,
		Message:           v.Message,
		MessageExpression: v.MessageExpression,
		FieldPath:         v.FieldPath,
		OptionalOldSelf:   v.OptionalOldSelf,
	}
	if v.Reason != nil {
		reason := apiextensions.FieldValueErrorReason(*v.Reason)
		out.Reason = &reason
	}
	return out
}
