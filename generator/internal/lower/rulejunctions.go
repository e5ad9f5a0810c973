package lower

import (
	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// opposite returns !v.
func opposite(v plan.GoValue) plan.GoValue {
	switch v := v.(type) {
	case plan.Opposite:
		return v.X
	case plan.Infix:
		if op, ok := opposites[v.Op]; ok {
			return plan.Infix{Op: op, X: v.X, Y: v.Y}
		}
	}
	return plan.Opposite{X: v}
}

// opposites are operators that are true where others are false. No float is compared by < in the code of rules.
var opposites = map[string]string{"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}

// operands returns the operands of a chain of && or ||.
func operands(e *prunecel.Expr, op string) []*prunecel.Expr {
	if e.Op != prunecel.OpCall || e.Name != op {
		return []*prunecel.Expr{e}
	}
	var all []*prunecel.Expr
	for _, a := range e.Args {
		all = append(all, operands(a, op)...)
	}
	return all
}

// junction compiles the operands of && and ||. One that fails does not matter if another decides.
func (c *ruleCompiler) junction(terms []*prunecel.Expr, decides bool) plan.GoValue {
	op := "&&"
	if decides {
		op = "||"
	}
	undecided := func(v plan.GoValue) plan.GoValue {
		if decides {
			return opposite(v)
		}
		return v
	}
	term, rest := terms[0], terms[1:]
	if len(rest) == 0 {
		return c.truth(term)
	}
	names, cost := len(c.names.given), c.loop.cost
	var first, second plan.GoValue
	block := c.compile(c.fail, func() { first = c.truth(term) })
	if block.canFail() {
		// Again, in a function of its own.
		c.names.forget(names)
		c.loop.cost = cost
		block := c.compile(plan.Return{Values: []plan.GoValue{plan.Name("false"), plan.Name("false")}}, func() {
			c.add(plan.Return{Values: []plan.GoValue{c.truth(term), plan.Name("true")}})
		})
		is, ok := plan.Name(c.name("holds")), plan.Name(c.name("sure"))
		c.add(plan.Let{Names: []string{string(is), string(ok)}, Value: plan.Try{Type: "bool", Body: block.code}})
		then := c.within(func() {
			second = c.junction(rest, decides)
			// Without the first operand the others must decide.
			c.failIf(plan.Infix{Op: "&&", X: opposite(ok), Y: undecided(second)}, expected)
			c.add(plan.Set{Name: string(is), Value: second})
		})
		c.add(plan.If{Cond: plan.Infix{Op: "||", X: opposite(ok), Y: undecided(is)}, Then: then})
		return is
	}
	c.join(block)
	then := c.within(func() {
		c.facts(term, !decides)
		second = c.junction(rest, decides)
	})
	if len(then) == 0 {
		return plan.Infix{Op: op, X: first, Y: second}
	}
	is := plan.Name(c.name("holds"))
	c.add(plan.Let{Names: []string{string(is)}, Value: first},
		plan.If{Cond: undecided(is), Then: append(then, plan.Set{Name: string(is), Value: second})})
	return is
}

// choice compiles c ? a : b.
func (c *ruleCompiler) choice(e *prunecel.Expr) plan.GoValue {
	typ := goType(e.Type)
	if a, b := goType(e.Args[1].Type), goType(e.Args[2].Type); typ == "" || a != b || a != typ {
		panic(unsupported("a choice between values of type " + typeText(e)))
	}
	cond := c.truth(e.Args[0])
	r := c.name("chosen")
	branch := func(i int, is bool) plan.Code {
		return c.within(func() {
			c.facts(e.Args[0], is)
			c.add(plan.Set{Name: r, Value: c.value(e.Args[i])})
		})
	}
	then, otherwise := branch(1, true), branch(2, false)
	if n := e.Args[2]; n.Op == prunecel.OpConst && (n.Const == int64(0) || n.Const == false || n.Const == "") {
		otherwise = nil // it is declared so
	}
	c.add(plan.Declare{Name: r, Type: typ}, plan.If{Cond: cond, Then: then, Otherwise: otherwise})
	return plan.Name(r)
}
