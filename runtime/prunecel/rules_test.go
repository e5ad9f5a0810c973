package prunecel_test

import (
	"slices"
	"testing"

	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
)

type (
	object = map[string]any
	list   = []any
)

// isGood is a rule about a text, which is false for "bad".
func isGood() *prunecel.Rules {
	return &prunecel.Rules{Type: "string", Rules: []*prunecel.Rule{{
		Rule: "self != 'bad'", Program: `(_!=_ self "bad")`,
		Check: func(r prunecel.Reader) prunecel.Verdict { return r.Verdict(r.Self != "bad") }, Cost: 1,
	}}}
}

// goodNames has the rule for the texts of a list map by name, of a list and of a map, and in allOf, which changes nothing for the
// others.
func goodNames() (*prunecel.Rules, *pruneimpl.Shape) {
	row := &prunecel.Rules{Fields: []prunecel.RulesField{{Name: "text", Rules: isGood()}}}
	rowShape := &pruneimpl.Shape{Names: []string{"name", "text"}}
	return &prunecel.Rules{AllOf: []*prunecel.Rules{{Fields: []prunecel.RulesField{{Name: "other", Rules: isGood()}}}}, Fields: []prunecel.RulesField{
			{Name: "kind", Rules: isGood()},
			{Name: "labels", Rules: &prunecel.Rules{Values: isGood()}},
			{Name: "rows", Rules: &prunecel.Rules{Items: row, Keys: []string{"name"}}},
			{Name: "words", Rules: &prunecel.Rules{Items: isGood()}},
		}}, &pruneimpl.Shape{
			Names: []string{"kind"},
			Fields: []pruneimpl.ShapeField{
				{Name: "labels", Shape: &pruneimpl.LeafMap},
				{Name: "rows", Shape: &pruneimpl.Shape{Items: rowShape, Keys: []string{"name"}}},
				{Name: "words", Shape: &pruneimpl.Bare},
			},
		}
}

func row(name, text string) object { return object{"name": name, "text": text} }

func TestRulesForgiveWhatHasNotChanged(t *testing.T) {
	rules, shape := goodNames()
	for _, c := range []struct {
		name             string
		obj, old         object
		errors, warnings []string
	}{
		{
			"a new object", object{"rows": list{row("a", "bad")}}, nil,
			[]string{"rows[0].text"}, nil,
		},
		{
			"elements of a list map, each by itself",
			object{"rows": list{row("a", "bad"), row("b", "bad"), row("c", "bad")}},
			object{"rows": list{row("c", "good"), row("b", "bad"), row("a", "bad")}},
			[]string{"rows[2].text"}, []string{"rows[0].text", "rows[1].text"},
		},
		{
			"elements of other lists, with the list",
			object{"words": list{"bad", "x", "bad"}}, object{"words": list{"bad", "y", "bad"}},
			[]string{"words[0]", "words[2]"}, nil,
		},
		{
			"a list that is the same",
			object{"words": list{"bad", "x", "bad"}}, object{"words": list{"bad", "x", "bad"}},
			nil, []string{"words[0]", "words[2]"},
		},
		{
			"values of a map, each by itself, and a new one with the map",
			object{"labels": object{"a": "bad", "b": "bad", "c": "bad"}}, object{"labels": object{"a": "bad", "b": "good"}},
			[]string{"labels[b]", "labels[c]"}, []string{"labels[a]"},
		},
		{
			"never the kind", object{"kind": "bad"}, object{"kind": "bad"},
			[]string{"kind"}, nil,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			errs, warnings := rules.Validate(c.obj, c.old, shape)
			var errors, said []string
			for _, e := range errs {
				errors = append(errors, e.Field)
			}
			if !slices.Equal(errors, c.errors) {
				t.Errorf("errors of %q, want %q", errors, c.errors)
			}
			for _, field := range c.warnings {
				said = append(said, field+`: Invalid value: "bad": failed rule: self != 'bad'`)
			}
			if !slices.Equal(warnings, said) {
				t.Errorf("warnings %q, want %q", warnings, said)
			}
		})
	}
}

func TestRulesThatHoldAllocateNothing(t *testing.T) {
	rules, shape := goodNames()
	for range 40 { // deeper than any room that could be set aside
		rules = &prunecel.Rules{Items: &prunecel.Rules{Fields: []prunecel.RulesField{{Name: "below", Rules: rules}}}}
		rules = &prunecel.Rules{Fields: []prunecel.RulesField{{Name: "list", Rules: rules}}}
	}
	nested := func(label string) object {
		obj := object{"labels": object{"x": label}, "rows": list{row("a", "x"), row("b", "y")}, "words": list{"w"}, "kind": "Thing"}
		for range 40 {
			obj = object{"list": list{object{"below": obj}}}
		}
		return obj
	}
	obj, old := nested("new"), nested("old")
	if n := testing.AllocsPerRun(20, func() { rules.Validate(obj, old, shape) }); n > 0 {
		t.Errorf("%.0f allocations", n)
	}
}

// The cost that compiled code reports is believed up to the limit of one call and of all calls. Above that, the program decides, with its
// exact cost.
func TestCompiledCodeIsBelievedUpToTheLimits(t *testing.T) {
	for _, c := range []struct {
		name    string
		verdict prunecel.Verdict
		all     int64
		errors  int
		spent   int64
	}{
		{"sure", prunecel.Verdict{Sure: true, Cost: 5}, 100, 1, 5},
		{"the limit of a call", prunecel.Verdict{Sure: true, Cost: prunecel.CostLimit}, prunecel.CostLimit, 1, prunecel.CostLimit},
		{"more than a call may cost", prunecel.Verdict{Sure: true, Cost: prunecel.CostLimit + 1}, 2 * prunecel.CostLimit, 0, 2},
		{"unsure", prunecel.Verdict{Cost: 5}, 100, 0, 2},
		{"all that calls may cost", prunecel.Verdict{Sure: true, Cost: 100}, 100, 1, 100},
		{"more than all calls may cost", prunecel.Verdict{Sure: true, Cost: 101}, 100, 0, 2},
	} {
		rules := &prunecel.Rules{Type: "string", Self: "string", Rules: []*prunecel.Rule{{
			Rule: "self != 'bad'", Program: `(_!=_ self "bad")`,
			Check: func(prunecel.Reader) prunecel.Verdict { return c.verdict },
		}}}
		r := rules.ValidateValue("good", nil, nil, prunecel.Costs{Call: prunecel.CostLimit, All: c.all})
		if len(r.Errors) != c.errors || r.Spent != c.spent || r.Stopped {
			t.Errorf("%s: %d errors, spent %d, stopped %t; want %d, %d", c.name, len(r.Errors), r.Spent, r.Stopped, c.errors, c.spent)
		}
	}
}
