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

// A search of the fields for each required name takes half a minute.
func TestRequiredFieldsTakeLinearTime(t *testing.T) {
	const n = 100_000
	node := requiring(n)
	start := time.Now()
	left := undeclared(node)
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("%v for %d required fields", took, n)
	}
	if len(left) != 2 || left[0].Name != "other" || left[1].Name != "optional" {
		t.Errorf("%d fields are left", len(left))
	}
}
