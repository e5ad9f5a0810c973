package rules

import (
	"fmt"
	"runtime/debug"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// Generated is generated code with the rules of a subject.
type Generated struct {
	Validate func(obj, old map[string]any) (prunert.ErrorList, []string)
	// Table has the compiled rules. Watch must have been called on it.
	Table *prunecel.Rules
	// Rules counts the rules, Compiled those that are compiled. Calls counts the evaluations of these, Unsure those that were left to
	// programs.
	Rules, Compiled, Calls, Unsure int
	// Wrong lists what compiled rules were sure of and wrong about.
	Wrong []string
}

// Watch makes the compiled rules of the table compare themselves with their programs: the verdict, and that what they say to have cost
// is not less than the cost.
func (g *Generated) Watch() {
	seen := map[*prunecel.Rules]bool{}
	var walk func(n *prunecel.Rules)
	walk = func(n *prunecel.Rules) {
		if n == nil || seen[n] {
			return
		}
		seen[n] = true
		for _, r := range n.Rules {
			g.Rules++
			if r.Check != nil {
				g.Compiled++
				g.watch(n, r)
			}
		}
		for _, f := range n.Fields {
			walk(f.Rules)
		}
		walk(n.Items)
		walk(n.Values)
	}
	walk(g.Table)
}

func (g *Generated) watch(n *prunecel.Rules, r *prunecel.Rule) {
	check := r.Check
	r.Check = func(self, old any) (prunecel.Verdict, int64) {
		v, spent := check(self, old)
		g.Calls++
		if v == prunecel.Unsure || spent > prunecel.CostLimit {
			g.Unsure++
			return v, spent
		}
		result, cost, err := evaluate(n, r, self, old)
		switch {
		case err != nil:
			g.wrong(r, self, old, fmt.Sprintf("compiled %t, the program fails: %v", v == prunecel.True, err))
		case result != (v == prunecel.True):
			g.wrong(r, self, old, fmt.Sprintf("compiled %t, the program %v", v == prunecel.True, result))
		case int64(cost) > spent:
			g.wrong(r, self, old, fmt.Sprintf("costs %d, the compiled code says %d", cost, spent))
		}
		return v, spent
	}
}

func (g *Generated) wrong(r *prunecel.Rule, self, old any, what string) {
	text := fmt.Sprintf("compiled rule: %s\n  rule       %s\n  self       %s\n", what, r.Rule, show(self))
	if r.UsesOld {
		text += fmt.Sprintf("  oldSelf    %s\n", show(old))
	}
	g.Wrong = append(g.Wrong, text)
}

// evaluate evaluates a rule by its program.
func evaluate(n *prunecel.Rules, r *prunecel.Rule, self, old any) (result any, cost uint64, err error) {
	typ, err := n.Self.Type()
	if err != nil {
		return nil, 0, err
	}
	program, err := r.Program.Program()
	if err != nil {
		return nil, 0, err
	}
	vars := prunecel.Variables{Self: typ.Value(self), HasOld: old != nil || r.OptionalOld}
	if old != nil {
		vars.OldSelf = typ.Value(old)
	}
	if r.OptionalOld {
		vars.OldSelf = prunecel.Optional{Value: vars.OldSelf, Present: old != nil}
	}
	return program.Evaluate(vars, prunecel.CostLimit)
}

// compare says how what generated code says about a case differs from what the table says; empty if it does not.
func (g *Generated) compare(c Case) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprintf("%s: generated code: panic: %v\n%s", c.Subject.Name, r, debug.Stack())
		}
	}()
	want := c.Subject.Ours(c.Object, c.Old)
	errs, warnings := g.Validate(c.Object, c.Old)
	got := NewAnswer(prunecel.Result{Errors: errs, Warnings: warnings}, prunecel.Costs{})
	if got.Remaining = want.Remaining; got.equal(want) {
		return ""
	}
	text = fmt.Sprintf("%s: generated code differs from the table\n  object     %s\n", c.Subject.Name, show(c.Object))
	if c.Old != nil {
		text += fmt.Sprintf("  old        %s\n", show(c.Old))
	}
	for _, e := range append(only(got.Errors, want.Errors), only(got.Warnings, want.Warnings)...) {
		text += fmt.Sprintf("  generated  %s\n", e)
	}
	for _, e := range append(only(want.Errors, got.Errors), only(want.Warnings, got.Warnings)...) {
		text += fmt.Sprintf("  table      %s\n", e)
	}
	return text
}
