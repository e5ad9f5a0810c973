package crdjudge

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/crddiff"
	"github.com/prune-gen/prune-gen/internal/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/specimen"
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
		if to := jsonvalue.Copy(obj); len(s.path) > 0 {
			s.put(to, s.old, s.value())
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

// put puts a value at the path.
func (s *searcher) put(obj object, of *Side, v any) {
	specimen.Edit(s.Rand, obj, of.schema, s.path, func(any, *structural.Schema) any { return v })
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

// canBeShown reports whether an object can show that changes break at a level: none shows what server-side apply does, nor what becomes of
// requests to subresources.
func canBeShown(level crddiff.Level, changes []crddiff.Change) bool {
	return slices.ContainsFunc(changes, func(c crddiff.Change) bool {
		return c.Level == level && c.Rule != "diff/map-type" && !strings.HasPrefix(c.Why, "server-side apply") && !(c.Rule == "diff/subresource" && level < crddiff.Stored) &&
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
				if len(m.path) > 0 && i%3 == 2 {
					m.put(obj, s, choose[any](&m.mutator, nil, nil, int64(math.MaxInt64), "a", "+/+/"))
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
