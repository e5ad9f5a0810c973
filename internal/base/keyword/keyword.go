// Package keyword reads the tags of the structs whose fields are the keywords of a schema: structural.JSONSchema, and the objects in it.
package keyword

import (
	"iter"
	"reflect"
	"strings"
	"sync"
)

// Keyword is a field of an object in a schema, of the schema itself in most cases, as the tag of its Go field describes it.
type Keyword struct {
	Name           string
	Field          string // in Go
	Index          int    // of the field
	InSchema       int    // the index of the field where JSONSchema has it
	Unsupported    bool   // the conversion to a structural schema refuses it
	InJunctor      string // what it must be below allOf, anyOf, oneOf and not
	NeedsStructure bool   // a v1beta1 CRD that uses it must have structural schemas
	NotKubernetes  bool   // only a KEP has it
	BesideStatus   bool   // the root may have it where the status is a subresource
	// Of are the types of the values that it restricts by itself, any for all types. It is empty for keywords that do not, or that a rule of
	// its own describes.
	Of []string
}

// tables has the keywords of the types that were asked for.
var tables sync.Map // from reflect.Type to []Keyword

// Of returns the keywords of a struct, in the order of its fields. It panics for a struct whose fields are not keywords.
func Of(t reflect.Type) []Keyword {
	if all, ok := tables.Load(t); ok {
		return all.([]Keyword)
	}
	all := make([]Keyword, t.NumField())
	for i := range all {
		all[i] = parse(t.Field(i), i)
	}
	tables.Store(t, all)
	return all
}

func parse(f reflect.StructField, index int) Keyword {
	name, options, _ := strings.Cut(f.Tag.Get("key"), ",")
	if name == "" {
		panic("field " + f.Name + " has no key")
	}
	k := Keyword{Name: name, Field: f.Name, Index: index, InSchema: index}
	for option := range strings.SplitSeq(options, ",") {
		must, inJunctor := strings.CutPrefix(option, "in junctor=")
		of, restricts := strings.CutPrefix(option, "of ")
		switch {
		case inJunctor:
			k.InJunctor = must
		case option == "unsupported":
			k.Unsupported = true
		case option == "needs structure":
			k.NeedsStructure = true
		case option == "not in Kubernetes":
			k.NotKubernetes = true
		case option == "beside status":
			k.BesideStatus = true
		case restricts:
			k.Of = append(k.Of, of)
		case option != "":
			panic("keyword " + name + " has the option " + option)
		}
	}
	return k
}

// All yields the keywords of the struct that p points to, with their values.
func All(p any) iter.Seq2[*Keyword, reflect.Value] {
	v := reflect.ValueOf(p).Elem()
	return In(Of(v.Type()), v)
}

// In yields keywords with their values in the struct v.
func In(all []Keyword, v reflect.Value) iter.Seq2[*Keyword, reflect.Value] {
	return func(yield func(*Keyword, reflect.Value) bool) {
		for i := range all {
			if !yield(&all[i], v.Field(all[i].Index)) {
				return
			}
		}
	}
}

// Find returns the value of the keyword of that name in the struct that p points to. It is not valid if the struct has no such keyword.
func Find(p any, name string) reflect.Value {
	if name == "x-kubernetes-no-pruning" || name == "x-no-pruning" {
		name = "x-kubernetes-no-prune" // KEP-24 has all three spellings
	}
	for k, v := range All(p) {
		if k.Name == name {
			return v
		}
	}
	return reflect.Value{}
}
