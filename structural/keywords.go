package structural

import (
	"iter"
	"reflect"
	"slices"

	"github.com/prune-gen/prune-gen/internal/base/keyword"
)

// keywordsOf yields the keywords of the struct that p points to, with their values. The parts of a structural schema have keywords under
// the names of Go fields that they have in JSONSchema.
func keywordsOf(p any) iter.Seq2[*keyword.Keyword, reflect.Value] {
	v := reflect.ValueOf(p).Elem()
	if all, ok := keywordsOfParts[v.Type()]; ok {
		return keyword.In(all, v)
	}
	return keyword.All(p)
}

var (
	keywordsOfSchema = keyword.Of(reflect.TypeFor[JSONSchema]())

	keywordsOfParts = func() map[reflect.Type][]keyword.Keyword {
		table := map[reflect.Type][]keyword.Keyword{}
		for _, of := range []any{Generic{}, Extensions{}, ValidationExtensions{}, ValueValidation{}} {
			t := reflect.TypeOf(of)
			for i := range t.NumField() {
				k := keywordsOfSchema[slices.IndexFunc(keywordsOfSchema, func(k keyword.Keyword) bool { return k.Field == t.Field(i).Name })]
				k.Index = i
				table[t] = append(table[t], k)
			}
		}
		return table
	}()
)

// isSet reports whether a keyword is set: lists and maps are if they are not empty.
func isSet(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() > 0
	}
	return !v.IsZero()
}

// hasExtension reports whether s has a keyword that only structural schemas may have.
func (s *JSONSchema) hasExtension() bool {
	for k, v := range keywordsOf(s) {
		if k.NeedsStructure && isSet(v) {
			return true
		}
	}
	return false
}

// Any reports whether f is true for s or a schema anywhere below it.
func (s *JSONSchema) Any(f func(*JSONSchema) bool) bool {
	if s == nil {
		return false
	}
	if f(s) || s.Not.Any(f) || s.AdditionalProperties.any(f) || s.AdditionalItems.any(f) {
		return true
	}
	for _, d := range s.Dependencies {
		if d.Schema.Any(f) {
			return true
		}
	}
	below := func(s *JSONSchema) bool { return s.Any(f) }
	if s.Items != nil && (s.Items.Schema.Any(f) || slices.ContainsFunc(s.Items.Schemas, below)) {
		return true
	}
	for _, list := range [][]*JSONSchema{s.AllOf, s.OneOf, s.AnyOf} {
		if slices.ContainsFunc(list, below) {
			return true
		}
	}
	for _, schemas := range []map[string]*JSONSchema{s.Properties, s.PatternProperties, s.Definitions} {
		for _, s := range schemas {
			if s.Any(f) {
				return true
			}
		}
	}
	return false
}

func (s *JSONSchemaOrBool) any(f func(*JSONSchema) bool) bool { return s != nil && s.Schema.Any(f) }

// HasRules reports whether s has CEL rules.
func HasRules(s *JSONSchema) bool {
	return s != nil && s.Any(func(s *JSONSchema) bool { return len(s.XValidations) > 0 })
}
