package rules

import (
	"testing"

	"github.com/prune-gen/prune-gen/hack/conformance/compare"
	"github.com/prune-gen/prune-gen/hack/conformance/corpus"
	"github.com/prune-gen/prune-gen/internal/base/prunelimits"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

func TestRulesSayWhatKubernetesSays(t *testing.T) {
	prunelimits.Set(prunelimits.Limits{}) // the API server lists everything
	testsize.NotShort(t)
	every, opts := 10, Options{Seed: 1, Attempts: 3, Most: 400}
	if testsize.All() {
		every = 4 // the scoreboard takes them all
	}
	c, err := corpus.Load(t.Context(), every)
	if err != nil {
		t.Fatal(err)
	}
	all := NewTallies()
	targets, never := 0, 0
	for _, crd := range c.CRDs {
		versions, err := compare.Subjects(crd)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range versions {
			s, err := Of(v)
			if err != nil {
				t.Error(err)
			}
			if s == nil {
				continue
			}
			s.Run(opts, all)
			for _, target := range s.Targets {
				targets++
				if target.False == 0 {
					never++
					t.Errorf("%s: never false (%d true, %d failed): %s", s.Name, target.True, target.Failed, target.Rule.Rule)
				}
			}
		}
	}
	for _, tally := range all {
		for _, f := range tally.Failures {
			t.Error(f)
		}
		t.Logf("%s: %d versions, %d objects, %d errors, %d unsteady, %d differences, %d named", tally.Name, tally.Versions, tally.Compared, tally.Errors,
			tally.Unsteady, tally.Disagreements, tally.Named())
	}
	t.Logf("%d rules, %d were never false", targets, never)
}
