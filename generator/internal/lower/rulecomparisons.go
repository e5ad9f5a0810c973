package lower

import (
	"reflect"
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
	switch kind := kindOf(a); {
	case kind == prunecel.KindList && b.IsEmpty():
		c.pay(1)
		return plan.Infix{Op: op, X: length(c.value(a)), Y: plan.Literal{Of: 0}}
	case kind == prunecel.KindIntOrString && b.Op == prunecel.OpConst:
		text, isText := constantText(b)
		if isText || kindOf(b) == prunecel.KindInt {
			c.pay(10)
			if isText {
				c.payText(text)
			}
			return plan.Infix{Op: op, X: c.value(a), Y: typed(c.value(b), b)}
		}
	case kind != kindOf(b):
	case kind == prunecel.KindString:
		if text, ok := constantText(a, b); ok {
			c.payText(text)
			return plan.Infix{Op: op, X: c.value(a), Y: c.value(b)}
		}
		return signed(plan.Method{Name: "EqualText", Args: c.values(e)}, op)
	case kind == prunecel.KindBool:
		c.pay(1)
		return equalTruths(op, c.value(a), c.value(b))
	case kind == prunecel.KindInt, kind == prunecel.KindDouble, kind == prunecel.KindDuration:
		c.pay(1)
		return compared(op, c.value(a), c.value(b))
	case kind == prunecel.KindObject, kind == prunecel.KindMap, kind == prunecel.KindList:
		return signed(c.deepEquality(a, b), op)
	}
	panic(unsupported("a comparison of " + typeText(a) + " with " + typeText(b)))
}

// equalTruths compares two booleans: x == true is x.
func equalTruths(op string, x, y plan.GoValue) plan.GoValue {
	for _, pair := range [][2]plan.GoValue{{x, y}, {y, x}} {
		if is, ok := pair[1].(plan.Literal); ok {
			if is.Of == (op == "==") {
				return pair[0]
			}
			return opposite(pair[0])
		}
	}
	if isPure(x) && reflect.DeepEqual(x, y) {
		panic(unsupported("a comparison of a value with itself"))
	}
	return plan.Infix{Op: op, X: x, Y: y}
}

// compared returns x op y, where len(x) < 3 needs no conversion.
func compared(op string, x, y plan.GoValue) plan.GoValue {
	if size, ok := x.(plan.Call); ok && size.Builtin && size.Func == "int64" {
		if n, ok := y.(plan.Literal); ok && n.Of.(int64) == int64(int32(n.Of.(int64))) {
			x = size.Args[0]
		}
	}
	return plan.Infix{Op: op, X: x, Y: y}
}

// signed returns a value, or its opposite.
func signed(is plan.GoValue, op string) plan.GoValue {
	if op == "!=" {
		return opposite(is)
	}
	return is
}

// deepEquality compiles the comparison of two values of the resource.
func (c *ruleCompiler) deepEquality(a, b *prunecel.Expr) plan.GoValue {
	if a.Type.Computed || b.Type.Computed {
		panic(unsupported("a comparison of a computed value"))
	}
	c.pay(1)
	return plan.Method{Name: "Equal", Args: []plan.GoValue{plan.RuleType(numberOf(&c.rule.Types, a.Type.String())), c.value(a), c.value(b)}}
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
	case prunecel.KindInt, prunecel.KindDouble, prunecel.KindDuration:
		c.pay(1)
		return compared(op, c.value(e.Args[0]), c.value(e.Args[1]))
	case prunecel.KindString:
		if text, ok := constantText(e.Args...); ok {
			c.payText(text)
			return plan.Infix{Op: op, X: c.value(e.Args[0]), Y: c.value(e.Args[1])}
		}
		return plan.Infix{Op: op, X: plan.Method{Name: "CompareText", Args: c.values(e)}, Y: plan.Literal{Of: 0}}
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
			args := []plan.GoValue{typed(c.value(x), x)}
			for _, a := range in.Args {
				args = append(args, plan.Literal{Of: a.Const})
			}
			return plan.Call{Func: "In", Args: args}
		}
	case kindOf(in) == prunecel.KindList:
		if elem := in.Type.Elem; elem == nil || elem.Kind != kind || !plain(elem) {
			break
		}
		v, list := c.value(x), c.value(in)
		return plan.Call{Func: "HasElement", Reader: true, Args: []plan.GoValue{list, typed(v, x)}}
	case kindOf(in) == prunecel.KindMap && !in.Type.Computed && kind == prunecel.KindString:
		c.pay(1)
		key := c.value(x)
		return has(plan.Method{Name: "Entry", Args: []plan.GoValue{c.value(in), key}}, in.Type.Elem)
	}
	panic(unsupported("in with " + typeText(in)))
}

// isListOf reports whether a list has only constants of a kind, at least one.
func isListOf(list *prunecel.Expr, kind prunecel.Kind) bool {
	if kind != prunecel.KindString && kind != prunecel.KindInt || len(list.Args) == 0 || list.Optional != nil {
		return false
	}
	return !slices.ContainsFunc(list.Args, func(a *prunecel.Expr) bool { return a.Op != prunecel.OpConst || kindOf(a) != kind })
}

// constantText returns the constant that is one of the operands.
func constantText(operands ...*prunecel.Expr) (string, bool) {
	for _, e := range operands {
		if s, ok := e.Const.(string); ok && e.Op == prunecel.OpConst {
			return s, true
		}
	}
	return "", false
}
