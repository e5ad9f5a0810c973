package structuraltest

import (
	"math/rand"

	"github.com/prune-gen/prune-gen/structural"
)

// Random makes random schemas and objects. A few names for all of them make it likely that they meet.
type Random struct {
	*rand.Rand
}

func (g Random) chance(percent int) bool { return g.Intn(100) < percent }

func (g Random) name() string {
	names := []string{"a", "b", "c", "spec", "metadata", "kind", "apiVersion", "name", "labels", "", "x.y"}
	return names[g.Intn(len(names))]
}

// Schema makes a schema of any form.
func (g Random) Schema(depth int) *structural.Schema {
	s := &structural.Schema{ValueValidation: &structural.ValueValidation{}}
	s.Type = []string{"object", "array", "string", "integer", ""}[g.Intn(5)]
	s.XPreserveUnknownFields = g.chance(20)
	s.XEmbeddedResource = g.chance(20)
	s.XIntOrString = g.chance(5)
	if depth == 0 {
		return s
	}
	if g.chance(60) {
		s.Properties = map[string]*structural.Schema{}
		for range g.Intn(4) {
			s.Properties[g.name()] = g.Schema(depth - 1)
		}
	}
	if g.chance(50) {
		s.Items = g.Schema(depth - 1)
	}
	switch g.Intn(6) {
	case 0:
		s.AdditionalProperties = &structural.SchemaOrBool{Schema: g.Schema(depth - 1), Bool: true}
	case 1:
		s.AdditionalProperties = &structural.SchemaOrBool{Bool: g.chance(50)}
	}
	return s
}

// Structural makes a schema that is structural.
func (g Random) Structural(depth int) *structural.Schema {
	s := g.structuralBelow(depth)
	s.Type, s.AdditionalProperties, s.XIntOrString = "object", nil, false
	if !s.XEmbeddedResource {
		return s
	}
	s.XPreserveUnknownFields = true
	return s
}

func (g Random) structuralBelow(depth int) *structural.Schema {
	s := &structural.Schema{ValueValidation: &structural.ValueValidation{}}
	if g.chance(20) {
		s.ValueValidation.Pattern = "a"
	}
	if g.chance(20) {
		s.ValueValidation.OneOf = []*structural.NestedValueValidation{{ValueValidation: structural.ValueValidation{Required: []string{"a"}}}}
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
			s.ValueValidation.AnyOf = []*structural.NestedValueValidation{{ValueValidation: structural.ValueValidation{Pattern: "b"}}}
		}
	case 2:
		s.XPreserveUnknownFields = true
	case 3:
		s.Type = "array"
		s.Items = g.structuralBelow(depth - 1)
	case 4:
		s.Type = "object"
		s.AdditionalProperties = &structural.SchemaOrBool{Schema: g.structuralBelow(depth - 1), Bool: true}
	default:
		s.Type = "object"
		s.XPreserveUnknownFields = g.chance(30)
		s.Properties = map[string]*structural.Schema{}
		for range 1 + g.Intn(4) {
			switch k := g.name(); k {
			case "apiVersion", "kind":
				s.Properties[k] = &structural.Schema{Generic: structural.Generic{Type: "string"}, ValueValidation: &structural.ValueValidation{}}
			case "metadata":
				s.Properties[k] = &structural.Schema{Generic: structural.Generic{Type: "object"}, ValueValidation: &structural.ValueValidation{}}
			default:
				s.Properties[k] = g.structuralBelow(depth - 1)
			}
		}
		s.XEmbeddedResource = g.chance(30)
		for range g.Intn(4) / 2 {
			s.XUnions = append(s.XUnions, structural.Union{Discriminator: g.discriminator(s), Fields: map[string]string{g.name(): "A", g.name(): "B"}})
		}
	}
	return s
}

// discriminator returns a field that is a string, or one that is not specified.
func (g Random) discriminator(s *structural.Schema) string {
	k := g.name()
	if p, ok := s.Properties[k]; k == "metadata" || ok && p.Type != "string" {
		return "type"
	}
	return k
}

// Object makes an object that a schema knows in parts.
func (g Random) Object(s *structural.Schema, depth int) map[string]any {
	obj := map[string]any{}
	for k, p := range s.Properties {
		if g.chance(70) {
			obj[k] = g.value(p, depth-1)
		}
	}
	below := &structural.Schema{}
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

func (g Random) metadata() map[string]any {
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

func (g Random) value(s *structural.Schema, depth int) any {
	if depth <= 0 || g.chance(20) {
		return []any{nil, true, int64(1), 1.5, "s"}[g.Intn(5)]
	}
	if g.chance(70) {
		return g.Object(s, depth)
	}
	items := s.Items
	if items == nil {
		items = &structural.Schema{}
	}
	list := make([]any, g.Intn(3))
	for i := range list {
		list[i] = g.value(items, depth-1)
	}
	return list
}
