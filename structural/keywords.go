package structural

import (
	"iter"
	"reflect"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/spelling"
)

// keyword is a field of an object in a schema, of the schema itself in most cases, as the tag of its Go field describes it.
type keyword struct {
	name           string
	field          string // in Go
	index          int    // of the field
	inSchema       int    // the index of the field of that name in JSONSchema
	unsupported    bool
	inJunctor      string
	needsStructure bool
	notKubernetes  bool
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
			k := all[slices.IndexFunc(all, func(k keyword) bool { return k.field == t.Field(i).Name })]
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
	k := keyword{name: name, field: f.Name, index: index}
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
			k.notKubernetes = true
		case option != "":
			panic("keyword " + name + " has the option " + option)
		}
	}
	return k
}

// keywordsOf yields the keywords of the struct that p points to, with their values.
func keywordsOf(p any) iter.Seq2[*keyword, reflect.Value] {
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

// findKeyword returns the keyword of that name of the struct that p points to, and its value.
func findKeyword(p any, name string) (*keyword, reflect.Value) {
	if name == "x-kubernetes-no-pruning" || name == "x-no-pruning" {
		name = "x-kubernetes-no-prune" // KEP-24 has all three spellings
	}
	v := reflect.ValueOf(p).Elem()
	all := keywords[v.Type()]
	for i := range all {
		if all[i].name == name {
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

// any reports whether f is true for s or a schema anywhere below it.
func (s *JSONSchema) any(f func(*JSONSchema) bool) bool {
	if s == nil {
		return false
	}
	if f(s) || s.Not.any(f) || s.AdditionalProperties.any(f) || s.AdditionalItems.any(f) {
		return true
	}
	for _, d := range s.Dependencies {
		if d.Schema.any(f) {
			return true
		}
	}
	below := func(s *JSONSchema) bool { return s.any(f) }
	if s.Items != nil && (s.Items.Schema.any(f) || slices.ContainsFunc(s.Items.Schemas, below)) {
		return true
	}
	for _, list := range [][]*JSONSchema{s.AllOf, s.OneOf, s.AnyOf} {
		if slices.ContainsFunc(list, below) {
			return true
		}
	}
	for _, schemas := range []map[string]*JSONSchema{s.Properties, s.PatternProperties, s.Definitions} {
		for _, s := range schemas {
			if s.any(f) {
				return true
			}
		}
	}
	return false
}

func (s *JSONSchemaOrBool) any(f func(*JSONSchema) bool) bool { return s != nil && s.Schema.any(f) }

// suggested are the names of the keywords of p, a pointer to a struct, that can be suggested to somebody who misspelt one.
func suggested(p any) []string {
	var names []string
	for k := range keywordsOf(p) {
		if !k.notKubernetes {
			names = append(names, k.name)
		}
	}
	return names
}

// foreignKeywords are keywords of OpenAPI and JSON Schema that Kubernetes does not have, with what to write instead.
var foreignKeywords = map[string]string{
	"readOnly":              "Kubernetes ignores readOnly: put the field below status, or compare with oldSelf in x-kubernetes-validations",
	"writeOnly":             "Kubernetes ignores writeOnly: remove it",
	"deprecated":            "Kubernetes knows deprecated for versions only: say it in the description",
	"discriminator":         "Kubernetes ignores discriminator: use oneOf or x-kubernetes-validations",
	"xml":                   "Kubernetes ignores xml: remove it",
	"examples":              "write one value as example",
	"const":                 "write an enum with one value",
	"if":                    "write the condition as an x-kubernetes-validations rule",
	"then":                  "write the condition as an x-kubernetes-validations rule",
	"else":                  "write the condition as an x-kubernetes-validations rule",
	"contains":              "write it as an x-kubernetes-validations rule",
	"minContains":           "write it as an x-kubernetes-validations rule",
	"maxContains":           "write it as an x-kubernetes-validations rule",
	"propertyNames":         "write it as an x-kubernetes-validations rule",
	"dependentRequired":     "write it as an x-kubernetes-validations rule",
	"dependentSchemas":      "write it as an x-kubernetes-validations rule",
	"prefixItems":           "a list has one schema for all its elements in Kubernetes: use items",
	"unevaluatedItems":      "Kubernetes ignores unevaluatedItems: remove it",
	"unevaluatedProperties": "Kubernetes ignores unevaluatedProperties: unknown fields are pruned anyway",
	"contentEncoding":       "write format: byte for base64",
	"contentMediaType":      "Kubernetes ignores contentMediaType: remove it",
	"$id":                   "Kubernetes ignores $id: remove it",
	"$anchor":               "Kubernetes ignores $anchor: remove it",
	"$comment":              "use a YAML comment or the description",
	"$defs":                 "structural schemas have no references: write the schema out where it is used",
	"components":            "structural schemas have no references: write the schema out where it is used",
}

// keywordHint says what to do about a keyword that Kubernetes does not have.
func keywordHint(key string) string {
	if hint, ok := foreignKeywords[key]; ok {
		return hint
	}
	if hint := didYouMean(key, suggested(&JSONSchema{})); hint != "" {
		return hint
	}
	if strings.HasPrefix(key, "x-") {
		return "Kubernetes drops extensions that are not its own"
	}
	return ""
}

// didYouMean names the one of known that key is a misspelling of, if any.
func didYouMean(key string, known []string) string {
	if best := spelling.Nearest(key, known); best != "" {
		return "did you mean " + best + "?"
	}
	return ""
}
