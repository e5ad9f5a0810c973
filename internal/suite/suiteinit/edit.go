package suiteinit

import (
	"math"
	"slices"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/suite/crdcover"
	"github.com/prune-gen/prune-gen/internal/suite/specimen"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// path returns steps of crdcover as a path. [] and [*] are names in it.
func path(steps []string) prunert.Path { return prunert.FieldPath(steps...) }

func extend(p prunert.Path, name string) prunert.Path {
	return append(p[:len(p):len(p)], prunert.Step{Name: name, Index: -1})
}

func (f *search) value(s *structural.Schema) any { return specimen.Value(s, f.rng.Uint64(), nil) }

// present returns v, or a value where there is none.
func (f *search) present(v any, s *structural.Schema) any {
	if v == nil {
		return f.value(s)
	}
	return v
}

// change changes an object towards a goal: so that it violates the constraint, or no longer violates one of the others.
func (f *search) change(obj map[string]any, g goal, got score) {
	number, at, isGoal := g.number, g.place, true
	if len(got.others) > 0 && (g.number == accepted || f.rng.IntN(4) > 0) {
		v := got.others[f.rng.IntN(len(got.others))]
		number, at, isGoal = v.Number, v.Path, false
	}
	edit := func(at prunert.Path, change func(any, *structural.Schema) any) {
		if len(at) > 0 && !structural.IsMetaField(at[0].Name) || len(at) > 1 && at[0].Name == "metadata" {
			specimen.Edit(f.rng, obj, f.schema, at, change)
		}
	}
	remove := func(any, *structural.Schema) any { return specimen.Gone{} }
	if number >= 0 && f.topics[number]() != nil {
		t := f.topics[number]()
		below := t.places[f.rng.IntN(len(t.places))]
		edit(slices.Concat(at, below), func(v any, s *structural.Schema) any { return f.another(v, s, t.aim) })
		return
	}
	switch {
	case isGoal && number == accepted:
	case isGoal && g.field != nil && (g.field[0].Name == "[]" || g.field[0].Name == "[*]"):
		edit(slices.Concat(at, g.field), func(any, *structural.Schema) any { return nil }) // which becomes the default
	case isGoal && g.field != nil:
		edit(slices.Concat(at, g.field), remove)
	case isGoal:
		name := f.all[number].Kind
		if name == crdcover.ListType {
			name = "x-kubernetes-list-type"
		}
		edit(at, func(v any, s *structural.Schema) any { return f.wrong(v, s, name) })
	case f.rng.IntN(6) == 0 && len(at) > 1:
		edit(at[:len(at)-1], remove)
	case f.rng.IntN(2) == 0:
		edit(at, remove)
	default:
		edit(at, func(_ any, s *structural.Schema) any { return f.value(s) })
	}
}

// wrong returns a value to try in place of v that violates a keyword.
func (f *search) wrong(v any, s *structural.Schema, keyword string) any {
	if f.rng.IntN(2) == 0 { // random values rarely violate these and nothing else
		switch {
		case keyword == "pattern" && s.ValueValidation != nil:
			return specimen.Beside(s.ValueValidation.Pattern, f.rng.Uint64())
		case keyword == "enum":
			return f.value(&structural.Schema{Generic: s.Generic})
		case keyword == "x-kubernetes-list-type" && s.Items != nil:
			e := f.value(s.Items)
			return []any{e, jsonvalue.Copy(e)}
		}
	}
	if wrong, ok := specimen.Violate(s, keyword, f.rng.Uint64()); ok {
		return wrong
	}
	return v
}

// another returns a value to try in place of v for a CEL rule.
func (f *search) another(v any, s *structural.Schema, aim *specimen.Aim) any {
	switch f.rng.IntN(6) {
	case 0, 1:
		return specimen.Gone{}
	case 2:
		return f.value(s)
	case 3:
		if wrong, ok := specimen.Violate(s, "", f.rng.Uint64()); ok {
			return wrong
		}
	}
	return specimen.Value(s, f.rng.Uint64(), aim)
}

// asWritten replaces whole floats in a value by integers and returns it: they become integers when they are written to a file and read
// again.
func asWritten(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			v[k] = asWritten(e)
		}
	case []any:
		for i, e := range v {
			v[i] = asWritten(e)
		}
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<63 {
			return int64(v)
		}
	}
	return v
}
