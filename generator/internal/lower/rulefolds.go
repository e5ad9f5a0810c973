package lower

import (
	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// fold compiles a comprehension that is what one of the macros expands to.
func (c *ruleCompiler) fold(e *prunecel.Expr) plan.GoValue {
	step := e.Args[prunecel.FoldStep]
	if e.Var2 != "" || step.Op != prunecel.OpCall {
		panic(unsupported("a comprehension with two variables"))
	}
	isAccu := func(x *prunecel.Expr) bool { return x.Op == prunecel.OpIdent && x.Name == e.Accu }
	switch {
	case step.Name == "_&&_" && isAccu(step.Args[0]):
		return c.quantifier(e, step.Args[1], "All", "AllKeys")
	case step.Name == "_||_" && isAccu(step.Args[0]):
		return c.quantifier(e, step.Args[1], "Exists", "ExistsKey")
	case step.Name == "_?_:_" && step.Args[1].Overload == "add_int64":
		return plan.Infix{Op: "==", X: c.count(e), Y: plan.Literal{Of: 1}} // exists_one
	case step.Name == "_+_" || step.Name == "_?_:_":
		return c.list(e)
	}
	panic(unsupported("a comprehension"))
}

// quantifier compiles all and exists as a method for lists, or for the keys of maps.
func (c *ruleCompiler) quantifier(e, test *prunecel.Expr, list, keys string) plan.GoValue {
	over := e.Args[prunecel.FoldRange]
	x := c.value(over)
	if kindOf(over) != prunecel.KindMap || over.Type.Computed {
		return c.loop(list, c.elements(x, over), e.Var, test, "bool")
	}
	f := plan.Func{Param: "_", ParamType: "string", Result: "bool"}
	return plan.Method{Name: keys, Args: []plan.GoValue{x, c.round(f, e.Var, test, &prunecel.Type{Kind: prunecel.KindString})}}
}

// count compiles the number of elements that satisfy the test of exists_one or filter.
func (c *ruleCompiler) count(e *prunecel.Expr) plan.GoValue {
	over := e.Args[prunecel.FoldRange]
	return c.loop("Count", c.elements(c.value(over), over), e.Var, e.Args[prunecel.FoldStep].Args[0], "bool")
}

// list compiles map and filter. A map with a test is one of the elements that a filter leaves.
func (c *ruleCompiler) list(e *prunecel.Expr) plan.GoValue {
	step := e.Args[prunecel.FoldStep]
	over := e.Args[prunecel.FoldRange]
	x := c.elements(c.value(over), over)
	if step.Name == "_?_:_" {
		x.value = c.loop("Filter", x, e.Var, step.Args[0], "bool")
		step = step.Args[1]
	}
	if step.Name != "_+_" || step.Args[1].Op != prunecel.OpList || len(step.Args[1].Args) != 1 || step.Args[1].Optional != nil {
		panic(unsupported("a comprehension"))
	}
	elem := step.Args[1].Args[0]
	if goType(elem.Type) == "" || !e.IsFilter() && !plain(elem.Type) {
		panic(unsupported("a list of " + typeText(elem)))
	}
	if e.IsFilter() {
		return x.value
	}
	return c.loop("Map", x, e.Var, elem, "any")
}

// elementList is a list of Go, with the type of its elements.
type elementList struct {
	value plan.GoValue
	elem  *prunecel.Type
}

// elements returns the elements of a list, or the keys of a map.
func (c *ruleCompiler) elements(x plan.GoValue, over *prunecel.Expr) elementList {
	switch kind := kindOf(over); {
	case kind == prunecel.KindList:
		return elementList{x, over.Type.Elem}
	case kind == prunecel.KindMap && !over.Type.Computed:
		return elementList{plan.Call{Func: "Keys", Args: []plan.GoValue{x}}, &prunecel.Type{Kind: prunecel.KindString}}
	}
	panic(unsupported("a loop over " + typeText(over)))
}

// loop compiles a method that calls a function for each element of a list.
func (c *ruleCompiler) loop(method string, list elementList, name string, body *prunecel.Expr, result string) plan.GoValue {
	f := plan.Func{Param: "_", ParamType: "any", Result: result}
	return plan.Method{Name: method, Args: []plan.GoValue{list.value, c.round(f, name, body, list.elem)}}
}

// roundCost bounds what a round of a comprehension costs besides its body: 1 each for reading the result so far, the condition and the
// operator of the step, and where the macro makes a list, 10 for a list of one element. TestRoundsCostNoMoreThanCodePays measures them;
// the rest is a reserve.
const roundCost = 20

// round compiles the function that a loop calls with each element, which has a name and a type in the body.
func (c *ruleCompiler) round(f plan.Func, name string, body *prunecel.Expr, elem *prunecel.Type) plan.Func {
	c.pay(roundCost)
	outer, cost, conditions, steps := c.block, c.cost, c.conditions, c.steps
	c.block, c.cost, c.conditions, c.steps = &ruleBlock{}, roundCost, 0, true
	c.loops++
	if uses(body, name) {
		wanted := "element"
		if f.ParamType == "string" {
			wanted = variable(name)
		}
		f.Param = c.name(wanted)
		defer c.declare(name, body, plan.Name(f.Param), elem)()
		if f.ParamType == "string" {
			c.vars[name].value = plan.Name(f.Param)
		}
	}
	if f.Result == "bool" {
		f.Value = c.result(body)
	} else {
		f.Value = typed(c.value(body), body)
	}
	f.Lets = c.block.lets
	c.rule.Round = max(c.rule.Round, c.cost)
	c.loops--
	c.block, c.cost, c.conditions, c.steps = outer, cost, conditions, steps
	return f
}
