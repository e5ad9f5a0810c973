package structural

import (
	"math/rand"
	"reflect"
	"slices"
	"strconv"
	"testing"
)

// generator makes random schemas and objects. A few names for all of them make it likely that they meet.
type generator struct {
	*rand.Rand
}

func (g generator) chance(percent int) bool { return g.Intn(100) < percent }

func (g generator) name() string {
	names := []string{"a", "b", "c", "spec", "metadata", "kind", "apiVersion", "name", "labels", "", "x.y"}
	return names[g.Intn(len(names))]
}

// schema makes a schema of any form.
func (g generator) schema(depth int) *Schema {
	s := &Schema{ValueValidation: &ValueValidation{}}
	s.Type = []string{"object", "array", "string", "integer", ""}[g.Intn(5)]
	s.XPreserveUnknownFields = g.chance(20)
	s.XEmbeddedResource = g.chance(20)
	s.XIntOrString = g.chance(5)
	if depth == 0 {
		return s
	}
	if g.chance(60) {
		s.Properties = map[string]*Schema{}
		for range g.Intn(4) {
			s.Properties[g.name()] = g.schema(depth - 1)
		}
	}
	if g.chance(50) {
		s.Items = g.schema(depth - 1)
	}
	switch g.Intn(6) {
	case 0:
		s.AdditionalProperties = &SchemaOrBool{Schema: g.schema(depth - 1), Bool: true}
	case 1:
		s.AdditionalProperties = &SchemaOrBool{Bool: g.chance(50)}
	}
	return s
}

// structural makes a schema that is structural.
func (g generator) structural(depth int) *Schema {
	s := g.structuralBelow(depth)
	s.Type, s.AdditionalProperties, s.XIntOrString = "object", nil, false
	if !s.XEmbeddedResource {
		return s
	}
	s.XPreserveUnknownFields = true
	return s
}

func (g generator) structuralBelow(depth int) *Schema {
	s := &Schema{ValueValidation: &ValueValidation{}}
	if g.chance(20) {
		s.ValueValidation.Pattern = "a"
	}
	if g.chance(20) {
		s.ValueValidation.OneOf = []*NestedValueValidation{{ValueValidation: ValueValidation{Required: []string{"a"}}}}
	}
	kind := g.Intn(8)
	if depth == 0 {
		kind = min(kind, 2)
	}
	switch kind {
	case 0:
		s.Type = "string"
	case 1:
		s.XIntOrString = true
		if g.chance(50) {
			s.ValueValidation.AnyOf = []*NestedValueValidation{{ValueValidation: ValueValidation{Pattern: "b"}}}
		}
	case 2:
		s.XPreserveUnknownFields = true
	case 3:
		s.Type = "array"
		s.Items = g.structuralBelow(depth - 1)
	case 4:
		s.Type = "object"
		s.AdditionalProperties = &SchemaOrBool{Schema: g.structuralBelow(depth - 1), Bool: true}
	default:
		s.Type = "object"
		s.XPreserveUnknownFields = g.chance(30)
		s.Properties = map[string]*Schema{}
		for range 1 + g.Intn(4) {
			switch k := g.name(); k {
			case "apiVersion", "kind":
				s.Properties[k] = &Schema{Generic: Generic{Type: "string"}, ValueValidation: &ValueValidation{}}
			case "metadata":
				s.Properties[k] = &Schema{Generic: Generic{Type: "object"}, ValueValidation: &ValueValidation{}}
			default:
				s.Properties[k] = g.structuralBelow(depth - 1)
			}
		}
		s.XEmbeddedResource = g.chance(30)
		for range g.Intn(4) / 2 {
			s.XUnions = append(s.XUnions, Union{Discriminator: g.discriminator(s), Fields: map[string]string{g.name(): "A", g.name(): "B"}})
		}
	}
	return s
}

// discriminator returns a field that is a string, or one that is not specified.
func (g generator) discriminator(s *Schema) string {
	k := g.name()
	if p, ok := s.Properties[k]; k == "metadata" || ok && p.Type != "string" {
		return "type"
	}
	return k
}

// object makes an object that a schema knows in parts.
func (g generator) object(s *Schema, depth int) map[string]any {
	obj := map[string]any{}
	for k, p := range s.Properties {
		if g.chance(70) {
			obj[k] = g.value(p, depth-1)
		}
	}
	below := &Schema{}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		below = s.AdditionalProperties.Schema
	}
	for range g.Intn(4) {
		if k := g.name(); obj[k] == nil {
			obj[k] = g.value(below, depth-1)
		}
	}
	if g.chance(30) {
		obj["metadata"] = g.metadata()
	}
	return obj
}

