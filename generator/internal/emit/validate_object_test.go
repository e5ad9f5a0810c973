package emit

import (
	"fmt"
	"math"
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

// A search of the fields for each required name makes eight times as many take more than fifty times as long.
func TestRequiredFieldsTakeLinearTime(t *testing.T) {
	const n, factor = 8_000, 8
	took := func(node *plan.Node) time.Duration {
		start := time.Now()
		left := undeclared(node)
		took := time.Since(start)
		if len(left) != 2 || left[0].Name != "other" || left[1].Name != "optional" {
			t.Fatalf("%d fields are left", len(left))
		}
		return took
	}
	const forever = time.Duration(math.MaxInt64)
	few, many := forever, forever
	for range 20 { // on a busy machine, some take longer than they should
		few, many = min(few, took(requiring(n))), min(many, took(requiring(factor*n)))
		if many <= 4*factor*few {
			return
		}
	}
	t.Errorf("%v for %d required fields, %v for %d", few, n, many, factor*n)
}
