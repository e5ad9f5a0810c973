package crdjudge

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/crddiff"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/base/sorted"
	"github.com/prune-gen/prune-gen/internal/suite/specimen"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
	prunert "github.com/prune-gen/prune-gen/runtime"
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
		s := &searcher{old: old, new: new, path: prunert.FieldPath(path...), mutator: mutator{Rand: rand.New(rand.NewPCG(seed, 52+round))}, worst: worst}
		s.search()
		worst, n, reached = s.worst, n+s.n, reached || s.reached
	}
	return worst, n, reached
}

// searcher looks for an object that a change breaks.
type searcher struct {
	mutator
	old, new *Side
	path     prunert.Path
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
		s.reached = s.reached || specimen.Has(m.stored, s.path)
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
		to := jsonvalue.Copy(obj)
		s.put(to, s.old, choose(&s.mutator, s.extreme, s.other))
		s.found(judgeUpdate(s.old, s.new, m, Named(to)))
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

// put changes the value at the path, or a field of it.
func (s *searcher) put(obj object, of *Side, change func(any, *structural.Schema) any) {
	at := s.path
	if schema := specimen.At(of.schema, at); schema != nil && len(schema.Properties) > 0 && (len(at) == 0 || s.oneIn(2)) {
		at = slices.Concat(at, prunert.FieldPath(choose(&s.mutator, sorted.Keys(schema.Properties)...)))
	}
	if len(at) > 0 {
		specimen.Edit(s.Rand, obj, of.schema, at, change)
	}
}

// extreme returns a value at the end of a type, null or nothing.
func (s *searcher) extreme(_ any, schema *structural.Schema) any {
	ends := []any{nil, nil}
	switch schema.Type {
	case "integer", "number":
		ends = append(ends, int64(math.MaxInt64), int64(math.MinInt64), int64(0), int64(1))
	case "string":
		ends = append(ends, "", "a", "x", "+/+/")
	case "array":
		ends = append(ends, []any{}, []any{})
	}
	return choose(&s.mutator, append(ends, specimen.Gone{})...)
}

// other returns a value for a schema, or one that violates a keyword of it.
func (s *searcher) other(_ any, schema *structural.Schema) any {
	if v, ok := specimen.Violate(schema, "", s.Uint64()); ok && s.oneIn(2) {
		return v
	}
	return specimen.Value(schema, s.Uint64(), s.aim(s.old))
}

// canBeShown reports whether an object can show that changes break at a level: none shows what server-side apply does, nor what becomes of
// requests to subresources.
func canBeShown(level crddiff.Level, changes []crddiff.Change) bool {
	return slices.ContainsFunc(changes, func(c crddiff.Change) bool {
		return c.Level == level && c.ID != "diff/map-type" && !strings.HasPrefix(c.Why, "server-side apply") && !(c.ID == "diff/subresource" && level < crddiff.Stored) &&
			!strings.Contains(c.Why, "may cost more") // as no object does that is small
	})
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
				if i%2 > 0 {
					m.put(obj, s, m.extreme)
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
	aim := &specimen.Aim{Fields: map[string]bool{}, Integers: []int64{0, 1, 2, 3}, Texts: []string{"a", "ab", "abc", "x", "", "50%", "1h"}}
	for i := range len(m.path) + 1 {
		s := specimen.At(s.schema, m.path[:i])
		if s == nil {
			break
		}
		aim.Path = append(aim.Path, s)
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
