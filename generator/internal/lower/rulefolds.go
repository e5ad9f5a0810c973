package lower

import (
	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// fold compiles a comprehension that is what one of the macros expands to.
func (c *ruleCompiler) fold(e *prunecel.Expr) plan.GoValue {
	if e.Var2 != "" {
		panic(unsupported("a comprehension with two variables"))
	}
	switch body, macro := celrules.Macro(e); macro {
	case "all":
		return c.quantifier(e, body[0], "All", "AllKeys")
	case "exists":
		return c.quantifier(e, body[0], "Exists", "ExistsKey")
	case "exists_one":
		return plan.Infix{Op: "==", X: c.count(e), Y: plan.Literal{Of: 1}}
	case "filter":
		return c.loop("Filter", e, body[0])
	}
	panic(unsupported("a comprehension"))
}

// quantifier compiles all and exists as a method for lists, or for the keys of maps.
func (c *ruleCompiler) quantifier(e, test *prunecel.Expr, list, keys string) plan.GoValue {
	over := e.Args[prunecel.FoldRange]
	if kindOf(over) != prunecel.KindMap || over.Type.Computed {
		return c.loop(list, e, test)
	}
	x := c.value(over)
	f := plan.Func{Param: "_", ParamType: "string", Result: "bool"}
	return plan.Method{Name: keys, Args: []plan.GoValue{x, c.round(f, e.Var, test, &prunecel.Type{Kind: prunecel.KindString})}}
}

// count compiles the number of elements that satisfy the test of exists_one or filter.
func (c *ruleCompiler) count(e *prunecel.Expr) plan.GoValue {
	return c.loop("Count", e, e.Args[prunecel.FoldStep].Args[0])
}

// loop compiles a method that calls a test for each element of a list.
func (c *ruleCompiler) loop(method string, e, test *prunecel.Expr) plan.GoValue {
	over := e.Args[prunecel.FoldRange]
	if kindOf(over) != prunecel.KindList {
		panic(unsupported("a loop over " + typeText(over)))
	}
	list := c.value(over)
	f := plan.Func{Param: "_", ParamType: "any", Result: "bool"}
	return plan.Method{Name: method, Args: []plan.GoValue{list, c.round(f, e.Var, test, over.Type.Elem)}}
}

// roundCost bounds what a round of a comprehension costs besides its body: 1 each for reading the result so far, the condition and the
// operator of the step, and where the macro makes a list, 10 for a list of one element. TestRoundsCostNoMoreThanCodePays measures them;
// the rest is a reserve.
const roundCost = 20

// round compiles the function that a loop calls with each element, which has a name and a type in the test.
func (c *ruleCompiler) round(f plan.Func, name string, test *prunecel.Expr, elem *prunecel.Type) plan.Func {
	c.pay(roundCost)
	outer, cost, conditions := c.block, c.cost, c.conditions
	c.block, c.cost, c.conditions = &ruleBlock{}, roundCost, 0
	c.loops++
	if uses(test, name) {
		wanted := variable(name)
		if s := c.sources[sourceKey{name, test}]; f.ParamType == "any" && c.decided && s.hasVariables() {
			wanted = "element"
		}
		f.Param = c.name(wanted)
		defer c.declare(name, test, plan.Name(f.Param), elem)()
		if c.vars[name].element = f.ParamType == "any"; f.ParamType == "string" {
			c.vars[name].value = plan.Name(f.Param)
		}
	}
	f.Value = c.truth(test)
	f.Lets = c.block.lets
	c.rule.Round = max(c.rule.Round, c.cost)
	c.loops--
	c.block, c.cost, c.conditions = outer, cost, conditions
	return f
}
