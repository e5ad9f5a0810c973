package structural

import (
	"maps"
	"slices"
	"strings"
)

// schemaTypes are the types that a value can have.
var schemaTypes = []string{"array", "boolean", "integer", "number", "object", "string"}

// UnknownTypes returns the types in s that no value can have. The rules for structural schemas let them pass, but the API
// server refuses them all the same.
func UnknownTypes(s *Schema, at *Path) []*Error {
	var v validator
	v.unknownTypes(s, at)
	return v.errs
}

func (v *validator) unknownTypes(s *Schema, at *Path) {
	if s == nil {
		return
	}
	if s.Type != "" && !slices.Contains(schemaTypes, s.Type) {
		v.add(&Error{
			Type: ErrorNotSupported, Path: at.Child("type"), BadValue: s.Type,
			Detail: `supported values: "` + strings.Join(schemaTypes, `", "`) + `"`,
		})
	}
	v.unknownTypes(s.Items, at.Child("items"))
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		v.unknownTypes(s.Properties[name], at.Child("properties").Key(name))
	}
	if s.AdditionalProperties != nil {
		v.unknownTypes(s.AdditionalProperties.Schema, at.Child("additionalProperties"))
	}
}
