package lower

import (
	"github.com/prune-gen/prune-gen/generator/internal/plan"
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
		args := c.values(e)
		c.spendText(args[0], 1)
		c.spendText(args[1], 1)
		return plan.Infix{Op: "+", X: args[0], Y: args[1]}
	case "add_double", "subtract_double", "multiply_double", "divide_double":
		c.pay(1)
		args := c.values(e)
		if _, ok := args[0].(plan.Literal); ok {
			// Go computes constants without rounding, and does not divide them by 0.
			v := c.name("v")
			c.add(plan.Let{Names: []string{v}, Value: args[0]})
			args[0] = plan.Name(v)
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
	f, ok := arithmeticFunctions[e.Overload]
	if !ok {
		panic(unsupported(e.Name + " of " + typeText(e.Args[0])))
	}
	c.pay(1)
	if e.Overload == "add_int64" && isSmall(e) {
		args := c.values(e)
		return plan.Infix{Op: "+", X: args[0], Y: args[1]}
	}
	return c.orError(f.result, plan.Call{Func: f.name, Args: c.values(e)}, expected)
}

// arithmeticFunctions are the operators that can overflow, by their overloads, with what their results are called.
var arithmeticFunctions = map[string]struct{ name, result string }{
	"add_int64": {"AddInt", "sum"}, "subtract_int64": {"SubInt", "difference"}, "multiply_int64": {"MulInt", "product"},
	"divide_int64": {"DivInt", "quotient"}, "modulo_int64": {"ModInt", "remainder"}, "negate_int64": {"NegInt", "negative"},
	"add_duration_duration": {"AddDuration", "sum"}, "subtract_duration_duration": {"SubDuration", "difference"},
	"add_timestamp_duration": {"AddTime", "sum"}, "subtract_timestamp_duration": {"SubTime", "difference"},
	"subtract_timestamp_timestamp": {"SubTimes", "difference"},
}

// isSmall reports whether an integer is a sum of small constants and sizes, which does not overflow: (has(a) ? 1 : 0) + size(b).
func isSmall(e *prunecel.Expr) bool {
	switch {
	case e.Op == prunecel.OpConst:
		n, ok := e.Const.(int64)
		return ok && -1000 <= n && n <= 1000
	case e.Op != prunecel.OpCall:
		return false
	case e.Name == "_?_:_":
		return isSmall(e.Args[1]) && isSmall(e.Args[2])
	case e.Name == "size":
		return true
	}
	return e.Overload == "add_int64" && isSmall(e.Args[0]) && isSmall(e.Args[1])
}