func (g generator) metadata() map[string]any {
	all := map[string]any{
		"name": "s", "labels": map[string]any{"a": "b"}, "a": int64(1), "x.y": map[string]any{"b": nil},
		"ownerReferences": []any{map[string]any{"name": "s", "b": true}, nil},
		"managedFields":   []any{map[string]any{"fieldsV1": map[string]any{"a": map[string]any{}}, "c": "s"}},
	}
	for k := range all {
		if g.chance(60) {
			delete(all, k)
		}
	}
	return all
}

func (g generator) value(s *Schema, depth int) any {
	if depth <= 0 || g.chance(20) {
		return []any{nil, true, int64(1), 1.5, "s"}[g.Intn(5)]
	}
	if g.chance(70) {
		return g.object(s, depth)
	}
	items := s.Items
	if items == nil {
		items = &Schema{}
	}
	list := make([]any, g.Intn(3))
	for i := range list {
		list[i] = g.value(items, depth-1)
	}
	return list
}

// TestPruneReportsExactlyWhatItChanges checks on random schemas and objects that pruning twice is pruning once, that the
// report is empty exactly when nothing changed, and that what is reported, and only that, is gone.
func TestPruneReportsExactlyWhatItChanges(t *testing.T) {
	t.Parallel()
	g := generator{rand.New(rand.NewSource(1))}
	changed := 0
	for range 2000 {
		s := g.schema(4)
		for _, opts := range []PruneOptions{
			{}, {Semantics: KEP2332}, {PreserveUnknownFields: true}, {Semantics: KEP2332, PreserveUnknownFields: true},
		} {
			before := g.object(s, 5)
			obj := copyJSON(before).(map[string]any)
			dropped := Prune(obj, s, opts)
			same := reflect.DeepEqual(obj, before)
			if same != (len(dropped) == 0) {
				t.Fatalf("dropped %q from %s, which became %s", dropped, toJSON(t, before), toJSON(t, obj))
			}
			if !slices.IsSorted(dropped) {
				t.Fatalf("not sorted: %q", dropped)
			}
			if n := len(missing(before, obj)); n != len(dropped) {
				t.Fatalf("dropped %q, but %d fields are gone: %s became %s", dropped, n, toJSON(t, before), toJSON(t, obj))
			}
			if !same {
				changed++
			}
			once := copyJSON(obj)
			if again := Prune(obj, s, opts); again != nil || !reflect.DeepEqual(obj, once) {
				t.Fatalf("pruning again dropped %q", again)
			}
		}
	}
	if changed < 1000 {
		t.Errorf("only %d objects changed", changed)
	}
}

// missing returns the topmost fields that before has and after has not.
func missing(before, after any) []string {
	var out []string
	switch b := before.(type) {
	case map[string]any:
		a, ok := after.(map[string]any)
		if !ok {
			return []string{"replaced"}
		}
		for k, v := range b {
			if w, ok := a[k]; ok {
				out = append(out, missing(v, w)...)
			} else {
				out = append(out, k)
			}
		}
	case []any:
		a, ok := after.([]any)
		if !ok || len(a) != len(b) {
			return []string{"replaced"}
		}
		for i := range b {
			out = append(out, missing(b[i], a[i])...)
		}
	}
	return out
}

// TestPruneKeepsMoreInTheReadingOfKEP2332 compares the two readings where they can be compared: without lists, the
// document never drops what the API server keeps.
func TestPruneKeepsMoreInTheReadingOfKEP2332(t *testing.T) {
	g := generator{rand.New(rand.NewSource(2))}
	for range 2000 {
		s := g.schema(4)
		s.visit(func(s *Schema) { s.Items = nil })
		obj := g.object(s, 5)
		other := copyJSON(obj).(map[string]any)
		Prune(obj, s, PruneOptions{Semantics: KEP2332})
		Prune(other, s, PruneOptions{})
		Prune(obj, s, PruneOptions{})
		if !reflect.DeepEqual(obj, other) {
			t.Fatalf("%s and %s", toJSON(t, obj), toJSON(t, other))
		}
	}
}

// TestPruneGoesAsDeepAsDecodersDo prunes an object at the limit of nesting that JSON decoders have.
func TestPruneGoesAsDeepAsDecodersDo(t *testing.T) {
	s := &Schema{}
	s.Items = s
	s.AdditionalProperties = &SchemaOrBool{Schema: s, Bool: true}
	obj := map[string]any{}
	deepest := obj
	for i := range 10_000 {
		next := map[string]any{}
		deepest[strconv.Itoa(i%3)] = []any{next}
		deepest = next
	}
	if dropped := Prune(obj, s, PruneOptions{}); dropped != nil {
		t.Errorf("dropped %q", dropped)
	}
}
