package emit

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// requiring returns an object with n required fields, the last one named first, and two of which nothing else is said.
func requiring(n int) *plan.Node {
	var required []any
	node := &plan.Node{}
	for i := range n {
		name := fmt.Sprintf("field%08d", i)
		node.Fields = append(node.Fields, plan.Field{Name: name, Slot: plan.Presence{}})
		required = append(required, name)
	}
	node.Fields = append(node.Fields, plan.Field{Name: "optional"})
	slices.Reverse(required)
	required = append(append([]any{"other"}, required...), "optional")
	node.Do = plan.Validate{Rules: plan.Rules{Required: &plan.Value{JSON: required}}}
	return node
}

// A search of the fields for each required name makes sixteen times as many take more than a hundred times as long.
func TestRequiredFieldsTakeLinearTime(t *testing.T) {
	const n, factor = 2_000, 16
	took := func(node *plan.Node) time.Duration {
		least := time.Duration(1<<63 - 1)
		for range 5 {
			start := time.Now()
			left := undeclared(node)
			least = min(least, time.Since(start))
			if len(left) != 2 || left[0].Name != "other" || left[1].Name != "optional" {
				t.Fatalf("%d fields are left", len(left))
			}
		}
		return least
	}
	few, many := took(requiring(n)), took(requiring(factor*n))
	if many > 4*factor*few {
		t.Errorf("%v for %d required fields, %v for %d", few, n, many, factor*n)
	}
}
