package specimen

import (
	"maps"
	"slices"

	"github.com/prune-gen/prune-gen/structural"
)

// keyword is a place in a schema that restricts values: a keyword of value validation, in the schema of a value or below a
// junctor of it, or the type of a list.
type keyword struct {
	name string
	// way leads from the root to the value.
	way []wayStep
	// schema is that of the value, values the validation that the keyword is part of, nil for the type of a list.
	schema *structural.Schema
	values *structural.ValueValidation
}

// wayStep goes from a value to one below it.
type wayStep struct {
	kind stepKind
	name string // of a property
}

type stepKind uint8

const (
	toProperty stepKind = iota
	toItem
	toAdditional
)

// keywords returns every keyword of s, in an order that is always the same.
func keywords(s *structural.Schema) []keyword {
	var f keywordFinder
	if s != nil {
		f.schema(s, nil)
	}
	return f.all
}

// keywordFinder collects keywords.
type keywordFinder struct {
	all []keyword
}

func (f *keywordFinder) schema(s *structural.Schema, way []wayStep) {
	if s.ValueValidation != nil {
		f.values(s.ValueValidation, s, way)
	}
	add := func(name string) {
		f.all = append(f.all, keyword{name: name, way: slices.Clone(way), schema: s})
	}
	if s.XListType != nil && *s.XListType != "atomic" {
		add("x-kubernetes-list-type")
	}
	if s.XIntOrString {
		add("x-kubernetes-int-or-string")
	}
	if s.XEmbeddedResource {
		add("x-kubernetes-embedded-resource")
	}
	for _, k := range slices.Sorted(maps.Keys(s.Properties)) {
		f.schema(s.Properties[k], append(way, wayStep{kind: toProperty, name: k}))
	}
	if s.Items != nil {
		f.schema(s.Items, append(way, wayStep{kind: toItem}))
	}
	if ap := s.AdditionalProperties; ap != nil {
		if ap.Schema != nil {
			f.schema(ap.Schema, append(way, wayStep{kind: toAdditional}))
		} else if !ap.Bool {
			add("additionalProperties")
		}
	}
}

// values adds the keywords of a validation of the value that s is the schema of.
func (f *keywordFinder) values(v *structural.ValueValidation, s *structural.Schema, way []wayStep) {
	for _, k := range []struct {
		name string
		set  bool
	}{
		{"format", v.Format != ""}, {"maximum", v.Maximum != nil}, {"minimum", v.Minimum != nil}, {"multipleOf", v.MultipleOf != nil},
		{"maxLength", v.MaxLength != nil}, {"minLength", v.MinLength != nil}, {"pattern", v.Pattern != ""},
		{"maxItems", v.MaxItems != nil}, {"minItems", v.MinItems != nil}, {"uniqueItems", v.UniqueItems}, {"enum", len(v.Enum) > 0},
		{"maxProperties", v.MaxProperties != nil}, {"minProperties", v.MinProperties != nil}, {"required", len(v.Required) > 0},
	} {
		if k.set {
			f.all = append(f.all, keyword{name: k.name, way: slices.Clone(way), schema: s, values: v})
		}
	}
	for _, junctor := range [][]*structural.NestedValueValidation{v.AllOf, v.AnyOf, v.OneOf, {v.Not}} {
		for _, n := range junctor {
			f.nested(n, s, way)
		}
	}
}

// nested adds the keywords below a junctor. The schema of a value there is that of the structure beside it.
func (f *keywordFinder) nested(n *structural.NestedValueValidation, s *structural.Schema, way []wayStep) {
	if n == nil {
		return
	}
	s = orNone(s)
	f.values(&n.ValueValidation, s, way)
	if n.ForbiddenGenerics.Type != "" {
		f.all = append(f.all, keyword{name: "type", way: slices.Clone(way), schema: s})
	}
	for _, k := range slices.Sorted(maps.Keys(n.Properties)) {
		f.nested(n.Properties[k], s.Properties[k], append(way, wayStep{kind: toProperty, name: k}))
	}
	f.nested(n.Items, s.Items, append(way, wayStep{kind: toItem}))
}
