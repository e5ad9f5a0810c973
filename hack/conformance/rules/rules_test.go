package rules

import (
	"testing"

	"github.com/prune-gen/prune-gen/hack/conformance/compare"
	"github.com/prune-gen/prune-gen/hack/conformance/corpus"
	"github.com/prune-gen/prune-gen/internal/testsize"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

func TestRulesSayWhatKubernetesSays(t *testing.T) {
	prunert.SetLimits(prunert.Limits{}) // the API server lists everything
	testsize.NotShort(t)
	every, opts := 10, Options{Seed: 1, Attempts: 3, Most: 400}
	if testsize.All() {
		every = 4 // the scoreboard takes them all
	}
	c, err := corpus.Load(t.Context(), every)
	if err != nil {
		t.Fatal(err)
	}
	var all Tallies
	targets, never := 0, 0
	for _, crd := range c.CRDs {
		versions, err := compare.Subjects(crd)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range versions {
			if v.Schema == nil {
				continue
			}
			s, err := NewSubject(v.String(), v.Schema, v.Kube.Structural)
			if err != nil {
				t.Error(err)
			}
			if s == nil {
				continue
			}
			for kind, tally := range s.Run(opts) {
				all[kind].Merge(tally)
				for i, d := range tally.Differences {
					if i < 1 && len(all[kind].Differences) < 5 {
						t.Errorf("%s: %s", Kind(kind), d)
					}
				}
			}
			for _, target := range s.Targets {
				targets++
				if target.False == 0 {
					never++
					t.Errorf("%s: never false (%d true, %d failed): %s", s.Name, target.True, target.Failed, target.Rule.Rule)
				}
			}
		}
	}
	for kind, tally := range all {
		t.Logf("%s: %d versions, %d objects, %d errors, %d warnings, %d unsteady, %d differences", Kind(kind), tally.Subjects, tally.Objects, tally.Errors,
			tally.Warnings, tally.Unsteady, len(tally.Differences))
	}
	t.Logf("%d rules, %d were never false", targets, never)
}
