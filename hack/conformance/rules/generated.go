package rules

import (
	"fmt"

	"github.com/prune-gen/prune-gen/hack/conformance/compare"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// watch makes the compiled rules of a table compare themselves with their programs: the verdict, and that the cost that they report is not
// less than the real one. It counts those that are sure.
func watch(n *prunecel.Rules, t *compare.Tally, seen map[*prunecel.Rules]bool) {
	if n == nil || seen[n] {
		return
	}
	seen[n] = true
	for _, r := range n.Rules {
		check := r.Check
		if check == nil {
			continue
		}
		r.Check = func(values prunecel.Reader) prunecel.Verdict {
			is := check(values)
			if !is.Sure || is.Cost > prunecel.CostLimit {
				return is
			}
			t.Count(0, 1, 0)
			if result, cost, err := n.Evaluate(r, values.Self, values.Old, prunecel.CostLimit); err != nil || result != is.Holds || int64(cost) > is.Cost {
				t.Note("", func() string {
					return fmt.Sprintf("compiled rule: %t for at most %d, the program: %v for %d, %v\n  rule       %s\n  self       %s\n  oldSelf    %s\n",
						is.Holds, is.Cost, result, cost, err, r.Rule, compare.Show(values.Self), compare.Show(values.Old))
				})
			}
			return is
		}
	}
	for _, f := range n.Fields {
		watch(f.Rules, t, seen)
	}
	watch(n.Items, t, seen)
	watch(n.Values, t, seen)
}

// compareGenerated compares what generated code says about a case with what the table says.
func (c Case) compareGenerated(t *compare.Tally) {
	t.Count(0, 1, 0)
	want := c.Subject.Ours(c.Object, c.Old)
	got := recovered(func() Answer {
		errs, warnings := c.Subject.generated(c.Object, c.Old)
		return NewAnswer(prunecel.Result{Errors: errs, Warnings: warnings}, prunecel.Costs{})
	})
	if got.Remaining = want.Remaining; !got.equal(want) {
		t.Note("", func() string {
			return fmt.Sprintf("%s: generated code differs from the table\n  object     %s\n  old        %s\n%s",
				c.Subject.Name, compare.Show(c.Object), compare.Show(c.Old), unlike("generated", got, "table", want))
		})
	}
}
