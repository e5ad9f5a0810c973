package rules

import (
	"testing"

	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/internal/testsize"
	prunert "github.com/prune-gen/prune-gen/runtime"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

func TestRandomRulesSayWhatKubernetesSays(t *testing.T) {
	prunert.SetLimits(prunert.Limits{})
	testsize.NotShort(t)
	seeds := uint64(4)
	if testsize.All() {
		seeds = 100
	}
	var total Tally
	rules, failures := 0, 0
	for seed := range seeds {
		n, tally := compareRandom(t, seed, 40)
		rules += n
		total.Merge(tally)
		if failures += len(tally.Differences); failures > 20 {
			break
		}
	}
	t.Logf("%d rules, %d objects, %d errors, %d unsteady, %d differences", rules, total.Objects, total.Errors, total.Unsteady, len(total.Differences))
}

// FuzzRules makes rules and objects from a number.
func FuzzRules(f *testing.F) {
	prunert.SetLimits(prunert.Limits{})
	for seed := range uint64(5) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { compareRandom(t, seed, 20) })
}

// compareRandom compares so many random rules, and shows the first difference for a single rule.
func compareRandom(t *testing.T, seed uint64, n int) (rules int, total Tally) {
	made := randomRules(seed, n)
	if len(made) == 0 {
		return 0, total
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
			total.add(out)
			if out.Difference == nil {
				continue
			}
			for _, r := range made {
				one, err := subjectOf(r.Rule+" "+r.MessageExpression, append(made[:0:0], r))
				if err != nil {
					t.Fatal(err)
				}
				if single := (Case{one, c.Object, c.Old}).Compare(); single.Difference != nil {
					t.Errorf("seed %d: %s", seed, single.Difference)
					return len(made), total
				}
			}
			t.Errorf("seed %d: together: %s", seed, out.Difference)
			return len(made), total
		}
	}
	return len(made), total
}

// subjectOf returns a subject with rules about AllTypes.
func subjectOf(name string, rules apiextensionsv1.ValidationRules) (*Subject, error) {
	s, err := allTypes(rules)
	if err != nil {
		return nil, err
	}
	return NewSubject(name, kube.ToOurs(s), s)
}
