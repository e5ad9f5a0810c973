package rules

import (
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/prune-gen/prune-gen/hack/conformance/compare"
	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/internal/base/prunelimits"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/structural"
)

func TestRandomRulesSayWhatKubernetesSays(t *testing.T) {
	prunelimits.Set(prunelimits.Limits{})
	testsize.NotShort(t)
	seeds := uint64(4)
	if testsize.All() {
		seeds = 100
	}
	var total compare.Tally
	rules := 0
	for seed := range seeds {
		rules += compareRandom(t, seed, 40, &total)
	}
	t.Logf("%d rules, %d objects, %d errors, %d unsteady, %d differences, %d named", rules, total.Compared, total.Errors, total.Unsteady, total.Disagreements, total.Named())
}

// FuzzRules makes rules and objects from a number.
func FuzzRules(f *testing.F) {
	prunelimits.Set(prunelimits.Limits{})
	for seed := range uint64(5) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { compareRandom(t, seed, 20, &compare.Tally{}) })
}

// compareRandom compares the given number of random rules, and shows the first difference for a single rule.
func compareRandom(t *testing.T, seed uint64, n int, total *compare.Tally) (rules int) {
	made := randomRules(seed, n)
	if len(made) == 0 {
		return 0
	}
	s, err := subjectOf("random", made)
	if err != nil {
		t.Fatal(err)
	}
	for attempt := range uint64(8) {
		target := s.Targets[int(attempt)%len(s.Targets)]
		for name := range s.Schema.Properties {
			target.aim.Fields[name] = true
		}
		for _, c := range s.cases(target, seed<<8+attempt, false) {
			out := c.Compare()
			out.note(total)
			if !out.Differs {
				continue
			}
			for _, r := range made {
				one, err := subjectOf(r.Rule+" "+r.MessageExpression, append(made[:0:0], r))
				if err != nil {
					t.Fatal(err)
				}
				if single := (Case{one, c.Object, c.Old}).Compare(); single.Differs {
					t.Errorf("seed %d: %s", seed, single)
					return len(made)
				}
			}
			t.Errorf("seed %d: together: %s", seed, out)
			return len(made)
		}
	}
	return len(made)
}

// subjectOf returns a subject with rules about AllTypes.
func subjectOf(name string, rules apiextensionsv1.ValidationRules) (*Subject, error) {
	s, err := allTypes(rules)
	if err != nil {
		return nil, err
	}
	return NewSubject(name, kube.Convert[*structural.Schema](s), s)
}
