package rules

import (
	"github.com/prune-gen/prune-gen/internal/jsonvalue"
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
			m := newMaker(t, opts.Seed+uint64(number)<<20+attempt)
			m.isLong = len(t.literals.integers) > 0 && m.oneIn(8)
			for kind, c := range m.cases(s) {
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

// cases returns a case of each kind of request.
func (m *maker) cases(s *Subject) [kinds]Case {
	obj := m.object()
	if m.oneIn(2) { // as the API server does before it validates
		defaulting.Default(obj, s.kube)
	}
	created := obj
	if m.oneIn(4) {
		created = m.spoiled(obj)
	}
	old := m.before(obj)
	updated := obj
	if m.oneIn(4) {
		old = m.spoiled(old)
	}
	if m.oneIn(4) {
		updated = m.spoiled(obj)
	}
	if m.oneIn(4) {
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
