package celrules

import (
	"fmt"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/parser"

	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// compile parses and checks an expression. It returns the checked tree and its maximum cost, or an error. Some expressions
// make the checker of cel-go panic, such as [?dyn(1)]; the API server then fails to answer.
func (s *subject) compile(q question) (tree *ast.AST, cost uint64, wrong problem) {
	compilation, result, program, estimation := "compilation failed: ", "cel expression must evaluate to a bool", "program instantiation failed: ", "cost estimation failed: "
	if q.result == cel.StringType {
		compilation, result = "messageExpression compilation failed: ", "messageExpression must evaluate to a string"
		program, estimation = "messageExpression instantiation failed: ", "cost estimation failed for messageExpression: "
	}
	defer func() {
		if r := recover(); r != nil {
			tree, cost, wrong = nil, 0, problem{text: compilation + fmt.Sprint("internal error: ", r)}
		}
	}()
	if !s.environment.Has(kubeversion.QuotedNames) {
		if text := quotedNames(q.text); text != "" {
			return nil, 0, problem{text: compilation + text}
		}
	}
	checked, issues := q.env.Compile(q.text)
	if issues != nil {
		return nil, 0, problem{compilation + issues.String(), undefined(q, issues)}
	}
	if checked.OutputType() != q.result {
		return nil, 0, problem{text: result}
	}
	tree = checked.NativeRep()
	if canFailToPlan(tree) {
		if err := s.plan(tree); err != nil {
			return nil, 0, problem{text: program + err.Error()}
		}
	}
	estimate, err := q.env.EstimateCost(checked, &s.estimator)
	if err != nil {
		return nil, 0, problem{text: estimation + err.Error()}
	}
	return tree, estimate.Max, problem{}
}

// undefined returns the first field whose selection is wrong, "" if other things are.
func undefined(q question, issues *cel.Issues) (field string) {
	parsed, failed := q.env.Parse(q.text)
	if failed != nil {
		return ""
	}
	selected := map[int64]string{}
	ast.PreOrderVisit(parsed.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() == ast.SelectKind {
			selected[e.ID()] = e.AsSelect().FieldName()
		}
	}))
	for _, e := range issues.Errors() {
		if name, ok := selected[e.ExprID]; ok {
			return name
		}
	}
	return ""
}

// quotedNames returns what is wrong with an expression that has names of fields in backquotes.
func quotedNames(text string) string {
	if !strings.Contains(text, "`") {
		return ""
	}
	p, err := parser.NewParser(parser.Macros(parser.AllMacros...), parser.EnableOptionalSyntax(true), parser.EnableIdentEscapeSyntax(false))
	if err != nil {
		panic(err)
	}
	source := common.NewTextSource(text)
	if _, errs := p.Parse(source); len(errs.GetErrors()) > 0 {
		return errs.ToDisplayString()
	}
	return ""
}

// canFailToPlan reports whether tree has something that the API server checks only when it makes a program of it, which takes as long as
// checking the tree: constants that are converted, patterns that are compiled, names of types, keys that no value can have.
func canFailToPlan(tree *ast.AST) bool {
	found := false
	ast.PreOrderVisit(tree.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		switch e.Kind() {
		case ast.StructKind:
			found = true
		case ast.MapKind:
			for _, entry := range e.AsMap().Entries() {
				key := entry.AsMapEntry().Key()
				found = found || key.Kind() == ast.LiteralKind && !isKey(key.AsLiteral())
			}
		case ast.IdentKind, ast.SelectKind:
			found = found || tree.GetType(e.ID()).Kind() == types.TypeKind
		case ast.CallKind:
			switch name := e.AsCall().FunctionName(); name {
			case "find", "findAll":
				found = true
			case operators.Index, operators.OptIndex:
				for _, a := range e.AsCall().Args() {
					switch a.Kind() {
					case ast.LiteralKind:
						found = found || !isKey(a.AsLiteral())
					case ast.ListKind, ast.MapKind:
						found = true
					}
				}
			default:
				found = found || overloads.IsTypeConversionFunction(name)
			}
		}
	}))
	return found
}

// isKey reports whether v can be a key of a map or an index.
func isKey(v ref.Val) bool {
	switch v.(type) {
	case types.String, types.Int, types.Uint, types.Bool:
		return true
	}
	return false
}

// plan makes a program of an expression, which evaluates its constants. Some make cel-go panic, such as {b'key': 1}; the API server
// then fails to answer.
func (s *subject) plan(tree *ast.AST) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("internal error: %v", r)
		}
	}()
	_, err = s.environment.Env().PlanProgram(tree, programOptions()...)
	return err
}
