package lower

import (
	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// arithmetic compiles + - * / and %.
func (c *ruleCompiler) arithmetic(e *prunecel.Expr) plan.GoValue {
	for _, a := range e.Args {
		if k := kindOf(a); k == prunecel.KindIntOrString || k == prunecel.KindNone || k == prunecel.KindOther {
			panic(unsupported(e.Name + " of " + typeText(a)))
		}
	}
	switch e.Overload {
	case "add_string":
		return plan.Method{Name: "Concat", Args: c.values(e)}
	case "add_double", "subtract_double", "multiply_double", "divide_double":
		c.pay(1)
		args := c.values(e)
		if _, ok := args[0].(plan.Literal); ok {
			// Go computes constants without rounding, and does not divide them by 0.
			args[0] = plan.Method{Name: "Double", Args: []plan.GoValue{args[0]}}
		}
		// The conversion rounds: Go may compute x*y + z without.
		return plan.Call{Builtin: true, Func: "float64", Args: []plan.GoValue{plan.Infix{Op: e.Name[1:2], X: args[0], Y: args[1]}}}
	case "add_list":
		for _, a := range e.Args {
			if a.Type == nil || a.Type.List != prunecel.AtomicList || !plain(a.Type.Elem) {
				panic(unsupported("+ of " + typeText(a)))
			}
		}
		c.pay(1)
		return plan.Call{Func: "AddLists", Args: c.values(e)}
	}
	f := prunecel.Lookup(e.Overload)
	if f == nil || f.Go == "" {
		panic(unsupported(e.Name + " of " + typeText(e.Args[0])))
	}
	c.pay(1)
	if e.Overload == "add_int64" && celrules.NeverOverflows(e) {
		args := c.values(e)
		return plan.Infix{Op: "+", X: args[0], Y: args[1]}
	}
	return c.called(f, c.values(e))
}
