package structural

import (
	"reflect"
	"strings"

	"github.com/prune-gen/prune-gen/internal/base/sorted"
)

// NewSchema converts a schema as a CRD has it to a structural schema. Keywords that a structural schema cannot have are left out and
// returned as errors. The result is returned even with errors, so that the rules can be checked on the rest of it. It is nil for a nil
// schema, and shares nothing with s.
//
// The first error is the one that the API server reports, which stops there. The others are in the order in which it would find them;
// properties, which it visits in random order, are sorted by name.
func NewSchema(s *JSONSchema, at *Path) (*Schema, []*Error) {
	if s == nil {
		return nil, nil
	}
	var c converter
	out := c.schema(s, at)
	return out, c.Errs
}

// converter converts schemas and collects what it refuses.
type converter struct {
	Errors
}

func (c *converter) schema(s *JSONSchema, at *Path) *Schema {
	c.keywords(s, at)
	vv := c.valueValidation(s, at)
	out := &Schema{Extensions: c.extensions(s, at), ValueValidation: &vv}
	take(&out.Generic, s)
	take(&out.ValidationExtensions, s)
	if items := c.items(s, at); items != nil {
		out.Items = c.schema(items, at.Child("items"))
	}
	// No properties and an empty map of them are the same here, but not below a logical junctor.
	if len(s.Properties) > 0 {
		out.Properties = make(map[string]*Schema, len(s.Properties))
		for _, k := range sorted.Keys(s.Properties) {
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
	out := &NestedValueValidation{ValueValidation: c.valueValidation(s, at), ForbiddenExtensions: c.extensions(s, at)}
	take(&out.ForbiddenGenerics, s)
	take(&out.ValidationExtensions, s)
	if items := c.items(s, at); items != nil {
		out.Items = c.nested(items, at.Child("items"))
	}
	if s.Properties != nil {
		out.Properties = make(map[string]*NestedValueValidation, len(s.Properties))
		for _, k := range sorted.Keys(s.Properties) {
			out.Properties[k] = c.nested(s.Properties[k], at.Child("properties").Key(k))
		}
	}
	// For the structure, false counts as absent, and true as a schema that allows everything.
	if ap := s.AdditionalProperties; ap != nil {
		if ap.Schema != nil {
			out.AdditionalProperties = c.nested(ap.Schema, at.Child("additionalProperties"))
		} else if ap.Allows {
			out.AdditionalProperties = &NestedValueValidation{}
		} else {
			out.Closed = true
		}
	}
	return out
}

// items returns the schema below items, nil if there is none.
func (c *converter) items(s *JSONSchema, at *Path) *JSONSchema {
	if s.Items == nil {
		return nil
	}
	if len(s.Items.Schemas) > 0 {
		c.unsupported(IDItemsArray, at.Child("items"), "OpenAPIV3Schema 'items' must be a schema, but is an array")
		return nil
	}
	return s.Items.Schema
}

func (c *converter) valueValidation(s *JSONSchema, at *Path) ValueValidation {
	var v ValueValidation
	take(&v, s)
	if s.Not != nil {
		v.Not = c.nested(s.Not, at.Child("not"))
	}
	v.AllOf = c.junctor(s.AllOf, at.Child("allOf"))
	v.AnyOf = c.junctor(s.AnyOf, at.Child("anyOf"))
	v.OneOf = c.junctor(s.OneOf, at.Child("oneOf"))
	// An empty enum, like an empty junctor, counts as none; an empty required does not.
	if len(v.Enum) == 0 {
		v.Enum = nil
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
	var x Extensions
	take(&x, s)
	if p := s.XPreserveUnknownFields; p != nil {
		if !*p {
			c.unsupported(IDPreserveFalse, at.Child("x-kubernetes-preserve-unknown-fields"),
				"internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined")
		}
		x.XPreserveUnknownFields = *p
	}
	return x
}

// keywords refuses the keywords that CRDs do not have.
func (c *converter) keywords(s *JSONSchema, at *Path) {
	for k, v := range keywordsOf(s) {
		if !k.Unsupported || !isRefused(v) {
			continue
		}
		// Kubernetes words this one without the dollar.
		name := strings.Replace(k.Name, "$schema", "schema", 1)
		c.unsupported(IDUnsupportedKeyword, at.Child(k.Name), "OpenAPIV3Schema '"+name+"' is not supported")
	}
}

// take copies keywords of s to the struct that part points to, a part of a structural schema. Keywords that have another type there,
// because they hold schemas or may be false, are left to the caller.
func take(part any, s *JSONSchema) {
	from := reflect.ValueOf(s).Elem()
	for k, v := range keywordsOf(part) {
		if value := from.Field(k.InSchema); value.Type() == v.Type() && !value.IsZero() {
			v.Set(copyValue(value))
		}
	}
}

// isRefused reports whether the conversion refuses a keyword that CRDs do not have because of its value: an empty $ref is none.
func isRefused(v reflect.Value) bool {
	return isSet(v) && !(v.Type() == reflect.TypeFor[*string]() && v.Elem().IsZero())
}
