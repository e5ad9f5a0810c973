package structural

import (
	"maps"
	"slices"
)

// definedIn comes before the path at which value validation names what is not specified.
const definedIn = "because it is defined in "

// completeness checks that every field and element that the value validation of s names is specified outside of it. The
// API server does this for the root alone: what the value validation of a property names goes unchecked there.
func (c *collector) completeness(s *Schema, at *Path) {
	if s.ValueValidation != nil {
		c.complete(s.ValueValidation, s, at, at)
	}
}

// completenessBelowRoot checks the same for every schema below s, as KEP-2335 wants it.
func (c *collector) completenessBelowRoot(s *Schema, at *Path) {
	check := func(s *Schema, at *Path) {
		c.completeness(s, at)
		c.completenessBelowRoot(s, at)
	}
	if s.Items != nil {
		check(s.Items, at.Child("items"))
	}
	for _, k := range slices.Sorted(maps.Keys(s.Properties)) {
		check(s.Properties[k], at.Child("properties").Key(k))
	}
	if ap := s.AdditionalProperties; ap != nil && ap.Schema != nil {
		check(ap.Schema, at.Child("additionalProperties"))
	}
}

// complete checks that s, which stands at sAt, specifies what vv names, which stands at vAt.
func (c *collector) complete(vv *ValueValidation, s *Schema, sAt, vAt *Path) {
	if vv.Not != nil {
		c.completeNested(vv.Not, s, sAt, vAt.Child("not"))
	}
	for i, n := range vv.AllOf {
		c.completeNested(n, s, sAt, vAt.Child("allOf").Index(i))
	}
	for i, n := range vv.AnyOf {
		c.completeNested(n, s, sAt, vAt.Child("anyOf").Index(i))
	}
	for i, n := range vv.OneOf {
		c.completeNested(n, s, sAt, vAt.Child("oneOf").Index(i))
	}
}

func (c *collector) completeNested(n *NestedValueValidation, s *Schema, sAt, vAt *Path) {
	c.complete(&n.ValueValidation, s, sAt, vAt)
	if n.Items != nil {
		c.completeChild(n.Items, s.Items, sAt.Child("items"), vAt.Child("items"))
	}
	// A field that only additionalProperties cover is not specified.
	for _, k := range slices.Sorted(maps.Keys(n.Properties)) {
		c.completeChild(n.Properties[k], s.Properties[k], sAt.Child("properties").Key(k), vAt.Child("properties").Key(k))
	}
}

func (c *collector) completeChild(n *NestedValueValidation, s *Schema, sAt, vAt *Path) {
	if s == nil {
		if !c.full { // the text is as long as the path
			c.required(RuleUnspecified, sAt, definedIn+vAt.String())
		}
		return
	}
	c.completeNested(n, s, sAt, vAt)
}
