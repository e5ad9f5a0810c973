package golden

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// eachGeneratedNode calls f for each node of the golden files and of the examples.
func eachGeneratedNode(t *testing.T, f func(where string, n ast.Node)) {
	t.Helper()
	texts := generatedFiles(t, ".")
	maps.Copy(texts, generatedFiles(t, "../examples"))
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		positions := token.NewFileSet()
		file, err := parser.ParseFile(positions, name, texts[name], parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if n != nil {
				f(positions.Position(n.Pos()).String(), n)
			}
			return true
		})
	}
}

// convertedConstant returns the type that a constant is converted to, "" for other expressions.
func convertedConstant(n ast.Node) string {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return ""
	}
	to, ok := call.Fun.(*ast.Ident)
	if !ok || !isConstant(call.Args[0]) {
		return ""
	}
	return to.Name
}

func isConstant(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return e.Name == "true" || e.Name == "false"
	case *ast.UnaryExpr:
		return isConstant(e.X)
	}
	return false
}

// Of constants only integers are converted, and of the values that Either chooses from at most one, if neither has a type.
func TestConstantsAreNotConvertedToWhatTheyAre(t *testing.T) {
	integers := 0
	eachGeneratedNode(t, func(where string, n ast.Node) {
		switch to := convertedConstant(n); to {
		case "string", "bool", "float64":
			t.Errorf("%s: a constant is converted to %s", where, to)
		case "int64":
			integers++
		}
		if call, ok := n.(*ast.CallExpr); ok && isRuntime(call.Fun, "Either") {
			a, b := call.Args[1], call.Args[2]
			if convertedConstant(b) != "" || convertedConstant(a) != "" && !isConstant(b) {
				t.Errorf("%s: Either converts a constant without need", where)
			}
		}
	})
	if integers == 0 {
		t.Error("no integer is converted")
	}
}

// isRuntime reports whether an expression is a function of prunecel.
func isRuntime(e ast.Expr, name string) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != name {
		return false
	}
	of, ok := s.X.(*ast.Ident)
	return ok && of.Name == "prunecel"
}

// A boolean is compared with other booleans, not with true or false.
func TestBooleansAreNotComparedWithConstants(t *testing.T) {
	compared := 0
	eachGeneratedNode(t, func(where string, n ast.Node) {
		is, ok := n.(*ast.BinaryExpr)
		if !ok || is.Op != token.EQL && is.Op != token.NEQ {
			return
		}
		compared++
		for _, e := range []ast.Expr{is.X, is.Y} {
			if id, ok := e.(*ast.Ident); ok && isConstant(id) {
				t.Errorf("%s: a comparison with %s", where, id.Name)
			}
		}
	})
	if compared == 0 {
		t.Error("nothing is compared")
	}
}

// A pattern reads as its author wrote it, unless something in it cannot be seen or ends the literal.
func TestLiteralsHaveNoEscapesThatBackquotesSave(t *testing.T) {
	raw, escaped := 0, 0
	eachGeneratedNode(t, func(where string, n ast.Node) {
		literal, ok := n.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return
		}
		text, err := strconv.Unquote(literal.Value)
		if err != nil {
			t.Fatal(err)
		}
		// Other characters are escaped in more than two.
		switch hasEscapes := strings.ContainsAny(text, "\"\\"); {
		case literal.Value[0] == '`':
			raw++
		case hasEscapes && len(literal.Value) == len(text)+len(`""`)+strings.Count(text, `"`)+strings.Count(text, `\`) && !strings.Contains(text, "`"):
			t.Errorf("%s: %s", where, literal.Value)
		case hasEscapes:
			escaped++
		}
	})
	if raw == 0 || escaped == 0 {
		t.Errorf("%d literals in backquotes, and %d others with escapes", raw, escaped)
	}
}

// A case with many names has as many in a line as fit.
func TestCasesFillTheirLines(t *testing.T) {
	long := 0
	eachGeneratedNode(t, func(where string, n ast.Node) {
		names, ok := n.(*ast.CaseClause)
		if !ok || len(names.List) < 2 {
			return
		}
		begin := names.List[0].Pos()
		for i, e := range names.List[1:] {
			const width = 90
			before := names.List[i].End()
			length := int(before-begin) + len(", ") + int(e.End()-e.Pos()) + len(", ")
			switch sameLine := e.Pos()-before == token.Pos(len(", ")); {
			case sameLine && length > width:
				t.Errorf("%s: a line of the case is too long", where)
			case !sameLine && length <= width:
				t.Errorf("%s: a line of the case is not full", where)
			case !sameLine:
				begin = e.Pos()
				long++
			}
		}
	})
	if long == 0 {
		t.Error("no case has several lines")
	}
}

// Code that is hard to understand is explained at the top of the files that have it, and of no others.
func TestFilesExplainWhatIsHardToGuess(t *testing.T) {
	explained := 0
	texts := generatedFiles(t, ".")
	maps.Copy(texts, generatedFiles(t, "../runtime"))
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		top, code, _ := strings.Cut(texts[name], "\npackage ")
		top = strings.Join(strings.Fields(strings.ReplaceAll(top, "\n//", "")), " ")
		for what, note := range map[string]string{"if left--;": "ends when none is left", "rec.Last(": "rec.Last records", "rec.Count(": "rec.Count counts"} {
			if has, says := strings.Contains(code, what), strings.Count(top, note); has && says != 1 || !has && says > 0 {
				t.Errorf("%s: that it has %q is %t, and the top says so %d times", name, what, has, says)
			} else if has {
				explained++
			}
		}
	}
	if explained < 20 {
		t.Errorf("only %d explanations", explained)
	}
}
