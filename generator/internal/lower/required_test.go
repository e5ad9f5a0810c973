package lower

import (
	"fmt"
	"slices"
	"testing"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/structural"
)

// requiring returns an object with n strings, all of them required and the last one named first.
func requiring(n int) Resource {
	s := &structural.JSONSchema{Type: "object", Properties: make(map[string]*structural.JSONSchema, n)}
	for i := range n {
		name := fmt.Sprintf("field%08d", i)
		s.Properties[name] = &structural.JSONSchema{Type: "string"}
		s.Required = append(s.Required, name)
	}
	slices.Reverse(s.Required)
	return Resource{CRD: &structural.CRD{Names: structural.Names{Kind: "App"}}, Version: &structural.Version{}, Behavior: structural.Behavior{Written: s}}
}

// Searching all required names for each field would exceed the time limit of the tests. Equal names cost only such a search.
func TestRequiredFieldsAreNotSearched(t *testing.T) {
	const n = 1_000_000
	fields := slices.Repeat([]plan.Field{{Name: "field1"}}, n)
	requireFields(fields, append(slices.Repeat([]string{"field0"}, n), "field1"), &plan.Node{})
	if fields[0].Slot != (plan.Presence{}) || fields[n-1].Slot != (plan.Presence{}) {
		t.Error("the fields are not required")
	}
}

// The same for a search of the names for each of them.
func TestNamesAreNotSearched(t *testing.T) {
	const different, equal = 100_000, 5_000_000
	var names []string
	for i := range different {
		names = append(names, fmt.Sprintf("field%08d", i))
	}
	names = append(names, slices.Repeat(names[different-1:], equal)...)
	if all := anyStrings(names); len(all) != different {
		t.Errorf("%d names", len(all))
	}
}

func TestRequiredFieldsAreNamedOnceAndInTheirOrder(t *testing.T) {
	r := requiring(3)
	s := r.Written
	s.Required = append(s.Required, "other", s.Required[0], "other")
	root := Plan([]Resource{r}, []Pass{Validate}, ShareWithinKinds, nil).Trees[0].Funcs[0]
	if got := root.Do.(plan.Validate).Rules.Required.Text; got != `["field00000002", "field00000001", "field00000000", "other"]` {
		t.Error(got)
	}
	for _, f := range root.Fields {
		if f.Slot != (plan.Presence{}) {
			t.Errorf("%s need not be there", f.Name)
		}
	}
}
