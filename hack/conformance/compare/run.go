package compare

import (
	"fmt"
	"iter"
	"sync"

	"github.com/prune-gen/prune-gen/hack/conformance/known"
	"github.com/prune-gen/prune-gen/internal/specimen"
)

// Options says how much is compared.
type Options struct {
	// Seed is that of the first object of each subject; the others follow it.
	Seed uint64
	// Objects is how many objects there are for each subject.
	Objects int
	// Keywords is for how many keywords of each schema there is one object more, made to violate it, for the functions that
	// depend on them. They are spread over the schema.
	Keywords int
	// Workers is how many subjects are looked at at a time; 0 means one.
	Workers int
	// Reproduce is what a command needs beside function, CRD, version and seed to make the same object.
	Reproduce string
	// Progress is called after each subject.
	Progress func(done, all int)
}

// Failure is an unexplained difference, ready to be read.
type Failure struct {
	Function string `json:"function"`
	CRD      string `json:"crd"`
	Version  string `json:"version"`
	Origin   string `json:"origin"`
	Seed     uint64 `json:"seed"`
	Flaws    string `json:"flaws"`
	At       string `json:"at"`
	Ours     string `json:"ours"`
	Theirs   string `json:"theirs"`
	// Object is the shrunk object, Schema the part of the schema around At.
	Object    string `json:"object"`
	Schema    string `json:"schema"`
	Reproduce string `json:"reproduce"`
}

// Tally is what came of comparing one function.
type Tally struct {
	Function Function
	Subjects int
	Objects  int
	// Errors counts what Kubernetes finds wrong with the objects, where that is compared.
	Errors int
	// Known counts the differences that are wanted, by name. Failures has the first few of the others, Disagreements
	// counts them.
	Known         map[known.Name]int
	Disagreements int
	Failures      []Failure
}

// mostFailures is how many failures of a function are shrunk and kept, and of one subject.
const (
	mostFailures           = 10
	mostFailuresPerSubject = 2
)

// Run compares the functions on objects made from each subject's schema.
func Run(subjects []*Subject, functions []Function, opts Options) []*Tally {
	tallies := make([]*Tally, len(functions))
	for i, f := range functions {
		tallies[i] = &Tally{Function: f, Known: map[known.Name]int{}}
	}
	var mu sync.Mutex
	done := 0
	work := make(chan *Subject)
	var wg sync.WaitGroup
	for range max(opts.Workers, 1) {
		wg.Go(func() {
			for s := range work {
				results := runSubject(s, functions, opts)
				mu.Lock()
				for i, r := range results {
					tallies[i].add(r)
				}
				done++
				if opts.Progress != nil {
					opts.Progress(done, len(subjects))
				}
				mu.Unlock()
			}
		})
	}
	for _, s := range subjects {
		work <- s
	}
	close(work)
	wg.Wait()
	return tallies
}

func (t *Tally) add(other *Tally) {
	t.Subjects += other.Subjects
	t.Objects += other.Objects
	t.Errors += other.Errors
	t.Disagreements += other.Disagreements
	for name, n := range other.Known {
		t.Known[name] += n
	}
	for _, f := range other.Failures {
		if len(t.Failures) < mostFailures {
			t.Failures = append(t.Failures, f)
		}
	}
}

func runSubject(s *Subject, functions []Function, opts Options) []*Tally {
	tallies := make([]*Tally, len(functions))
	for i, f := range functions {
		tallies[i] = &Tally{Function: f, Known: map[known.Name]int{}}
		if f.Applies(s) {
			tallies[i].Subjects = 1
		}
	}
	for n := range opts.Objects {
		seed := opts.Seed + uint64(n)
		c := NewCase(s, Object(s, seed))
		c.seed = seed
		for i, f := range functions {
			if f.Applies(s) {
				tallies[i].compareSeed(f, c, seed, opts)
			}
		}
	}
	violations := specimen.NewViolations(s.Schema)
	all := uint64(violations.Keywords())
	for n := range min(all, uint64(max(opts.Keywords, 0))) {
		number := n
		if all > uint64(opts.Keywords) {
			number = (n*all/uint64(opts.Keywords) + opts.Seed) % all
		}
		c := NewCase(s, violations.Make(int(number), KeywordSeed+number))
		c.seed = KeywordSeed + number
		for i, f := range functions {
			if f.Values && f.Applies(s) {
				tallies[i].compareSeed(f, c, KeywordSeed+number, opts)
			}
		}
	}
	return tallies
}

