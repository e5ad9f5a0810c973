package crdjudge

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/crddiff"
	"github.com/prune-gen/prune-gen/internal/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/specimen"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/structural"
)

// rounds is how often objects are made for a pair of CRDs that is said to break somebody, as long as none shows it.
const rounds = 8

// search returns the worst that objects show about a change at a path of the schema, which is said to break some, and how many objects it
// has tried.
func search(old, new *Side, path []string, seed uint64, said crddiff.Level) (worst Shown, n int, reached bool) {
	for round := range uint64(rounds) {
		if round > 0 && worst.Level >= said {
			break
		}
		s := &searcher{old: old, new: new, path: path, mutator: mutator{Rand: rand.New(rand.NewPCG(seed, 52+round))}, worst: worst}
		s.search()
		worst, n, reached = s.worst, n+s.n, reached || s.reached
	}
	return worst, n, reached
}

// searcher looks for an object that a change breaks.
type searcher struct {
	mutator
	old, new *Side
	path     []string
	worst    Shown
	n        int
	reached  bool // an object that was accepted has a value at the path
}

func (s *searcher) found(shown Shown) {
	if shown.Level > s.worst.Level {
		s.worst = shown
	}
}

func (s *searcher) search() {
	var last *made // that was accepted
	for _, obj := range s.objects() {
		if s.n++; s.worst.Level == crddiff.Stored {
			break
		}
		Named(obj)
		m := s.repair(obj)
		if m == nil {
			continue
		}
		s.reached = s.reached || hasAt(m.stored, s.path)
		if s.worst.Level >= crddiff.Requests {
			continue
		}
		if metadata, _ := obj["metadata"].(object); metadata["name"] == "a" {
			if last != nil {
				s.found(judgeUpdate(s.old, s.new, last, obj))
			}
			last = m
		}
		s.found(judgeUpdate(s.old, s.new, m, specimentest.Change{Seed: s.Uint64(), OneIn: 3}.Of(obj)))
		if to := jsonvalue.Copy(obj); len(s.path) > 0 && s.replaceAt(to, s.old.schema, s.path, s.value()) {
			s.found(judgeUpdate(s.old, s.new, m, to))
		}
	}
}

// repair takes out of an object what it is refused for. It returns what becomes of it then, nil if it is still refused. All are judged
// on the way.
func (s *searcher) repair(obj object) *made {
	for range 5 {
		m := s.old.made(obj)
		s.found(judge(s.old, s.new, m, s.worst.Level))
		if m.refused == nil {
			return m
		}
		if !specimen.TakeOut(obj, m.refused.Errors) {
			return nil
		}
	}
	return nil
}

// value returns a value for the old schema at the path, or one that violates a keyword of it.
func (s *searcher) value() any {
	aim := s.aim(s.old)
	at := aim.Path[len(aim.Path)-1]
	if v, ok := specimen.Violate(at, "", s.Uint64()); ok && s.oneIn(2) {
		return v
	}
	return specimen.Value(at, s.Uint64(), aim)
}

// replaceAt puts another value in the place of one at a path. It reports whether there was one.
func (s *searcher) replaceAt(v any, in *structural.Schema, path []string, by any) bool {
	var below any
	var put func(any)
	switch v := v.(type) {
	case object:
		k := path[0]
		if k == stepValues && len(v) > 0 {
			k = choose(&s.mutator, slices.Sorted(maps.Keys(v))...)
		}
		below, put = v[k], func(e any) { v[k] = e }
	case []any:
		if len(v) == 0 {
			return false
		}
		i := s.IntN(len(v))
		below, put = v[i], func(e any) { v[i] = e }
	}
	schemas := schemasAt(in, path[:1])
	if below == nil || len(schemas) < 2 {
		return false
	}
	if len(path) > 1 {
		return s.replaceAt(below, schemas[1], path[1:], by)
	}
	put(by)
	return true
}

