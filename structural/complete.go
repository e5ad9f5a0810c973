package structural

import (
	"maps"
	"slices"
)

// definedIn comes before the path at which value validation names what is not specified.
const definedIn = "because it is defined in "

// completeness checks that every field and element that the value validation of s names is specified outside of it. The API server does
// this only for the root: it does not check what the value validation of a property names.
func (v *validator) completeness(s *Schema, at *Path) {
	if s.ValueValidation != nil {
		v.complete(s.ValueValidation, s, at, at)
	}
}

// ValidateBelowRoot returns what KEP-2335 forbids below the root of s and the API server does not check there.
func ValidateBelowRoot(s *Schema, at *Path) []*Error {
	var v validator
	v.completenessBelowRoot(s, at)
	for _, e := range v.Errs {
		e.ID = idUnspecifiedBelow
	}
	return v.Errs
}

// completenessBelowRoot checks the same for every schema below s, as KEP-2335 requires.
func (v *validator) completenessBelowRoot(s *Schema, at *Path) {
	check := func(s *Schema, at *Path) {
		v.completeness(s, at)
		v.completenessBelowRoot(s, at)
	}
	if s.Items != nil {
		check(s.Items, at.Child("items"))
	}
	for _, k := range slices.Sorted(maps.Keys(s.Properties)) {
		check(s.Properties[k], at.Child("properties").Key(k))
	}
	if values := s.Values(); values != nil {
		check(values, at.Child("additionalProperties"))
	}
}

// complete checks that s, at sAt, specifies what vv, at vAt, names.
func (v *validator) complete(vv *ValueValidation, s *Schema, sAt, vAt *Path) {
	if vv.Not != nil {
		v.completeNested(vv.Not, s, sAt, vAt.Child("not"))
	}
	for i, n := range vv.AllOf {
		v.completeNested(n, s, sAt, vAt.Child("allOf").Index(i))
	}
	for i, n := range vv.AnyOf {
		v.completeNested(n, s, sAt, vAt.Child("anyOf").Index(i))
	}
	for i, n := range vv.OneOf {
		v.completeNested(n, s, sAt, vAt.Child("oneOf").Index(i))
	}
}

func (v *validator) completeNested(n *NestedValueValidation, s *Schema, sAt, vAt *Path) {
	v.complete(&n.ValueValidation, s, sAt, vAt)
	if n.Items != nil {
		v.completeChild(n.Items, s.Items, sAt.Child("items"), vAt.Child("items"))
	}
	// A field that only additionalProperties cover is not specified.
	for _, k := range slices.Sorted(maps.Keys(n.Properties)) {
		v.completeChild(n.Properties[k], s.Properties[k], sAt.Child("properties").Key(k), vAt.Child("properties").Key(k))
	}
}

func (v *validator) completeChild(n *NestedValueValidation, s *Schema, sAt, vAt *Path) {
	if s == nil {
		if !v.Full { // the text is as long as the path
			v.Required(idUnspecified, sAt, definedIn+vAt.String())
		}
		return
	}
	v.completeNested(n, s, sAt, vAt)
}
