package rules

import (
	"maps"
	"slices"

	"github.com/prune-gen/prune-gen/internal/suite/specimen"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/structural"
)

// Target is a rule at a node of a schema, with what objects have shown of it.
type Target struct {
	Rule *prunecel.Rule
	// Path leads to the schema that the rule is about.
	Path []*structural.Schema
	// True, False and Failed count evaluations.
	True, False, Failed int

	// aim has the constants of the rule and the fields that it reads.
	aim *specimen.Aim
}

// Node returns the schema that the rule is about.
func (t *Target) Node() *structural.Schema { return t.Path[len(t.Path)-1] }

// targets returns the rules of a table, and makes them count their results.
func targets(s *structural.Schema, table *prunecel.Rules) []*Target {
	var all []*Target
	var walk func(s *structural.Schema, n *prunecel.Rules, path []*structural.Schema)
	walk = func(s *structural.Schema, n *prunecel.Rules, path []*structural.Schema) {
		path = append(path[:len(path):len(path)], s)
		for _, r := range n.Rules {
			t := &Target{Rule: r, Path: path, aim: &specimen.Aim{Path: path, Fields: map[string]bool{}}}
			for _, text := range []string{r.Program, r.MessageProgram} {
				if e, err := prunecel.ParseExpr(text); err == nil {
					t.aim.Read(e)
				}
			}
			t.count(n)
			all = append(all, t)
		}
		for _, below := range n.AllOf {
			walk(s, below, path[:len(path)-1])
		}
		for _, f := range n.Fields {
			walk(s.Properties[f.Name], f.Rules, path)
		}
		if n.Items != nil {
			walk(s.Items, n.Items, path)
		}
		if n.Values != nil {
			walk(s.AdditionalProperties.Schema, n.Values, path)
		}
	}
	walk(s, table, nil)
	return all
}

// count makes the rule count its results. The program still evaluates it.
func (t *Target) count(n *prunecel.Rules) {
	check := t.Rule.Check
	t.Rule.Check = func(values prunecel.Reader) prunecel.Verdict {
		t.note(n, values.Self, values.Old)
		if check == nil {
			return prunecel.Verdict{}
		}
		return check(values)
	}
}

func (t *Target) note(n *prunecel.Rules, self, old any) {
	switch v, _, err := n.Evaluate(t.Rule, self, old, prunecel.CostLimit); {
	case err != nil:
		t.Failed++
	case v == true:
		t.True++
	default:
		t.False++
	}
}

// sortedKeys returns the keys of a map, sorted.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
