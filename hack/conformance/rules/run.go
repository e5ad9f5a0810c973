package rules

import (
	"math/rand/v2"

	"github.com/prune-gen/prune-gen/internal/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/specimen"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
)

// Options says how much is compared.
type Options struct {
	Seed uint64
	// Attempts is how many objects are made for each rule; Most is how many, at most, as long as the rule has not been false.
	Attempts, Most int
}

// Kind is a kind of request.
type Kind int

const (
	Create Kind = iota
	Update
	Status

	kinds
)

func (k Kind) String() string { return [...]string{"create", "update", "status"}[k] }

// Theirs names what the answers to a kind of request are compared with.
func (k Kind) Theirs() string {
	if k == Create {
		return "cel.Validator.Validate: errors and costs"
	}
	return "cel.Validator.Validate with ratcheting: errors, warnings and costs"
}

// Tally is what came of comparing one kind of request.
type Tally struct {
	Subjects, Objects, Errors, Warnings, Unsteady int
	Differences                                   []*Difference
	// Generated lists how generated code differs from the table.
	Generated []string
}

func (t *Tally) add(o Outcome) {
	t.Objects++
	t.Errors += o.Errors
	t.Warnings += o.Warnings
	if o.Unsteady {
		t.Unsteady++
	}
	if o.Difference != nil {
		t.Differences = append(t.Differences, o.Difference)
	}
}

// Merge adds the counts of another tally.
func (t *Tally) Merge(other Tally) {
	t.Subjects += other.Subjects
	t.Objects += other.Objects
	t.Errors += other.Errors
	t.Warnings += other.Warnings
	t.Unsteady += other.Unsteady
	t.Differences = append(t.Differences, other.Differences...)
	t.Generated = append(t.Generated, other.Generated...)
}

// Tallies are those of all kinds of requests.
type Tallies [kinds]Tally

// Run compares both sides on objects that aim at each rule of a subject.
func (s *Subject) Run(opts Options) Tallies {
	var tallies Tallies
	for kind := range tallies {
		tallies[kind].Subjects = 1
	}
	for number, t := range s.Targets {
		for attempt := range uint64(opts.Most) {
			if int(attempt) >= opts.Attempts && t.False > 0 {
				break
			}
			for kind, c := range s.cases(t, opts.Seed+uint64(number)<<20+attempt, len(t.aim.Integers) > 0 && attempt%8 == 7) {
				tallies[kind].add(c.Compare())
				if s.Generated == nil {
					continue
				}
				if text := s.Generated.compare(c); text != "" {
					tallies[kind].Generated = append(tallies[kind].Generated, text)
				}
			}
		}
	}
	return tallies
}

// cases returns a case of each kind of request, with objects that aim at a rule.
func (s *Subject) cases(t *Target, seed uint64, long bool) [kinds]Case {
	rng := rand.New(rand.NewPCG(seed, 0x72756c6573))
	aim := *t.aim
	aim.Long = long
	obj := specimen.Make(s.Schema, seed, specimen.Options{APIVersion: "example.com/v1", Kind: "Widget", Aim: &aim})
	changed := func(obj map[string]any, types bool, oneIn ...uint64) map[string]any {
		out := specimen.Change{Seed: rng.Uint64(), OneIn: pick(rng, oneIn), Types: types, Aim: t.aim}.Of(obj)
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
