package lower

import (
	"slices"

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
		return c.quantifier(e, step.Args[1], false)
	case step.Name == "_||_" && isAccu(step.Args[0]):
		return c.quantifier(e, step.Args[1], true)
	case step.Name == "_?_:_" && step.Args[1].Overload == "add_int64":
		return plan.Infix{Op: "==", X: c.count(e), Y: plan.Literal{Of: 1}} // exists_one
	case step.Name == "_+_" || step.Name == "_?_:_":
		return c.list(e)
	}
	panic(unsupported("a comprehension"))
}

// roundCost bounds what a round of a comprehension costs besides its test and its element, whose code pays for itself.
const roundCost = 20

// each compiles a loop over a list, or the keys of a map. The body is compiled with the variable set.
func (c *ruleCompiler) each(e *prunecel.Expr, body func()) {
	over := e.Args[prunecel.FoldRange]
	x := c.value(over)
	c.pay(roundCost)
	outer := c.loop
	c.loop = &ruleLoop{cost: roundCost}
	loop := plan.Range{Over: x}
	isUsed := uses(e.Args[prunecel.FoldStep], e.Var)
	loop.Body = c.within(func() {
		switch kind := kindOf(over); {
		case kind == prunecel.KindList && isUsed:
			loop.Elem = c.name("element")
			c.vars[e.Var] = c.convert(plan.Name(loop.Elem), over.Type.Elem, variable(e.Var), surprise)
		case kind == prunecel.KindMap && !over.Type.Computed:
			if isUsed {
				loop.Key = c.name(variable(e.Var))
				c.vars[e.Var] = plan.Name(loop.Key)
			}
		case kind != prunecel.KindList:
			panic(unsupported("a loop over " + typeText(over)))
		}
		body()
	})
	cost := c.loop.cost
	c.loop = outer
	c.add(c.spend(length(x), cost), loop)
}

// quantifier compiles all and exists. An element whose test fails does not matter if another decides.
func (c *ruleCompiler) quantifier(e, test *prunecel.Expr, decides bool) plan.GoValue {
	macro := "all"
	if decides {
		macro = "exists"
	}
	is, failed := plan.Name(c.name(macro)), plan.Name("")
	decided := func(v plan.GoValue) plan.GoValue {
		if decides {
			return v
		}
		return opposite(v)
	}
	c.add(plan.Let{Names: []string{string(is)}, Value: plan.Literal{Of: !decides}})
	start := len(c.code)
	end := plan.Code{plan.Set{Name: string(is), Value: plan.Literal{Of: decides}}, plan.Break{}}
	c.each(e, func() {
		names, cost := len(c.names.given), c.loop.cost
		var holds plan.GoValue
		block := c.compile(c.fail, func() { holds = c.truth(test) })
		if !block.canFail() {
			c.join(block)
			c.add(plan.If{Cond: decided(holds), Then: end})
			return
		}
		// Again, in a function of its own.
		c.names.forget(names)
		c.loop.cost = cost
		block = c.compile(plan.Return{Values: []plan.GoValue{plan.Literal{Of: false}, plan.Literal{Of: false}}}, func() {
			c.add(plan.Return{Values: []plan.GoValue{c.truth(test), plan.Literal{Of: true}}})
		})
		v, ok := plan.Name(c.name("holds")), plan.Name(c.name("sure"))
		failed = plan.Name(c.name("failed"))
		c.add(plan.Let{Names: []string{string(v), string(ok)}, Value: plan.Try{Type: "bool", Body: block.code}},
			plan.If{Cond: opposite(ok), Then: plan.Code{plan.Set{Name: string(failed), Value: plan.Literal{Of: true}}, plan.Continue{}}},
			plan.If{Cond: decided(v), Then: end})
	})
	if failed != "" {
		before := plan.Let{Names: []string{string(failed)}, Value: plan.Literal{Of: false}}
		c.code = slices.Insert(c.code, start, plan.Stmt(before))
		c.failIf(plan.Infix{Op: "&&", X: failed, Y: opposite(decided(is))}, expected)
	}
	return is
}

// count compiles the number of elements that satisfy the test of exists_one or filter.
func (c *ruleCompiler) count(e *prunecel.Expr) plan.GoValue {
	n := c.name("n")
	c.add(plan.Let{Names: []string{n}, Value: plan.Call{Builtin: true, Func: "int64", Args: []plan.GoValue{plan.Literal{Of: 0}}}})
	c.each(e, func() {
		holds := c.truth(e.Args[prunecel.FoldStep].Args[0])
		c.add(plan.If{Cond: holds, Then: plan.Code{plan.Increment{Name: n}}})
	})
	return plan.Name(n)
}

// list compiles map and filter.
func (c *ruleCompiler) list(e *prunecel.Expr) plan.GoValue {
	step := e.Args[prunecel.FoldStep]
	var test *prunecel.Expr
	if step.Name == "_?_:_" {
		test, step = step.Args[0], step.Args[1]
	}
	if step.Name != "_+_" || step.Args[1].Op != prunecel.OpList || len(step.Args[1].Args) != 1 || step.Args[1].Optional != nil {
		panic(unsupported("a comprehension"))
	}
	elem := step.Args[1].Args[0]
	if goType(elem.Type) == "" || !e.IsFilter() && !plain(elem.Type) {
		panic(unsupported("a list of " + typeText(elem)))
	}
	r := c.name("list")
	c.add(plan.Declare{Name: r, Type: "[]any"})
	c.each(e, func() {
		grow := func() plan.Stmt {
			return plan.Set{Name: r, Value: plan.Call{Builtin: true, Func: "append", Args: []plan.GoValue{plan.Name(r), typed(c.value(elem), elem)}}}
		}
		if test == nil {
			c.add(grow())
			return
		}
		holds := c.truth(test)
		then := c.within(func() {
			c.facts(test, true)
			c.add(grow())
		})
		c.add(plan.If{Cond: holds, Then: then})
	})
	return plan.Name(r)
}
