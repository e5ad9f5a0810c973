package compare

import (
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/prune-gen/prune-gen/hack/conformance/known"
	"github.com/prune-gen/prune-gen/internal/suite/specimen"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
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
	// Reproduce is what the scoreboard needs beside function, CRD, version and seed to make the same object.
	Reproduce string
}

// Tally is what came of comparing one function. Its methods may be called from several goroutines.
type Tally struct {
	Name string
	// Versions counts the versions of CRDs, Compared what was compared, which is What: objects, schemas, CRDs.
	Versions, Compared int
	What               string
	// Errors counts what Kubernetes finds wrong with the objects, where that is compared.
	Errors int
	// Unsteady counts the objects on which Kubernetes disagrees with itself, because it reads maps in any order.
	Unsteady int
	// Known counts the differences that are wanted, by name. Failures has the first few of the others, Disagreements
	// counts them.
	Known         map[known.Name]int
	Disagreements int
	Failures      []string

	mu sync.Mutex
}

// mostFailures is how many failures of a function are shrunk and kept.
const mostFailures = 10

// Count adds to what was compared.
func (t *Tally) Count(versions, compared, errors int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.Versions += versions
	t.Compared += compared
	t.Errors += errors
}

// CountUnsteady counts an object on which Kubernetes disagrees with itself.
func (t *Tally) CountUnsteady() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.Unsteady++
}

// Note counts a difference: by its name if it is known and wanted. The text of another one is asked for while few are kept.
func (t *Tally) Note(name known.Name, text func() string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if name != "" {
		if t.Known == nil {
			t.Known = map[known.Name]int{}
		}
		t.Known[name]++
		return
	}
	if t.Disagreements++; t.Disagreements <= mostFailures {
		t.Failures = append(t.Failures, text())
	}
}

// Named returns how many differences from an older version of Kubernetes have the name of a change.
func (t *Tally) Named() (n int) {
	for name, seen := range t.Known {
		if strings.HasPrefix(string(name), known.Since) {
			n += seen
		}
	}
	return n
}

// Each calls do with all values, with several at a time.
func Each[T any](all iter.Seq[T], do func(T)) {
	var wg sync.WaitGroup
	free := make(chan bool, runtime.GOMAXPROCS(0))
	for v := range all {
		free <- true
		wg.Go(func() {
			defer func() { <-free }()
			do(v)
		})
	}
	wg.Wait()
}

func tallies(functions []Function) []*Tally {
	all := make([]*Tally, len(functions))
	for i, f := range functions {
		all[i] = &Tally{Name: f.Name, What: "objects"}
	}
	return all
}

// Run compares the functions on objects made from each subject's schema.
func Run(subjects []*Subject, functions []Function, opts Options) []*Tally {
	all := tallies(functions)
	Each(slices.Values(subjects), func(s *Subject) {
		for i, f := range functions {
			if f.Applies(s) {
				all[i].Count(1, 0, 0)
			}
		}
		for seed := range seeds(s, opts) {
			c := NewCase(s, Object(s, seed))
			c.seed = seed
			for i, f := range functions {
				if f.Applies(s) && (f.values || seed < KeywordSeed) {
					all[i].compare(f, c, opts.Reproduce)
				}
			}
		}
	})
	return all
}

// Objects compares the functions on the given objects of one subject.
func Objects(s *Subject, functions []Function, objects iter.Seq[map[string]any]) []*Tally {
	all := tallies(functions)
	Each(objects, func(obj map[string]any) {
		c := NewCase(s, obj)
		for i, f := range functions {
			all[i].compare(f, c, "")
		}
	})
	return all
}

// KeywordSeed is the first of the seeds that stand for an object that violates a keyword of the schema: the one with the number
// that is left when KeywordSeed is taken off.
const KeywordSeed = 1 << 62

// seeds returns the seeds of the objects of a subject.
func seeds(s *Subject, opts Options) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for n := range uint64(opts.Objects) {
			if !yield(opts.Seed + n) {
				return
			}
		}
		all, most := uint64(specimen.NewViolations(s.Schema).Keywords()), uint64(opts.Keywords)
		for n := range min(all, most) {
			number := n
			if all > most {
				number = (n*all/most + opts.Seed) % all
			}
			if !yield(KeywordSeed + number) {
				return
			}
		}
	}
}

// Object returns the object that a seed stands for.
func Object(s *Subject, seed uint64) map[string]any {
	if seed >= KeywordSeed {
		return specimen.NewViolations(s.Schema).Make(int(seed-KeywordSeed), seed)
	}
	return specimentest.Make(s.Schema, seed, specimentest.Mixed(seed))
}

// compare counts what comes of comparing f on c.
func (t *Tally) compare(f Function, c *Case, reproduce string) {
	c.errors = 0
	d := f.Compare(c)
	t.Count(0, 1, c.errors)
	if d != nil {
		t.Note(d.Known, func() string { return failure(f, c, d, reproduce) })
	}
}

// failure describes an unexplained difference: the object is shrunk first.
func failure(f Function, c *Case, d *Difference, reproduce string) string {
	with := func(obj map[string]any) *Case { return &Case{Subject: c.Subject, Object: obj, seed: c.seed} }
	small := specimen.Shrink(c.Object, 3000, func(obj map[string]any) bool {
		d := f.Compare(with(obj))
		return d != nil && d.Known == ""
	})
	if again := f.Compare(with(small)); again != nil {
		d = again
	}
	return fmt.Sprintf(`%s differs from Kubernetes
  crd        %s, version %s, from %s
  at         %s
  ours       %s
  theirs     %s
  object     %s
  schema     %s
  reproduce  go test ./scoreboard -v -function %[1]s -crd %[10]s -version %[3]s -seed %[11]d -objects 1%[12]s
`, f.Name, c.CRD.Name, c.Version.Name, c.CRD.Origin, d.At, d.Ours, d.Theirs, Show(small), c.fragment(d.At), c.CRD.Key, c.seed, reproduce)
}
