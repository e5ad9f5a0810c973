package suiteinit

import (
	"bytes"
	"cmp"
	"errors"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"sigs.k8s.io/yaml"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/base/sorted"
	"github.com/prune-gen/prune-gen/internal/suite"
	"github.com/prune-gen/prune-gen/internal/suite/crdcover"
	"github.com/prune-gen/prune-gen/internal/suite/specimen"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/structural"
)

// tries is how many cases are made for a constraint until one shows it, repairs how often values that violate others are removed from one,
// shrinkTries how many cases are tried to make it smaller.
const tries, repairs, shrinkTries = 200, 10, 400

// mostBytes is how large an object of a case may be, mostWork how large all objects together may be that are made for a constraint.
const mostBytes, mostWork = 32 << 10, 512 << 10

// finder finds cases for the constraints of a version. It may be used by several goroutines at once.
type finder struct {
	variant  *suite.Variant
	resource prunert.Resource
	kind     *crdcover.Kind
	schema   *structural.Schema
	all      []crdcover.Constraint
	minimal  map[string]any
}

func newFinder(v *suite.Variant, r prunert.Resource) (*finder, error) {
	kind, err := crdcover.New(v.CRD, r)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(v.CRD.Versions, func(of *structural.Version) bool { return of.Name == r.Version })
	f := &finder{variant: v, resource: r, kind: kind, all: kind.Constraints(), schema: v.CRD.Structural(v.CRD.Versions[i])}
	if f.schema == nil {
		f.schema = &structural.Schema{}
	}
	refused := func(obj map[string]any) *prunert.Refusal {
		last, _ := f.run(testCase{initial: asWritten(obj).(map[string]any)})
		if last.Answer.Object == nil && last.Answer.Refusal == nil {
			return &prunert.Refusal{} // it has another kind
		}
		return last.Answer.Refusal
	}
	// Metadata is empty, unless the schema wants a name.
	opts := specimen.Options{Size: 200, APIVersion: r.APIVersion(), Kind: r.Kind}
	obj, ok := specimen.Valid(f.schema, 1, opts, func(obj map[string]any) *prunert.Refusal {
		obj["metadata"] = map[string]any{}
		return refused(obj)
	})
	if !ok { // or a CEL rule is rarely satisfied by chance
		opts.Aim = &specimen.Aim{Path: []*structural.Schema{f.schema}, Fields: map[string]bool{}}
		for number := range f.all {
			f.addTo(opts.Aim, number)
		}
		names := uint64(0)
		obj, ok = specimen.Valid(f.schema, 1, opts, func(obj map[string]any) *prunert.Refusal {
			if metadata, _ := obj["metadata"].(map[string]any); len(metadata) != 1 {
				names++
				obj["metadata"] = map[string]any{"name": specimen.Value(cmp.Or(specimen.At(f.schema, prunert.FieldPath("metadata", "name")), specimen.Text), names, opts.Aim)}
			}
			return refused(obj)
		})
	}
	if !ok {
		return nil, errors.New("no accepted object was found")
	}
	f.minimal = specimen.Shrink(obj, shrinkTries, func(obj map[string]any) bool { return refused(obj) == nil })
	return f, nil
}

// run runs a case, and returns its last request.
func (f *finder) run(c testCase) (last suite.Request, run *suite.Run) {
	of := &suite.Case{Initial: suite.NewObject(c.initial), ExpectedError: "-", ExpectedStatusError: "-"}
	if c.updated != nil {
		of.Updated = suite.NewObject(c.updated)
	}
	run = &suite.Run{Suite: &suite.Suite{CRDName: f.variant.Name, Version: f.resource.Version}, Case: of, Variant: f.variant}
	run.Do(func(r suite.Request) { last = r })
	return last, run
}

// seen returns what the last request of a case shows, nil if an earlier request was refused.
func (f *finder) seen(c testCase) []crdcover.Violation {
	last, run := f.run(c)
	if run.Stored == nil && run.Refusal == "" {
		return nil
	}
	return f.kind.Try(last.Sent, last.Old, last.Request).Violations
}

