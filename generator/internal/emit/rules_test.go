package emit

import (
	"testing"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

func TestOperatorsHaveTheParenthesesThatTheyNeed(t *testing.T) {
	infix := func(x plan.GoValue, op string, y plan.GoValue) plan.GoValue { return plan.Infix{Op: op, X: x, Y: y} }
	a, b, c := plan.Name("a"), plan.Name("b"), plan.Name("c")
	for want, v := range map[string]plan.GoValue{
		"a || b && c":   infix(a, "||", infix(b, "&&", c)),
		"(a || b) && c": infix(infix(a, "||", b), "&&", c),
		"a + b < c":     infix(infix(a, "+", b), "<", c),
		"a - b - c":     infix(infix(a, "-", b), "-", c),
		"a - (b - c)":   infix(a, "-", infix(b, "-", c)),
		"a * (b + c)":   infix(a, "*", infix(b, "+", c)),
		"(a == b) == c": infix(infix(a, "==", b), "==", c),
		"!(a && b)":     plan.Opposite{X: infix(a, "&&", b)},
		"f(a || b)":     plan.Call{Builtin: true, Func: "f", Args: []plan.GoValue{infix(a, "||", b)}},
		"m[a + b]":      plan.Index{Of: plan.Name("m"), Key: infix(a, "+", b)},
	} {
		if got := (codePrinter{}).value(v, loosest); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
