package lower

import (
	"fmt"
	"slices"
	"testing"
	"time"

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

// A search of the required names for each property takes half a minute.
func TestRequiredFieldsTakeLinearTime(t *testing.T) {
	const n = 100_000
	r := requiring(n)
	start := time.Now()
	Plan([]Resource{r}, []Pass{Validate}, ShareWithinKinds)
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("%v for %d required fields", took, n)
	}
}

func TestRequiredFieldsAreNamedOnceAndInTheirOrder(t *testing.T) {
	r := requiring(3)
	s := r.Written
	s.Required = append(s.Required, "other", s.Required[0], "other")
	root := Plan([]Resource{r}, []Pass{Validate}, ShareWithinKinds).Trees[0].Funcs[0]
	if got := root.Do.(plan.Validate).Rules.Required.Text; got != `["field00000002", "field00000001", "field00000000", "other"]` {
		t.Error(got)
	}
	for _, f := range root.Fields {
		if f.Slot != (plan.Presence{}) {
			t.Errorf("%s need not be there", f.Name)
		}
	}
}
