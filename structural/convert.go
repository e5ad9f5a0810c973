package structural

import (
	"maps"
	"slices"
)

// NewSchema converts a schema as a CRD has it to a structural schema. What has no place in one is left out and returned
// as an error at the keyword that is at fault; the conversion goes on after an error, and the errors come sorted. The
// result is there even with errors, so that the rules can be checked on the rest of it. It is nil for a nil schema, and
// shares with s only what nobody changes: the numbers that pointers lead to and the values below enum.
func NewSchema(s *JSONSchema, at *Path) (*Schema, []*Error) {
	if s == nil {
		return nil, nil
	}
	out, errs := convert(s, at)
	sortErrors(errs)
	return out, errs
}

// convert is NewSchema with the errors in the order in which the API server comes to them; it stops at the first. Where
// that order is by chance there, among properties, it is by name here.
func convert(s *JSONSchema, at *Path) (*Schema, []*Error) {
	var c converter
	out := c.schema(s, at)
	return out, c.errs
}

// converter converts schemas and collects what it refuses.
type converter struct {
	collector
}

func (c *converter) schema(s *JSONSchema, at *Path) *Schema {
	c.keywords(s, at)
	vv := c.valueValidation(s, at)
	out := &Schema{
		Generic:              newGeneric(s),
		Extensions:           c.extensions(s, at),
		ValidationExtensions: newValidationExtensions(s),
		ValueValidation:      &vv,
	}
	if items := c.items(s, at); items != nil {
		out.Items = c.schema(items, at.Child("items"))
	}
	// No properties and an empty map of them are the same here, but not below a logical junctor.
	if len(s.Properties) > 0 {
		out.Properties = make(map[string]*Schema, len(s.Properties))
		for _, k := range slices.Sorted(maps.Keys(s.Properties)) {
			out.Properties[k] = c.schema(s.Properties[k], at.Child("properties").Key(k))
		}
	}
	if ap := s.AdditionalProperties; ap != nil {
		if ap.Schema != nil {
			out.AdditionalProperties = &SchemaOrBool{Schema: c.schema(ap.Schema, at.Child("additionalProperties")), Bool: true}
		} else {
			out.AdditionalProperties = &SchemaOrBool{Bool: ap.Allows}
		}
	}
	return out
}

func (c *converter) nested(s *JSONSchema, at *Path) *NestedValueValidation {
	c.keywords(s, at)
	out := &NestedValueValidation{
		ValueValidation:      c.valueValidation(s, at),
		ValidationExtensions: newValidationExtensions(s),
		ForbiddenGenerics:    newGeneric(s),
		ForbiddenExtensions:  c.extensions(s, at),
	}
	if items := c.items(s, at); items != nil {
		out.Items = c.nested(items, at.Child("items"))
	}
	if s.Properties != nil {
		out.Properties = make(map[string]*NestedValueValidation, len(s.Properties))
		for _, k := range slices.Sorted(maps.Keys(s.Properties)) {
			out.Properties[k] = c.nested(s.Properties[k], at.Child("properties").Key(k))
		}
	}
	// Here false counts as absent, and true as a schema that allows everything.
	if ap := s.AdditionalProperties; ap != nil {
		if ap.Schema != nil {
			out.AdditionalProperties = c.nested(ap.Schema, at.Child("additionalProperties"))
		} else if ap.Allows {
			out.AdditionalProperties = &NestedValueValidation{}
		}
	}
	return out
}

// items returns the schema below items, nil where there is none.
func (c *converter) items(s *JSONSchema, at *Path) *JSONSchema {
	if s.Items == nil {
		return nil
	}
	if len(s.Items.Schemas) > 0 {
		c.unsupported(at.Child("items"), "OpenAPIV3Schema 'items' must be a schema, but is an array")
		return nil
	}
	return s.Items.Schema
}

func (c *converter) valueValidation(s *JSONSchema, at *Path) ValueValidation {
	var not *NestedValueValidation
	if s.Not != nil {
		not = c.nested(s.Not, at.Child("not"))
	}
	v := ValueValidation{
		Format:           s.Format,
		Maximum:          s.Maximum,
		ExclusiveMaximum: s.ExclusiveMaximum,
		Minimum:          s.Minimum,
		ExclusiveMinimum: s.ExclusiveMinimum,
		MaxLength:        s.MaxLength,
		MinLength:        s.MinLength,
		Pattern:          s.Pattern,
		MaxItems:         s.MaxItems,
		MinItems:         s.MinItems,
		UniqueItems:      s.UniqueItems,
		MultipleOf:       s.MultipleOf,
		MaxProperties:    s.MaxProperties,
		MinProperties:    s.MinProperties,
		Required:         slices.Clone(s.Required),
		AllOf:            c.junctor(s.AllOf, at.Child("allOf")),
		AnyOf:            c.junctor(s.AnyOf, at.Child("anyOf")),
		OneOf:            c.junctor(s.OneOf, at.Child("oneOf")),
		Not:              not,
	}
	// An empty enum, like an empty junctor, counts as none; an empty required does not.
	if len(s.Enum) > 0 {
		v.Enum = slices.Clone(s.Enum)
	}
	return v
}

func (c *converter) junctor(all []*JSONSchema, at *Path) []*NestedValueValidation {
	var out []*NestedValueValidation
	for i, s := range all {
		out = append(out, c.nested(s, at.Index(i)))
	}
	return out
}

func (c *converter) extensions(s *JSONSchema, at *Path) Extensions {
	x := Extensions{
		XEmbeddedResource: s.XEmbeddedResource,
		XIntOrString:      s.XIntOrString,
		XListMapKeys:      slices.Clone(s.XListMapKeys),
		XListType:         s.XListType,
		XMapType:          s.XMapType,
		XUnions:           cloneUnions(s.XUnions),
	}
	if p := s.XPreserveUnknownFields; p != nil {
		if !*p {
			c.unsupported(at.Child("x-kubernetes-preserve-unknown-fields"),
				"internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined")
		}
		x.XPreserveUnknownFields = *p
	}
	return x
}

// keywords refuses the keywords that CRDs do not have.
func (c *converter) keywords(s *JSONSchema, at *Path) {
	for _, k := range []struct {
		set           bool
		keyword, name string
	}{
		{s.ID != "", "id", "id"},
		{s.Schema != "", "$schema", "schema"},
		{s.Ref != nil && *s.Ref != "", "$ref", "$ref"},
		{len(s.PatternProperties) > 0, "patternProperties", "patternProperties"},
		{len(s.Dependencies) > 0, "dependencies", "dependencies"},
		{s.AdditionalItems != nil, "additionalItems", "additionalItems"},
		{len(s.Definitions) > 0, "definitions", "definitions"},
	} {
		if k.set {
			c.unsupported(at.Child(k.keyword), "OpenAPIV3Schema '"+k.name+"' is not supported")
		}
	}
}

func newGeneric(s *JSONSchema) Generic {
	g := Generic{
		Description: s.Description,
		Type:        s.Type,
		Title:       s.Title,
		Default:     copyJSON(s.Default),
		Nullable:    s.Nullable,
		Example:     copyJSON(s.Example),
	}
	if s.ExternalDocs != nil {
		docs := *s.ExternalDocs
		g.ExternalDocs = &docs
	}
	return g
}

func newValidationExtensions(s *JSONSchema) ValidationExtensions {
	return ValidationExtensions{XValidations: slices.Clone(s.XValidations)}
}
