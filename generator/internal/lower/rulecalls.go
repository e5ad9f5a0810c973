package lower

import (
	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// call compiles a call.
func (c *ruleCompiler) call(e *prunecel.Expr) plan.GoValue {
	switch e.Name {
	case "_&&_", "_||_":
		return c.junction(e, operand)
	case "_?_:_":
		return c.choice(e)
	case "!_":
		c.pay(1)
		if kindOf(e.Args[0]) != prunecel.KindBool {
			panic(unsupported("! of a value that is not a boolean"))
		}
		return opposite(c.value(e.Args[0]))
	case "_==_", "_!=_":
		return c.equality(e)
	case "_<_", "_<=_", "_>_", "_>=_":
		return c.order(e)
	case "@in":
		return c.membership(e)
	case "size":
		return c.size(e)
	case "_[_]":
		return c.element(e)
	case "_+_", "_-_", "_*_", "_/_", "_%_", "-_":
		return c.arithmetic(e)
	case "contains", "startsWith", "endsWith":
		return c.textTest(e)
	case "matches":
		return c.matches(e)
	}
	return c.function(e)
}

// values compiles the arguments of a call.
func (c *ruleCompiler) values(e *prunecel.Expr) []plan.GoValue {
	all := make([]plan.GoValue, len(e.Args))
	for i, a := range e.Args {
		all[i] = c.value(a)
	}
	return all
}

// size compiles size(x).
func (c *ruleCompiler) size(e *prunecel.Expr) plan.GoValue {
	c.pay(1)
	arg := e.Args[0]
	if arg.IsFilter() {
		return c.count(arg)
	}
	switch kindOf(arg) {
	case prunecel.KindString:
		return plan.Call{Func: "Length", Args: c.values(e)}
	case prunecel.KindList, prunecel.KindMap, prunecel.KindObject, prunecel.KindOpaque:
		if goType(arg.Type) != "" {
			return plan.Call{Builtin: true, Func: "int64", Args: []plan.GoValue{length(c.value(arg))}}
		}
	}
	panic(unsupported("size of " + typeText(arg)))
}

// element compiles x[i].
func (c *ruleCompiler) element(e *prunecel.Expr) plan.GoValue {
	of, index := e.Args[0], e.Args[1]
	if of.Type == nil || of.Type.Elem == nil {
		panic(unsupported("an element of " + typeText(of)))
	}
	c.pay(2)
	x, i := c.value(of), c.value(index)
	switch {
	case kindOf(of) == prunecel.KindList && kindOf(index) == prunecel.KindInt:
		if split, ok := x.(plan.Call); ok && split.Args[0] == plan.GoValue(plan.Function("Split")) {
			// One of the strings, without a list of all.
			return plan.Call{Func: "Try3", Reader: true, Args: append([]plan.GoValue{plan.Function("Part")}, append(split.Args[1:], i)...)}
		}
		return convert(plan.Method{Name: "Element", Args: []plan.GoValue{x, i}}, of.Type.Elem)
	case kindOf(of) == prunecel.KindMap && !of.Type.Computed && kindOf(index) == prunecel.KindString:
		return convert(plan.Method{Name: "Entry", Args: []plan.GoValue{x, i}}, of.Type.Elem)
	}
	panic(unsupported("an element of " + typeText(of)))
}
