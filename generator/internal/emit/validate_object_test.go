package emit

import (
	"fmt"
	"slices"
	"testing"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// requiring returns an object with n required fields, the last one named first, and two without other rules.
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

// Searching all fields for each required name would exceed the time limit of the tests. Equal names cost only such a search.
func TestRequiredFieldsAreNotSearched(t *testing.T) {
	const n = 1_000_000
	node := requiring(2)
	node.Fields = append(slices.Repeat(node.Fields[:1], n), node.Fields...)
	required := node.Do.(plan.Validate).Rules.Required
	required.JSON = append(slices.Repeat([]any{"field00000001"}, n), required.JSON.([]any)...)
	left := undeclared(node)
	if len(left) != 2 || left[0].Name != "other" || left[1].Name != "optional" {
		t.Errorf("%d fields are left", len(left))
	}
}
