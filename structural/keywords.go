package structural

import (
	"iter"
	"reflect"
	"slices"
	"strings"
)

// keyword is a field of an object in a schema, of the schema itself in most cases, as the tag of its Go field describes it.
type keyword struct {
	Name           string
	Field          string // in Go
	index          int    // of the field
	inSchema       int    // the index of the field of that name in JSONSchema
	unsupported    bool
	inJunctor      string
	needsStructure bool
	NotKubernetes  bool
}

// keywords are the keywords of a schema, and of the objects in it, by the type that they are a field of.
var keywords = func() map[reflect.Type][]keyword {
	table := map[reflect.Type][]keyword{}
	for _, of := range []any{JSONSchema{}, ExternalDocumentation{}, ValidationRule{}, Union{}} {
		t := reflect.TypeOf(of)
		for i := range t.NumField() {
			table[t] = append(table[t], newKeyword(t.Field(i), i))
		}
	}
	// The parts of a structural schema have keywords under the names that they have in JSONSchema.
	all := table[reflect.TypeFor[JSONSchema]()]
	for _, of := range []any{Generic{}, Extensions{}, ValidationExtensions{}, ValueValidation{}} {
		t := reflect.TypeOf(of)
		for i := range t.NumField() {
			k := all[slices.IndexFunc(all, func(k keyword) bool { return k.Field == t.Field(i).Name })]
			k.index, k.inSchema = i, k.index
			table[t] = append(table[t], k)
		}
	}
	return table
}()

func newKeyword(f reflect.StructField, index int) keyword {
	name, options, _ := strings.Cut(f.Tag.Get("key"), ",")
	if name == "" {
		panic("field " + f.Name + " has no key")
	}
	k := keyword{Name: name, Field: f.Name, index: index}
	for option := range strings.SplitSeq(options, ",") {
		must, inJunctor := strings.CutPrefix(option, "in junctor=")
		switch {
		case inJunctor:
			k.inJunctor = must
		case option == "unsupported":
			k.unsupported = true
		case option == "needs structure":
			k.needsStructure = true
		case option == "not in Kubernetes":
			k.NotKubernetes = true
		case option != "":
			panic("keyword " + name + " has the option " + option)
		}
	}
	return k
}

// Keywords yields the keywords of the struct that p points to, with their values.
func Keywords(p any) iter.Seq2[*keyword, reflect.Value] {
	v := reflect.ValueOf(p).Elem()
	all := keywords[v.Type()]
	return func(yield func(*keyword, reflect.Value) bool) {
		for i := range all {
			if !yield(&all[i], v.Field(all[i].index)) {
				return
			}
		}
	}
}

// FindKeyword returns the keyword of that name of the struct that p points to, and its value.
func FindKeyword(p any, name string) (*keyword, reflect.Value) {
	if name == "x-kubernetes-no-pruning" || name == "x-no-pruning" {
		name = "x-kubernetes-no-prune" // KEP-24 has all three spellings
	}
	v := reflect.ValueOf(p).Elem()
	all := keywords[v.Type()]
	for i := range all {
		if all[i].Name == name {
			return &all[i], v.Field(all[i].index)
		}
	}
	return nil, reflect.Value{}
}

// isSet reports whether the value of a keyword says anything: lists and maps do when there is something in them.
func isSet(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() > 0
	}
	return !v.IsZero()
}

// hasExtension reports whether s has a keyword that only structural schemas may have.
func (s *JSONSchema) hasExtension() bool {
	for k, v := range Keywords(s) {
		if k.needsStructure && isSet(v) {
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
