package lower

import (
	"fmt"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// opposite returns !v.
func opposite(v plan.GoValue) plan.GoValue {
	switch v := v.(type) {
	case plan.Opposite:
		return v.X
	case plan.Literal:
		return plan.Literal{Of: !v.Of.(bool)}
	case plan.Infix:
		if op, ok := opposites[v.Op]; ok {
			return plan.Infix{Op: op, X: v.X, Y: v.Y}
		}
	}
	return plan.Opposite{X: v}
}

// opposites are operators that are true where others are false. A reader has no float that is not in any order.
var opposites = map[string]string{"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}

// junction compiles && and ||.
func (c *ruleCompiler) junction(e *prunecel.Expr) plan.GoValue {
	op := e.Name[1:3]
	terms := celrules.Terms(e, e.Name)
	all := c.truth(terms[0])
	for i, term := range terms[1:] {
		defer c.given(terms[i], op == "&&")() // the code below runs only then
		all = joined(op, all, c.maybe(c.truth, term))
	}
	return all
}

// joined returns x op y for && or || as one chain, in which no operand exists twice. Of two comparisons of a value with constants, by !=
// in || or by == in &&, one is always true, or false: go vet takes that for a mistake.
func joined(op string, x, y plan.GoValue) plan.GoValue {
	suspect := map[string]string{"||": "!=", "&&": "=="}[op]
	seen := map[string]bool{}
	var all plan.GoValue
	for _, v := range append(chain(op, x), chain(op, y)...) {
		text := fmt.Sprintf("%#v", v)
		if isPure(v) && seen[text] {
			continue
		}
		seen[text] = true
		if is, ok := v.(plan.Infix); ok && is.Op == suspect {
			if _, ok := is.Y.(plan.Literal); ok && isPure(is.X) {
				compared := fmt.Sprintf("%s %#v", suspect, is.X)
				if seen[compared] {
					panic(unsupported("comparisons of which one always decides"))
				}
				seen[compared] = true
			}
		}
		if all == nil {
			all = v
		} else {
			all = plan.Infix{Op: op, X: all, Y: v}
		}
	}
	return all
}

// chain returns the operands of a chain of an operator.
func chain(op string, v plan.GoValue) []plan.GoValue {
	if i, ok := v.(plan.Infix); ok && i.Op == op {
		return append(chain(op, i.X), chain(op, i.Y)...)
	}
	return []plan.GoValue{v}
}

// isPure reports whether evaluating a value again changes nothing.
func isPure(v plan.GoValue) bool {
	switch v := v.(type) {
	case plan.Name, plan.Literal:
		return true
	case plan.Opposite:
		return isPure(v.X)
	case plan.Infix:
		return isPure(v.X) && isPure(v.Y)
	case plan.Call:
		return v.Builtin && len(v.Args) == 1 && isPure(v.Args[0])
	}
	return false
}

// choice compiles c ? a : b.
func (c *ruleCompiler) choice(e *prunecel.Expr) plan.GoValue {
	typ := goType(e.Type)
	for _, a := range e.Args[1:] {
		if t := goType(a.Type); typ == "" || t != typ && !a.IsEmpty() {
			panic(unsupported("a choice between values of type " + typeText(e)))
		}
	}
	cond := c.truth(e.Args[0])
	branch := func(i int) plan.GoValue {
		defer c.given(e.Args[0], i == 1)()
		return c.maybe(c.value, e.Args[i])
	}
	a, b := branch(1), branch(2)
	switch {
	case a == plan.GoValue(plan.Literal{Of: true}):
		return joined("||", cond, b)
	case a == plan.GoValue(plan.Literal{Of: false}):
		return joined("&&", opposite(cond), b)
	case b == plan.GoValue(plan.Literal{Of: true}):
		return joined("||", opposite(cond), a)
	case b == plan.GoValue(plan.Literal{Of: false}):
		return joined("&&", cond, a)
	case isAtHand(a) && isAtHand(b):
		if _, ok := b.(plan.Literal); ok { // one of the two has a type
			a = typed(a, e.Args[1])
		}
		return plan.Call{Func: "Either", Args: []plan.GoValue{cond, a, b}}
	}
	if _, short := cond.(plan.Name); short && typ == "bool" {
		return joined("||", joined("&&", cond, a), joined("&&", opposite(cond), b))
	}
	late := func(v plan.GoValue) plan.GoValue { return plan.Func{Result: typ, Value: v} }
	return plan.Call{Func: "Choose", Args: []plan.GoValue{cond, late(a), late(b)}}
}

// isAtHand reports whether Go can evaluate a value ahead.
func isAtHand(v plan.GoValue) bool {
	switch v := v.(type) {
	case plan.Name, plan.Literal:
		return true
	case plan.Call:
		return v.Builtin && len(v.Args) == 1 && isAtHand(v.Args[0])
	}
	return false
}