// KeywordSeed is the first of the seeds that stand for an object that violates a keyword of the schema: the one with the number
// that is left when KeywordSeed is taken off.
const KeywordSeed = 1 << 62

// Object returns the object that a seed stands for.
func Object(s *Subject, seed uint64) map[string]any {
	if seed >= KeywordSeed {
		return specimen.NewViolations(s.Schema).Make(int(seed-KeywordSeed), seed)
	}
	return specimen.Make(s.Schema, seed, specimen.Mixed(seed))
}

// Objects compares the functions on the given objects of one subject, with so many workers at a time. reproduce is the
// command that does it again.
func Objects(s *Subject, functions []Function, objects iter.Seq[map[string]any], workers int, reproduce string) []*Tally {
	tallies := make([]*Tally, len(functions))
	for i, f := range functions {
		tallies[i] = &Tally{Function: f, Subjects: 1, Known: map[known.Name]int{}}
	}
	var mu sync.Mutex
	work := make(chan map[string]any, workers)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			own := make([]*Tally, len(functions))
			for i, f := range functions {
				own[i] = &Tally{Function: f, Known: map[known.Name]int{}}
			}
			for obj := range work {
				c := NewCase(s, obj)
				for i, f := range functions {
					if failure := own[i].compare(f, c); failure != nil {
						failure.Reproduce = reproduce
						own[i].Failures = append(own[i].Failures, *failure)
					}
				}
			}
			mu.Lock()
			defer mu.Unlock()
			for i, t := range own {
				tallies[i].add(t)
			}
		})
	}
	for obj := range objects {
		work <- obj
	}
	close(work)
	wg.Wait()
	return tallies
}

func (t *Tally) compareSeed(f Function, c *Case, seed uint64, opts Options) {
	failure := t.compare(f, c)
	if failure == nil {
		return
	}
	failure.Seed = seed
	failure.Flaws = specimen.Mixed(seed).Flaws.String()
	failure.Reproduce = fmt.Sprintf("go run ./cmd/scoreboard --function %s --crd %s --version %s --seed %d --objects 1%s",
		f.Name, c.CRD.Key, c.Version.Name, seed, opts.Reproduce)
	t.Failures = append(t.Failures, *failure)
}

// compare counts what comes of comparing f on c. It returns the failure to keep, if it is one.
func (t *Tally) compare(f Function, c *Case) *Failure {
	t.Objects++
	c.errors = 0
	d := f.compare(c)
	t.Errors += c.errors
	if d == nil {
		return nil
	}
	if d.Known != "" {
		t.Known[d.Known]++
		return nil
	}
	t.Disagreements++
	if len(t.Failures) >= mostFailuresPerSubject {
		return nil
	}
	s := c.Subject
	small := specimen.Shrink(c.Object, 3000, func(o map[string]any) bool {
		d := f.compare(c.with(o))
		return d != nil && d.Known == ""
	})
	if again := f.compare(c.with(small)); again != nil {
		d = again
	}
	return &Failure{
		Function: f.Name,
		CRD:      s.CRD.Name,
		Version:  s.Version.Name,
		Origin:   s.CRD.Origin,
		At:       d.At,
		Ours:     d.Ours,
		Theirs:   d.Theirs,
		Object:   show(small),
		Schema:   fragment(s.Schema, d.At),
	}
}

// String writes the failure for a terminal.
func (f Failure) String() string {
	return fmt.Sprintf(`%s differs from Kubernetes
  crd        %s, version %s, from %s
  at         %s
  ours       %s
  theirs     %s
  object     %s
  schema     %s
  seed       %d (%s)
  reproduce  %s
`, f.Function, f.CRD, f.Version, f.Origin, f.At, f.Ours, f.Theirs, f.Object, f.Schema, f.Seed, f.Flaws, f.Reproduce)
}
