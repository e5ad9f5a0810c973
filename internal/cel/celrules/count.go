package celrules

import (
	"maps"
	"slices"

	"github.com/prune-gen/prune-gen/structural"
)

// Count returns the number of CEL rules in the schemas of c.
func Count(c *structural.CRD) int {
	n := 0
	counted := map[*structural.JSONSchema]bool{}
	for _, v := range c.Versions {
		if v.Schema == nil || counted[v.Schema] {
			continue
		}
		counted[v.Schema] = true
		v.Schema.Any(func(s *structural.JSONSchema) bool {
			n += len(s.XValidations)
			return false
		})
	}
	return n
}

// First returns the path of the first CEL rules of s, which is at a path, in the order of names. It is nil
// if there are none; a structural schema has none in its value validation.
func First(s *structural.JSONSchema, at *structural.Path) *structural.Path {
	if s == nil {
		return nil
	}
	if len(s.XValidations) > 0 {
		return at.Child("x-kubernetes-validations")
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if p := First(s.Properties[name], at.Child("properties").Key(name)); p != nil {
			return p
		}
	}
	if s.Items != nil {
		if p := First(s.Items.Schema, at.Child("items")); p != nil {
			return p
		}
	}
	if s.AdditionalProperties != nil {
		if p := First(s.AdditionalProperties.Schema, at.Child("additionalProperties")); p != nil {
			return p
		}
	}
	return nil
}
