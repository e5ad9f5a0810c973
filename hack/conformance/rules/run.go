package rules

import (
	"math/rand/v2"

	"github.com/prune-gen/prune-gen/hack/conformance/compare"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/suite/specimen"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
)

// Options says how much is compared.
type Options struct {
	Seed uint64
	// Attempts is how many objects are made for each rule; Most is how many, at most, as long as the rule has not been false.
	Attempts, Most int
}

// Kinds of requests, and what else is compared.
const (
	Create = iota
	Update
	Status

	kinds

	generated = kinds     // generated code, with the table: errors and warnings
	compiled  = kinds + 1 // each compiled rule, with its program: the verdict, and the cost as a bound
)

// Tallies are what came of all comparisons.
type Tallies [kinds + 2]*compare.Tally

// NewTallies returns tallies with nothing in them.
func NewTallies() Tallies {
	tally := func(name, what string) *compare.Tally { return &compare.Tally{Name: "rules, " + name, What: what} }
	return Tallies{tally("create", "objects"), tally("update", "objects"), tally("status", "objects"), tally("generated code", "objects"), tally("compiled", "evaluations")}
}

// Run compares both sides on objects that aim at each rule of a subject.
func (s *Subject) Run(opts Options, tallies Tallies) {
	for kind := range kinds {
		tallies[kind].Count(1, 0, 0)
	}
	if s.generated != nil {
		tallies[generated].Count(1, 0, 0)
		tallies[compiled].Count(1, 0, 0)
		watch(s.generatedTable, tallies[compiled], map[*prunecel.Rules]bool{})
	}
	for number, t := range s.Targets {
		for attempt := range uint64(opts.Most) {
			if int(attempt) >= opts.Attempts && t.False > 0 {
				break
			}
			for kind, c := range s.cases(t, opts.Seed+uint64(number)<<20+attempt, len(t.aim.Integers) > 0 && attempt%8 == 7) {
				c.Compare().note(tallies[kind])
				if s.generated != nil {
					c.compareGenerated(tallies[generated])
				}
			}
		}
	}
}

// cases returns a case of each kind of request, with objects that aim at a rule.
func (s *Subject) cases(t *Target, seed uint64, long bool) [kinds]Case {
	rng := rand.New(rand.NewPCG(seed, 0x72756c6573))
	aim := *t.aim
	aim.Long = long
	obj := specimen.Make(s.Schema, seed, specimen.Options{APIVersion: "example.com/v1", Kind: "Widget", Aim: &aim})
	changed := func(obj map[string]any, types bool, oneIn ...uint64) map[string]any {
		out := specimentest.Change{Seed: rng.Uint64(), OneIn: pick(rng, oneIn), Types: types, Aim: t.aim}.Of(obj)
		if out["metadata"] == nil { // which every object has
			out["metadata"] = jsonvalue.Copy(obj["metadata"])
		}
		return out
	}
	spoiled := func(obj map[string]any) map[string]any { return changed(obj, true, 6, 20, 60) }
	oneIn := func(n int) bool { return rng.IntN(n) == 0 }
	if oneIn(2) { // as the API server does before it validates
		defaulting.Default(obj, s.kube)
	}
	created := obj
	if oneIn(4) {
		created = spoiled(obj)
	}
	old := changed(obj, false, 3, 10, 40)
	updated := obj
	if oneIn(4) {
		old = spoiled(old)
	}
	if oneIn(4) {
		updated = spoiled(obj)
	}
	if oneIn(4) {
		old = jsonvalue.Copy(updated)
	}
	// Only the status of an object is taken over.
	status := jsonvalue.Copy(old)
	if v, ok := updated["status"]; ok {
		status["status"] = jsonvalue.Copy(v)
	} else {
		delete(status, "status")
	}
	return [kinds]Case{{s, created, nil}, {s, updated, old}, {s, status, old}}
}

func pick[T any](rng *rand.Rand, all []T) T { return all[rng.IntN(len(all))] }
