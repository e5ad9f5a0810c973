package structural

import (
	"maps"
	"slices"
)

// CountRules returns the number of CEL rules in the schemas of c.
func CountRules(c *CRD) int {
	n := 0
	counted := map[*JSONSchema]bool{}
	for _, v := range c.Versions {
		if v.Schema == nil || counted[v.Schema] {
			continue
		}
		counted[v.Schema] = true
		v.Schema.Any(func(s *JSONSchema) bool {
			n += len(s.XValidations)
			return false
		})
	}
	return n
}

// HasRules reports whether s has CEL rules.
func HasRules(s *JSONSchema) bool {
	return s != nil && s.Any(func(s *JSONSchema) bool { return len(s.XValidations) > 0 })
}

// FirstRule returns the path of the first CEL rules of s, which is at a path, in the order of names. It is nil
// if there are none; a structural schema has none in its value validation.
func FirstRule(s *JSONSchema, at *Path) *Path {
	if s == nil {
		return nil
	}
	if len(s.XValidations) > 0 {
		return at.Child("x-kubernetes-validations")
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if p := FirstRule(s.Properties[name], at.Child("properties").Key(name)); p != nil {
			return p
		}
	}
	if s.Items != nil {
		if p := FirstRule(s.Items.Schema, at.Child("items")); p != nil {
			return p
		}
	}
	if s.AdditionalProperties != nil {
		if p := FirstRule(s.AdditionalProperties.Schema, at.Child("additionalProperties")); p != nil {
			return p
		}
	}
	return nil
}
