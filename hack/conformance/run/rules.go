package run

import (
	"fmt"
	"sync"

	"github.com/prune-gen/prune-gen/hack/conformance/compare"
	"github.com/prune-gen/prune-gen/hack/conformance/rules"
	"github.com/prune-gen/prune-gen/hack/conformance/score"
)

// addRules compares what CEL rules say about objects that aim at each of them: a row for each kind of request. Rules that no object
// made false are listed.
func addRules(board *score.Board, subjects []*compare.Subject, o Options) error {
	opts := rules.Options{Seed: o.Seed, Attempts: max(o.Objects/16, 2), Most: max(o.Objects*3/2, 400)}
	if o.Sample > 1 { // a rule that is never false is looked for in vain 400 times otherwise
		opts.Most = max(o.Objects, 20)
	}
	var (
		mu       sync.Mutex
		all      rules.Tallies
		failure  error
		compiled compiledRules
		wg       sync.WaitGroup
		work     = make(chan *compare.Subject)
	)
	for range max(o.Workers, 1) {
		wg.Go(func() {
			for v := range work {
				s, err := rules.NewSubject(v.String(), v.Schema, v.Kube.Structural)
				var tallies rules.Tallies
				if s != nil {
					if v.Rules != nil {
						s.Generated = &rules.Generated{Validate: v.Generated.ValidateRules, Table: v.Rules}
						s.Generated.Watch()
					}
					tallies = s.Run(opts)
				}
				mu.Lock()
				if err != nil {
					failure = err
				}
				for kind := range tallies {
					all[kind].Merge(tallies[kind])
				}
				if s != nil {
					compiled.add(s, tallies)
					board.Rules += len(s.Targets)
					for _, t := range s.Targets {
						if t.False == 0 {
							board.NeverFalse = append(board.NeverFalse, fmt.Sprintf("%s: %s (%d true, %d failed)", s.Name, t.Rule.Rule, t.True, t.Failed))
						}
					}
				}
				mu.Unlock()
			}
		})
	}
	for _, s := range subjects {
		if s.Schema != nil {
			work <- s
		}
	}
	close(work)
	wg.Wait()
	if failure != nil {
		return failure
	}
	for kind := range all {
		t := &all[kind]
		if t.Subjects == 0 {
			continue
		}
		board.Rows = append(board.Rows, score.Row{
			Name: "rules, " + rules.Kind(kind).String(), Against: rules.Kind(kind).Theirs(), CRDs: t.Subjects, Versions: t.Subjects, Compared: t.Objects, What: "objects",
			Errors: t.Errors, Unsteady: t.Unsteady, Disagreements: len(t.Differences),
		})
		for i, d := range t.Differences {
			if i < mostRuleFailures {
				board.Problems = append(board.Problems, d.String())
			}
		}
	}
	compiled.addTo(board)
	return nil
}

// compiledRules is what is known about the compiled rules of all subjects.
type compiledRules struct {
	subjects, objects, tabled, compiled, calls, unsure int
	problems                                           []string
}

func (r *compiledRules) add(s *rules.Subject, tallies rules.Tallies) {
	g := s.Generated
	if g == nil {
		return
	}
	r.subjects++
	r.tabled += g.Rules
	r.compiled += g.Compiled
	r.calls += g.Calls
	r.unsure += g.Unsure
	for _, text := range g.Wrong {
		r.problems = append(r.problems, s.Name+": "+text)
	}
	for _, t := range tallies {
		r.objects += t.Objects
		r.problems = append(r.problems, t.Generated...)
	}
}

func (r *compiledRules) addTo(board *score.Board) {
	if r.subjects == 0 {
		return
	}
	board.Tabled, board.Compiled, board.Calls, board.Unsure = r.tabled, r.compiled, r.calls, r.unsure
	board.Rows = append(board.Rows, score.Row{
		Name: "rules, generated code", Against: "the table: errors and warnings; of each compiled rule its program: verdict, and cost as a bound",
		CRDs: r.subjects, Versions: r.subjects, Compared: r.objects, What: "objects", Disagreements: len(r.problems),
	})
	board.Problems = append(board.Problems, r.problems[:min(len(r.problems), mostRuleFailures)]...)
}

// mostRuleFailures is how many differences of a kind of request are shrunk and shown.
const mostRuleFailures = 5
