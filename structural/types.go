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
	if s == nil {
		return nil
	}
	var errs []*Error
	if s.Type != "" && !slices.Contains(schemaTypes, s.Type) {
		errs = append(errs, &Error{
			Type: ErrorNotSupported, Path: at.Child("type"), BadValue: s.Type,
			Detail: `supported values: "` + strings.Join(schemaTypes, `", "`) + `"`,
		})
	}
	errs = append(errs, UnknownTypes(s.Items, at.Child("items"))...)
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		errs = append(errs, UnknownTypes(s.Properties[name], at.Child("properties").Key(name))...)
	}
	if s.AdditionalProperties != nil {
		errs = append(errs, UnknownTypes(s.AdditionalProperties.Schema, at.Child("additionalProperties"))...)
	}
	return errs
}
