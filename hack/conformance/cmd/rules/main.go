// Rules counts the CEL rules of public CRDs, with the functions that they use, and compares what they say with Kubernetes.
//
//	go run ./cmd/rules               the functions, with how many different rules use each, and rules that are not evaluated
//	go run ./cmd/rules --objects 20  also compares, on so many objects for each rule and kind of request
//	go run ./cmd/rules --corpus      with the modules of the corpus as well
//
// It fetches the modules of modules.txt, which no test needs. It exits with 1 if a rule is not evaluated or something differs.
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/hack/conformance/compare"
	"github.com/prune-gen/prune-gen/hack/conformance/corpus"
	"github.com/prune-gen/prune-gen/hack/conformance/rules"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

//go:embed modules.txt
var modules string

func main() {
	objects := flag.Int("objects", 0, "`number` of objects for each rule")
	most := flag.Int("most", 0, "`number` of objects for a rule that has not been false")
	withCorpus := flag.Bool("corpus", false, "also look at the corpus")
	flag.Parse()
	prunert.SetLimits(prunert.Limits{}) // the API server lists everything
	ok, err := run(context.Background(), *withCorpus, rules.Options{Seed: 1, Attempts: *objects, Most: max(*objects, *most)})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	if !ok {
		os.Exit(1)
	}
}

func run(ctx context.Context, withCorpus bool, opts rules.Options) (ok bool, err error) {
	queries := strings.Fields(modules)
	if withCorpus {
		queries = append(queries, corpus.Queries()...)
	}
	found, err := corpus.FetchModules(ctx, queries)
	if err != nil {
		return false, err
	}
	c := &corpus.Corpus{}
	for _, m := range found {
		if err := c.AddFS(m.Query, os.DirFS(m.Dir)); err != nil {
			return false, err
		}
	}
	s := survey{texts: map[string]bool{}, uses: map[string]int{}}
	for _, crd := range c.CRDs {
		versions, err := compare.Subjects(crd)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			continue
		}
		for _, v := range versions {
			if v.Schema == nil {
				continue
			}
			subject, err := rules.NewSubject(v.String(), v.Schema, v.Kube.Structural)
			if err != nil {
				return false, err
			}
			if subject != nil {
				s.add(subject, opts)
			}
		}
	}
	s.print(len(c.CRDs), opts)
	return s.isGood(), nil
}

// survey is what is known about all rules.
type survey struct {
	versions, rules int
	texts           map[string]bool
	uses            map[string]int // different rules, by function
	problems        []string
	neverFalse      []string
	tallies         rules.Tallies
}

func (s *survey) add(subject *rules.Subject, opts rules.Options) {
	s.versions++
	for _, t := range subject.Targets {
		s.rules++
		if t.Rule.Problem != "" {
			s.problems = append(s.problems, fmt.Sprintf("%s: %s: %s", subject.Name, t.Rule.Rule, t.Rule.Problem))
		}
		if !s.texts[t.Rule.Rule] {
			s.texts[t.Rule.Rule] = true
			for name := range functionsOf(t.Rule) {
				s.uses[name]++
			}
		}
	}
	if opts.Most == 0 {
		return
	}
	for kind, tally := range subject.Run(opts) {
		for _, d := range tally.Differences {
			if len(s.tallies[kind].Differences) < 5 {
				fmt.Printf("%s: %s\n", rules.Kind(kind), d)
			}
		}
		s.tallies[kind].Merge(tally)
	}
	for _, t := range subject.Targets {
		if t.False == 0 {
			s.neverFalse = append(s.neverFalse, fmt.Sprintf("%s: %s (%d true, %d failed)", subject.Name, t.Rule.Rule, t.True, t.Failed))
		}
	}
}

// functionsOf returns the functions that a rule calls, macros expanded.
func functionsOf(r *prunecel.Rule) map[string]bool {
	all := map[string]bool{}
	e, err := prunecel.ParseExpr(r.Program.Text)
	if err != nil {
		return all
	}
	var walk func(e *prunecel.Expr)
	walk = func(e *prunecel.Expr) {
		switch e.Op {
		case prunecel.OpCall:
			all[e.Name] = true
		case prunecel.OpHas:
			all["has"] = true
		case prunecel.OpFold:
			all["comprehension"] = true
		}
		for _, a := range e.Args {
			walk(a)
		}
	}
	walk(e)
	return all
}

func (s *survey) isGood() bool {
	for _, t := range s.tallies {
		if len(t.Differences) > 0 {
			return false
		}
	}
	return len(s.problems) == 0
}

func (s *survey) print(crds int, opts rules.Options) {
	fmt.Printf("%d CRDs, %d versions with rules, %d rules, %d different texts\n\n", crds, s.versions, s.rules, len(s.texts))
	names := slices.SortedFunc(maps.Keys(s.uses), func(a, b string) int {
		if n := s.uses[b] - s.uses[a]; n != 0 {
			return n
		}
		return strings.Compare(a, b)
	})
	for _, name := range names {
		fmt.Printf("%6d  %s\n", s.uses[name], name)
	}
	fmt.Printf("\n%d rules are not evaluated\n", len(s.problems))
	for _, p := range s.problems {
		fmt.Println("  " + p)
	}
	if opts.Most == 0 {
		return
	}
	fmt.Println()
	for kind, t := range s.tallies {
		fmt.Printf("%s: %d versions, %d objects, %d errors, %d warnings, %d unsteady, %d differences\n", rules.Kind(kind), t.Subjects, t.Objects, t.Errors, t.Warnings,
			t.Unsteady, len(t.Differences))
	}
	fmt.Printf("\n%d rules were never false\n", len(s.neverFalse))
	for _, r := range s.neverFalse {
		fmt.Println("  " + r)
	}
}
