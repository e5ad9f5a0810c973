package specimen

import (
	"math/rand/v2"
	"slices"

	"github.com/prune-gen/prune-gen/internal/base/sorted"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// At returns the schema of a place, nil for none. In paths, [] is an element of a list and [*] a value of a map.
func At(s *structural.Schema, p prunert.Path) *structural.Schema {
	for _, step := range p {
		switch {
		case s == nil:
			return nil
		case step.Index >= 0 || step.Name == "[]":
			s = s.Items
		default:
			s = s.Field(step.Name)
		}
	}
	return s
}

// Has reports whether an object has a value at a place.
func Has(v any, p prunert.Path) bool {
	if len(p) == 0 {
		return v != nil
	}
	switch v := v.(type) {
	case map[string]any:
		if p[0].Name != "[*]" {
			return Has(v[p[0].Name], p[1:])
		}
		for _, e := range v {
			if Has(e, p[1:]) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(e any) bool { return Has(e, p[1:]) })
	}
	return false
}

// Gone is the value of a removed field.
type Gone struct{}

// Edit returns v with another value at a place; maps change in place. Missing values on the way are created.
func Edit(rng *rand.Rand, v any, s *structural.Schema, p prunert.Path, change func(v any, s *structural.Schema) any) any {
	if s == nil {
		s = Text
	}
	if len(p) == 0 {
		return change(v, s)
	}
	step := p[0]
	if step.Index >= 0 || step.Name == "[]" {
		list, ok := v.([]any)
		if !ok {
			list, _ = Value(s, rng.Uint64(), nil).([]any)
		}
		if len(list) == 0 {
			list = []any{Value(s.Items, rng.Uint64(), nil)}
		}
		i := step.Index
		if i < 0 || i >= len(list) {
			i = rng.IntN(len(list))
		}
		if list[i] = Edit(rng, list[i], s.Items, p[1:], change); list[i] == (Gone{}) {
			list = slices.Delete(list, i, i+1)
		}
		return list
	}
	m, ok := v.(map[string]any)
	if !ok {
		if m, ok = Value(s, rng.Uint64(), nil).(map[string]any); !ok {
			m = map[string]any{}
		}
	}
	key := step.Name
	if key == "[*]" {
		key = "key"
		if keys := sorted.Keys(m); len(keys) > 0 {
			key = keys[rng.IntN(len(keys))]
		}
	}
	if m[key] = Edit(rng, m[key], s.Field(key), p[1:], change); m[key] == (Gone{}) {
		delete(m, key)
	}
	return m
}

// Text is the schema of the names in metadata, which have none of their own.
var Text = &structural.Schema{Generic: structural.Generic{Type: "string"}}