// canBeShown reports whether an object can show that changes break at a level: none shows what server-side apply does, nor what becomes of
// requests to subresources.
func canBeShown(level crddiff.Level, changes []crddiff.Change) bool {
	return slices.ContainsFunc(changes, func(c crddiff.Change) bool {
		return c.Level == level && c.Rule != "diff/map-type" && !strings.HasPrefix(c.Why, "server-side apply") && !(c.Rule == "diff/subresource" && level < crddiff.Stored) &&
			!strings.Contains(c.Why, "may cost more") // as no object does that is small
	})
}

// hasAt reports whether a value is at a path.
func hasAt(v any, path []string) bool {
	if len(path) == 0 {
		return true
	}
	switch v := v.(type) {
	case object:
		if path[0] == stepValues {
			for _, e := range v {
				if hasAt(e, path[1:]) {
					return true
				}
			}
			return false
		}
		e, ok := v[path[0]]
		return ok && hasAt(e, path[1:])
	case []any:
		return path[0] == stepItems && slices.ContainsFunc(v, func(e any) bool { return hasAt(e, path[1:]) })
	}
	return false
}

// objects returns objects for the sake of the schema at the path: around the bounds of keywords there, aimed at its rules, with many fields and
// with flaws.
func (m *searcher) objects() []object {
	all := []object{{}, {"spec": object{}, "status": object{}}}
	for _, s := range []*Side{m.old, m.new} {
		aim := m.aim(s)
		v := specimen.NewViolations(s.schema)
		for n := range aim.Path[max(len(aim.Path)-2, 0):] { // what is around it, and it
			of := v.Of(aim.Path[len(aim.Path)-1-n])
			for i := range 10 - 6*n {
				var obj object
				if len(of) > 0 && i%3 > 0 {
					obj = v.Make(choose(&m.mutator, of...), m.Uint64())
				} else {
					obj = specimen.Make(s.schema, m.Uint64(), specimen.Options{Aim: aim})
				}
				if len(m.path) > 0 && i%3 == 2 {
					m.replaceAt(obj, s.schema, m.path, choose[any](&m.mutator, nil, nil, int64(math.MaxInt64), "a", "+/+/"))
				}
				all = append(all, obj)
			}
		}
		for k, flaws := range []specimentest.Flaw{specimentest.None, specimentest.Null | specimentest.Unknown, specimentest.WrongType | specimentest.Null, specimentest.WrongType} {
			all = append(all, specimentest.Make(s.schema, m.Uint64(), specimentest.Options{Size: 200, Aim: aim, Flaws: flaws, Rate: 0.1 * float64(k)}))
		}
		for range min(v.Keywords(), 3) {
			all = append(all, v.Make(m.IntN(v.Keywords()), m.Uint64()))
		}
	}
	return all
}

// aim returns what objects are made for: a value at the path.
func (m *searcher) aim(s *Side) *specimen.Aim {
	aim := &specimen.Aim{Path: schemasAt(s.schema, m.path), Fields: map[string]bool{}, Integers: []int64{0, 1, 2, 3}, Texts: []string{"a", "ab", "abc", "x", "", "50%", "1h"}}
	for _, s := range aim.Path {
		for k := range s.Properties {
			aim.Fields[k] = true
		}
		for _, r := range s.XValidations {
			if e, err := prunecel.ParseExpr(r.Rule); err == nil {
				aim.Read(e)
			}
		}
	}
	return aim
}

// schemasAt returns the schemas that a path leads through, as far as it does.
func schemasAt(s *structural.Schema, path []string) []*structural.Schema {
	all := []*structural.Schema{s}
	for _, step := range path {
		switch step {
		case stepItems:
			s = s.Items
		case stepValues:
			if s.AdditionalProperties == nil {
				return all
			}
			s = s.AdditionalProperties.Schema
		default:
			s = s.Properties[step]
		}
		if s == nil {
			return all
		}
		all = append(all, s)
	}
	return all
}
