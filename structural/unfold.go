package structural

import (
	"maps"
	"reflect"
	"slices"
)

// apiVersionPattern matches what the API server accepts as the apiVersion of an embedded resource: not empty, and at most one slash.
const apiVersionPattern = `^([^/]+/?|/)[^/]*$`

// Unfold returns a copy of s in which the meaning of three extensions is written out, as KEP-2335 describes it:
// x-kubernetes-int-or-string as types, exactly as the API server does it; x-kubernetes-embedded-resource as schemas for
// apiVersion, kind and metadata; x-kubernetes-unions as oneOf and an enum for the discriminator. The extensions stay, a
// structural schema stays structural, and unfolding again changes nothing.
//
// The root is not unfolded as an embedded resource: its metadata must not be specified, and is known anyway.
func (s *Schema) Unfold() *Schema {
	if s == nil {
		return nil
	}
	out := s.Copy()
	// Before the others, so that what they add is not visited.
	out.visitBelow((*Schema).unfoldEmbeddedResource)
	out.Visit((*Schema).unfoldUnions)
	out.Visit((*Schema).unfoldIntOrString)
	return out
}

// unfoldIntOrString adds the types of int-or-string to anyOf or, if there is an anyOf already, as the first element of allOf.
func (s *Schema) unfoldIntOrString() {
	if !s.XIntOrString {
		return
	}
	vv := s.validation()
	types := []*NestedValueValidation{
		{ForbiddenGenerics: Generic{Type: "integer"}},
		{ForbiddenGenerics: Generic{Type: "string"}},
	}
	switch {
	case isIntOrStringAnyOf(vv.AnyOf) || isIntOrStringAllOf(vv.AllOf):
	case vv.AnyOf == nil:
		vv.AnyOf = types
	default:
		vv.AllOf = slices.Insert(vv.AllOf, 0, &NestedValueValidation{ValueValidation: ValueValidation{AnyOf: types}})
	}
}

// unfoldEmbeddedResource requires apiVersion and kind and specifies them and metadata.
func (s *Schema) unfoldEmbeddedResource() {
	if !s.XEmbeddedResource {
		return
	}
	vv := s.validation()
	for _, k := range []string{"kind", "apiVersion"} {
		if !slices.Contains(vv.Required, k) {
			vv.Required = append(vv.Required, k)
		}
	}
	if s.Properties == nil {
		s.Properties = map[string]*Schema{}
	}
	for k, implied := range map[string]*Schema{
		"apiVersion": {Generic: Generic{Type: "string"}, ValueValidation: &ValueValidation{Pattern: apiVersionPattern}},
		"kind":       {Generic: Generic{Type: "string"}, ValueValidation: &ValueValidation{}},
		"metadata":   ObjectMeta(),
	} {
		if own, ok := s.Properties[k]; ok {
			own.imply(implied)
		} else {
			s.Properties[k] = implied
		}
	}
}

// imply adds to s what implied says. The structure of s takes precedence.
func (s *Schema) imply(implied *Schema) {
	if s.Type == "" && !s.XIntOrString && !s.XPreserveUnknownFields {
		s.Type = implied.Type
	}
	if s.Type != implied.Type {
		return // nothing is both: whatever would be added, no value could fit
	}
	s.implyValidation(implied.ValueValidation)
	if s.Items != nil && implied.Items != nil {
		s.Items.imply(implied.Items)
	}
	// A schema that is a map already does not become a struct.
	if implied.Properties == nil || s.AdditionalProperties != nil {
		return
	}
	if s.Properties == nil {
		s.Properties = map[string]*Schema{}
	}
	for _, k := range slices.Sorted(maps.Keys(implied.Properties)) {
		if own, ok := s.Properties[k]; ok {
			own.imply(implied.Properties[k])
		} else {
			s.Properties[k] = implied.Properties[k]
		}
	}
}

// implyValidation and's the value validation of s with another: as it is where s has none, else as the first of an allOf
// with what s has itself as the second.
func (s *Schema) implyValidation(implied *ValueValidation) {
	vv := s.validation()
	switch {
	case vv.covers(implied):
	case reflect.DeepEqual(*vv, ValueValidation{}):
		*vv = *implied
	default:
		own := *vv
		*vv = ValueValidation{AllOf: []*NestedValueValidation{{ValueValidation: *implied}, {ValueValidation: own}}}
	}
}

// covers reports whether vv says itself what implied says: a pattern or a format, which is all that is ever implied.
func (vv *ValueValidation) covers(implied *ValueValidation) bool {
	if (implied.Pattern == "" || vv.Pattern == implied.Pattern) && (implied.Format == "" || vv.Format == implied.Format) {
		return true
	}
	return slices.ContainsFunc(vv.AllOf, func(n *NestedValueValidation) bool { return n.covers(implied) })
}