// find returns a case for a constraint, or why there is none.
func (f *finder) find(number int) (found *testCase, why string) {
	c, rule, place := f.all[number], f.kind.Rule(number), prunert.FieldPath(f.all[number].Steps()...)
	switch s := specimen.At(f.schema, place); {
	case len(place) == 0 && (c.Kind == crdcover.Required || c.Kind == crdcover.Default):
		return nil, "an object always has a value there"
	case c.Kind == crdcover.Required && s != nil && s.Default != nil:
		return nil, "a default fills it in"
	}
	inStatus := f.resource.Status && len(place) > 0 && place[0].Name == "status"
	creates := !inStatus && (rule == nil || !rule.UsesOld || rule.OptionalOld)
	updates := inStatus || rule != nil && (rule.UsesOld || f.resource.Status && len(place) == 0)
	// What is found for a constraint does not depend on others.
	seed := fnv.New64a()
	seed.Write([]byte(c.Title()))
	m := &maker{f, rand.New(rand.NewPCG(1, seed.Sum64())), &specimen.Aim{Fields: map[string]bool{}}}
	if !f.addTo(m.aim, number) {
		m.aim = nil
	}
	gone := any(specimen.Gone{})
	if last := place[max(len(place)-1, 0):]; c.Kind == crdcover.Default && (last[0].Name == "[]" || last[0].Name == "[*]") {
		gone = nil // which becomes the default
	}
	why = "no object was found that violates it"
	for n, work := 0, 0; n < tries && work < mostWork; n++ {
		obj := jsonvalue.Copy(f.minimal)
		of := testCase{initial: obj}
		if updates && (!creates || n%2 == 1) {
			if rule != nil && rule.UsesOld && n%3 > 0 {
				m.edit(obj, place, m.other)
			}
			obj = jsonvalue.Copy(obj)
			of.updated = obj
		}
		m.edit(obj, place, func(v any, s *structural.Schema) any {
			if c.Kind == crdcover.Required || c.Kind == crdcover.Default {
				return gone
			}
			return m.wrong(v, s, c.Kind)
		})
		if asWritten(obj); of.updated != nil {
			asWritten(of.initial)
		}
		size := jsonvalue.Size(obj)
		if work += size; size > mostBytes {
			continue
		}
		shown, beside := f.repair(number, of)
		switch initial, last := legible(of.initial), legible(obj); {
		case shown && initial != nil && last != nil && (n > tries/2 || isPlain(initial) && isPlain(last)):
			return f.small(number, of), ""
		case beside >= 0:
			why = "it was violated only together with others, such as " + f.all[beside].Title()
		}
	}
	return nil, why
}

// repair removes values that violate other constraints from the last object of a case, until it shows the one that is wanted and nothing else. It
// returns another constraint that was violated with it, -1 for none.
func (f *finder) repair(number int, c testCase) (shown bool, beside int) {
	beside = -1
	obj := c.initial
	if c.updated != nil {
		obj = c.updated
	}
	for range repairs {
		seen := f.seen(c)
		if f.shows(number, seen) {
			return true, beside
		}
		var others prunert.ErrorList
		for _, v := range seen {
			if v.Number != number {
				others = append(others, &prunert.Error{Path: v.Path})
				if slices.ContainsFunc(seen, func(v crdcover.Violation) bool { return v.Number == number }) {
					beside = v.Number
				}
			}
		}
		if !specimen.TakeOut(obj, others) {
			break
		}
	}
	return false, beside
}

// shows reports whether a constraint is violated, and no other. A default may be applied together with others.
func (f *finder) shows(number int, seen []crdcover.Violation) bool {
	is := func(v crdcover.Violation) bool { return v.Number == number }
	isOther := func(v crdcover.Violation) bool { return v.Number != number }
	return slices.ContainsFunc(seen, is) && (f.all[number].Kind == crdcover.Default || !slices.ContainsFunc(seen, isOther))
}

// small returns a smaller case that shows the same.
func (f *finder) small(number int, c testCase) *testCase {
	whole := map[string]any{"initial": c.initial}
	if c.updated != nil {
		whole["updated"] = c.updated
	}
	of := func(whole map[string]any) (testCase, bool) {
		initial, ok := whole["initial"].(map[string]any)
		updated, isUpdate := whole["updated"].(map[string]any)
		return testCase{initial: initial, updated: updated}, ok && isUpdate == (c.updated != nil)
	}
	whole = specimen.Shrink(whole, shrinkTries, func(whole map[string]any) bool {
		c, ok := of(whole)
		return ok && legible(c.initial) != nil && (c.updated == nil || legible(c.updated) != nil) && f.shows(number, f.seen(c))
	})
	c, _ = of(whole)
	return &c
}

// addTo adds what a CEL rule or a junctor is about. It reports false for other constraints, which are about their value alone.
func (f *finder) addTo(aim *specimen.Aim, number int) bool {
	c := f.all[number]
	if r := f.kind.Rule(number); r != nil {
		if e, err := prunecel.ParseExpr(r.Program); err == nil {
			aim.Read(e)
		}
		return true
	}
	s := specimen.At(f.schema, prunert.FieldPath(c.Steps()...))
	if s == nil || s.ValueValidation == nil || !slices.Contains([]string{"allOf", "anyOf", "oneOf", "not"}, c.Kind) {
		return false
	}
	v := s.ValueValidation
	for _, n := range slices.Concat(v.AllOf, v.AnyOf, v.OneOf, []*structural.NestedValueValidation{v.Not}) {
		named(aim.Fields, n)
	}
	return true
}

