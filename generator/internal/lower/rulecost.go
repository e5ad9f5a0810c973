package lower

import (
	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// pay adds to the cost of a round of the current loop.
func (c *ruleCompiler) pay(cost int) { c.loop.cost += cost }

// spend returns a statement that adds n times cost, and ends the code if that is too much.
func (c *ruleCompiler) spend(n plan.GoValue, cost int) plan.Stmt {
	c.metered, c.spends = true, true
	return plan.If{Cond: opposite(plan.Method{Of: plan.Name("meter"), Name: "Spend", Args: []plan.GoValue{n, plan.Literal{Of: cost}}}), Then: plan.Code{c.fail}}
}

// spendText pays for reading a text: a constant one at once, others where the code knows how long they are.
func (c *ruleCompiler) spendText(v plan.GoValue, factor int) {
	if s, ok := textOf(v); ok {
		c.pay((len(s)/10 + 1) * factor)
		return
	}
	c.add(c.spend(plan.Infix{Op: "+", X: plan.Infix{Op: "/", X: length(v), Y: plan.Literal{Of: 10}}, Y: plan.Literal{Of: 1}}, factor))
}

// textOf returns the text of a constant.
func textOf(v plan.GoValue) (string, bool) {
	l, _ := v.(plan.Literal)
	s, ok := l.Of.(string)
	return s, ok
}

func length(v plan.GoValue) plan.GoValue {
	return plan.Call{Builtin: true, Func: "len", Args: []plan.GoValue{v}}
}

// price returns the cost of reading a field, with all steps from a variable; 0 if there is more to it than steps.
func price(e *prunecel.Expr) int {
	if e.Op == prunecel.OpIdent {
		return 1
	}
	if e.Op == prunecel.OpSelect || e.Op == prunecel.OpHas {
		if p := price(e.Args[0]); p > 0 {
			return p + 1
		}
	}
	return 0
}

// spendShorter pays for comparing two texts, which reads the shorter one.
func (c *ruleCompiler) spendShorter(x, y plan.GoValue) {
	if _, ok := textOf(y); ok {
		x = y
	}
	c.spendText(x, 1)
}
