package emit

import (
	"fmt"
	"go/ast"
	"go/parser"
	"testing"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// Go reads an expression as the plan has it, however operators are nested.
func TestGoReadsOperatorsAsThePlanHasThem(t *testing.T) {
	operators := []string{"||", "&&", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "!"}
	apply := func(op string, x, y plan.GoValue) plan.GoValue {
		if op == "!" {
			return plan.Opposite{X: x}
		}
		return plan.Infix{Op: op, X: x, Y: y}
	}
	for _, top := range operators {
		for _, left := range operators {
			for _, right := range operators {
				v := apply(top, apply(left, plan.Name("a"), plan.Name("b")), apply(right, plan.Name("c"), plan.Name("d")))
				text := codePrinter{}.value(v, loosest)
				e, err := parser.ParseExpr(text)
				if err != nil {
					t.Fatalf("%s: %v", text, err)
				}
				if have, want := readAs(e), planned(v); have != want {
					t.Errorf("%s is read as %s, want %s", text, have, want)
				}
			}
		}
	}
}

// readAs writes an expression of Go with all parentheses.
func readAs(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return readAs(e.X)
	case *ast.UnaryExpr:
		return fmt.Sprintf("%s(%s)", e.Op, readAs(e.X))
	case *ast.BinaryExpr:
		return fmt.Sprintf("(%s %s %s)", readAs(e.X), e.Op, readAs(e.Y))
	}
	return e.(*ast.Ident).Name
}

// planned writes an expression of a plan with all parentheses.
func planned(v plan.GoValue) string {
	switch v := v.(type) {
	case plan.Opposite:
		return fmt.Sprintf("!(%s)", planned(v.X))
	case plan.Infix:
		return fmt.Sprintf("(%s %s %s)", planned(v.X), v.Op, planned(v.Y))
	}
	return string(v.(plan.Name))
}