// named adds the names of fields that a junctor is about.
func named(fields map[string]bool, n *structural.NestedValueValidation) {
	if n == nil {
		return
	}
	for _, name := range n.Required {
		fields[name] = true
	}
	for name, below := range n.Properties {
		fields[name] = true
		named(fields, below)
	}
	named(fields, n.Items)
	for _, below := range slices.Concat(n.AllOf, n.AnyOf, n.OneOf, []*structural.NestedValueValidation{n.Not}) {
		named(fields, below)
	}
}

// maker makes values for one constraint. aim is nil if that is about its value alone.
type maker struct {
	*finder
	rng *rand.Rand
	aim *specimen.Aim
}

// edit changes the value at a place of an object. Of the object itself, some fields change.
func (m *maker) edit(obj map[string]any, place prunert.Path, change func(any, *structural.Schema) any) {
	if len(place) > 0 {
		specimen.Edit(m.rng, obj, m.schema, place, change)
		return
	}
	for _, name := range sorted.Keys(m.schema.Properties) {
		if !structural.IsMetaField(name) && m.rng.IntN(3) > 0 {
			specimen.Edit(m.rng, obj, m.schema, prunert.FieldPath(name), change)
		}
	}
	if m.aim != nil && m.aim.Fields["metadata"] && m.rng.IntN(3) > 0 {
		specimen.Edit(m.rng, obj, m.schema, prunert.FieldPath("metadata", "name"), change)
	}
}

// wrong returns a value to try in place of v that violates a constraint.
func (m *maker) wrong(v any, s *structural.Schema, constraint string) any {
	seed := m.rng.Uint64()
	switch {
	case m.aim != nil:
		if wrong, ok := specimen.Violate(s, "", seed); ok && m.rng.IntN(4) == 0 {
			return wrong
		}
		return m.other(v, s)
	case constraint == crdcover.ListType:
		constraint = "x-kubernetes-list-type"
	}
	if m.rng.IntN(2) == 0 { // random values rarely violate these and nothing else
		switch {
		case constraint == "pattern" && s.ValueValidation != nil:
			return specimen.Beside(s.ValueValidation.Pattern, seed)
		case constraint == "enum":
			return specimen.Value(&structural.Schema{Generic: s.Generic}, seed, nil)
		case constraint == "x-kubernetes-list-type" && s.Items != nil:
			e := specimen.Value(s.Items, seed, nil)
			return []any{e, jsonvalue.Copy(e)}
		}
	}
	if wrong, ok := specimen.Violate(s, constraint, seed); ok {
		return wrong
	}
	return v
}

// other returns another value for a rule: often v with other values in the fields that the rule is about.
func (m *maker) other(v any, s *structural.Schema) any {
	switch m.rng.IntN(4) {
	case 0:
		return specimen.Gone{}
	case 1:
		return specimen.Value(s, m.rng.Uint64(), m.aim)
	}
	if v == nil {
		v = specimen.Value(s, m.rng.Uint64(), nil)
	}
	return m.blend(v, specimen.Value(s, m.rng.Uint64(), m.aim))
}

// blend returns v with the fields of made that the rule is about.
func (m *maker) blend(v, made any) any {
	of, ok := v.(map[string]any)
	from, both := made.(map[string]any)
	if !ok || !both {
		return made
	}
	for _, name := range sorted.Keys(m.aim.Fields) {
		if e, ok := from[name]; ok {
			of[name] = m.blend(of[name], e)
		} else {
			delete(of, name)
		}
	}
	return of
}

// legible returns an object as the text of a case, nil if nobody could read it. Nor could a program read empty lines at its end: the text
// of a case does not have them.
func legible(obj map[string]any) []byte {
	text, err := yaml.Marshal(obj)
	if err != nil || len(text) > mostBytes || bytes.HasSuffix(text, []byte("\n\n")) ||
		bytes.ContainsFunc(text, func(r rune) bool { return r != '\n' && !strconv.IsPrint(r) }) {
		return nil
	}
	return text
}

// isPlain reports whether a text has no letters but those of every keyboard.
func isPlain(text []byte) bool {
	return !bytes.ContainsFunc(text, func(r rune) bool { return r > '~' }) && !bytes.Contains(text, []byte(`\`))
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
