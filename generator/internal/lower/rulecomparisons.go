package lower

import (
	"slices"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// equality compiles == and !=.
func (c *ruleCompiler) equality(e *prunecel.Expr) plan.GoValue {
	a, b := e.Args[0], e.Args[1]
	op := "=="
	if e.Name == "_!=_" {
		op = "!="
	}
	if is, ok := c.typeTest(a, b); ok {
		return signed(is, op)
	}
	switch kind := kindOf(a); {
	case kind == prunecel.KindList && b.Op == prunecel.OpList && len(b.Args) == 0:
		c.pay(1)
		return plan.Infix{Op: op, X: length(c.value(a)), Y: plan.Literal{Of: 0}}
	case kind == prunecel.KindIntOrString && b.Op == prunecel.OpConst:
		if _, isText := b.Const.(string); isText || kindOf(b) == prunecel.KindInt {
			c.pay(10)
			return plan.Infix{Op: op, X: c.value(a), Y: plan.Call{Builtin: true, Func: goType(b.Type), Args: []plan.GoValue{c.value(b)}}}
		}
	case kind != kindOf(b):
	case kind == prunecel.KindTimestamp:
		c.pay(1)
		return signed(plan.Call{Func: "EqualTimes", Args: c.values(e)}, op)
	case kind == prunecel.KindString:
		x, y := c.value(a), c.value(b)
		c.spendShorter(x, y)
		return plan.Infix{Op: op, X: x, Y: y}
	case kind == prunecel.KindBool, kind == prunecel.KindInt, kind == prunecel.KindDouble, kind == prunecel.KindDuration:
		c.pay(1)
		return plan.Infix{Op: op, X: c.value(a), Y: c.value(b)}
	case kind == prunecel.KindObject, kind == prunecel.KindMap, kind == prunecel.KindList:
		return signed(c.deepEquality(a, b), op)
	}
	panic(unsupported("a comparison of " + typeText(a) + " with " + typeText(b)))
}

// signed returns a value, or its opposite.
func signed(is plan.GoValue, op string) plan.GoValue {
	if op == "!=" {
		return opposite(is)
	}
	return is
}

// typeTest compiles type(x) == string for an integer or a string.
func (c *ruleCompiler) typeTest(a, b *prunecel.Expr) (plan.GoValue, bool) {
	if a.Op != prunecel.OpCall || a.Name != "type" || kindOf(a.Args[0]) != prunecel.KindIntOrString || b.Op != prunecel.OpConst {
		return nil, false
	}
	typ, name := "", ""
	switch b.Const {
	case prunecel.TypeValue("int"):
		typ, name = "int64", "isInt"
	case prunecel.TypeValue("string"):
		typ, name = "string", "isString"
	default:
		return nil, false
	}
	c.pay(2)
	is := c.name(name)
	c.add(plan.Let{Names: []string{"_", is}, Value: plan.Assert{Of: c.value(a.Args[0]), Type: typ}})
	return plan.Name(is), true
}

// deepEquality compiles the comparison of two values of the resource.
func (c *ruleCompiler) deepEquality(a, b *prunecel.Expr) plan.GoValue {
	if a.Type.Computed || b.Type.Computed {
		panic(unsupported("a comparison of a computed value"))
	}
	x, y := c.value(a), c.value(b)
	c.add(c.spend(length(x), 1))
	c.pay(1)
	return c.sureOf("isEqual", plan.Method{Of: plan.RuleType(numberOf(&c.rule.Types, a.Type.String())), Name: "Equal", Args: []plan.GoValue{x, y}})
}

// numberOf returns the index of a text in a list, to which it is added if need be.
func numberOf(list *[]string, text string) int {
	i := slices.Index(*list, text)
	if i < 0 {
		i = len(*list)
		*list = append(*list, text)
	}
	return i
}

// order compiles <, <=, > and >=.
func (c *ruleCompiler) order(e *prunecel.Expr) plan.GoValue {
	op := e.Name[1 : len(e.Name)-1]
	kind := kindOf(e.Args[0])
	if kind != kindOf(e.Args[1]) {
		panic(unsupported("an order of values of two types"))
	}
	switch kind {
	case prunecel.KindInt, prunecel.KindDuration:
		c.pay(1)
		return plan.Infix{Op: op, X: c.value(e.Args[0]), Y: c.value(e.Args[1])}
	case prunecel.KindString:
		x, y := c.value(e.Args[0]), c.value(e.Args[1])
		c.spendShorter(x, y)
		return plan.Infix{Op: op, X: x, Y: y}
	case prunecel.KindTimestamp:
		c.pay(1)
		return plan.Infix{Op: op, X: plan.Call{Func: "CompareTimes", Args: c.values(e)}, Y: plan.Literal{Of: 0}}
	case prunecel.KindDouble:
		c.pay(1)
		// NaN is not in any order.
		v := c.orError("order", plan.Call{Func: "CompareDoubles", Args: c.values(e)}, surprise)
		return plan.Infix{Op: op, X: v, Y: plan.Literal{Of: 0}}
	}
	panic(unsupported("an order of " + typeText(e.Args[0])))
}

// membership compiles in.
func (c *ruleCompiler) membership(e *prunecel.Expr) plan.GoValue {
	x, in := e.Args[0], e.Args[1]
	kind := kindOf(x)
	switch {
	case in.Op == prunecel.OpList:
		if isListOf(in, kind) {
			return c.oneOf(typed(c.value(x), x), in.Args)
		}
	case kindOf(in) == prunecel.KindList:
		if elem := in.Type.Elem; elem == nil || elem.Kind != kind || !plain(elem) {
			break
		}
		v, list := c.value(x), c.value(in)
		c.add(c.spend(length(list), 1))
		return c.sureOf("isElement", plan.Call{Func: "HasElement", Args: []plan.GoValue{list, typed(v, x)}})
	case kindOf(in) == prunecel.KindMap && !in.Type.Computed && kind == prunecel.KindString:
		c.pay(1)
		key := c.value(x)
		if x.Op != prunecel.OpConst {
			key = c.named(key, "key")
		}
		return c.hasKey(c.value(in), key, in.Type.Elem)
	}
	panic(unsupported("in with " + typeText(in)))
}

// hasKey compiles whether a map has a key. A value that is not what the schema says fails.
func (c *ruleCompiler) hasKey(m, key plan.GoValue, elem *prunecel.Type) plan.GoValue {
	if elem == nil {
		panic(unsupported("a map of unknown values"))
	}
	isKey := c.sureOf("isKey", plan.Call{Func: "HasKey", Args: []plan.GoValue{m, key}})
	isValue := c.name("isValue")
	c.add(plan.Let{Names: []string{"_", isValue}, Value: made(plan.Index{Of: m, Key: key}, elem)})
	c.failIf(plan.Infix{Op: "!=", X: isKey, Y: plan.Name(isValue)}, surprise)
	return isKey
}

// named returns a variable as it is, and other values in a new one.
func (c *ruleCompiler) named(v plan.GoValue, wanted string) plan.GoValue {
	if _, isName := v.(plan.Name); isName {
		return v
	}
	name := c.name(wanted)
	c.add(plan.Let{Names: []string{name}, Value: v})
	return plan.Name(name)
}

// isListOf reports whether a list has only constants of a kind, at least one.
func isListOf(list *prunecel.Expr, kind prunecel.Kind) bool {
	if kind != prunecel.KindString && kind != prunecel.KindInt || len(list.Args) == 0 || list.Optional != nil {
		return false
	}
	return !slices.ContainsFunc(list.Args, func(a *prunecel.Expr) bool { return a.Op != prunecel.OpConst || kindOf(a) != kind })
}

// oneOf compiles v in [constants].
func (c *ruleCompiler) oneOf(v plan.GoValue, constants []*prunecel.Expr) plan.GoValue {
	v = c.named(v, "v")
	var one plan.GoValue
	for _, a := range constants {
		is := plan.GoValue(plan.Infix{Op: "==", X: v, Y: plan.Literal{Of: a.Const}})
		if one != nil {
			is = plan.Infix{Op: "||", X: one, Y: is}
		}
		one = is
	}
	return one
}
