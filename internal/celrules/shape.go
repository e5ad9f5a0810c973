package celrules

import (
	"fmt"
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/debug"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// Shape is what can be told about a rule without the types of values.
type Shape struct {
	// Key is the same for rules that differ only in how they are written. It is "" for a rule that does not parse.
	Key string
	// UsesOldSelf reports whether the rule refers to oldSelf.
	UsesOldSelf bool
	// HoldsUnchanged reports whether the rule evidently holds where oldSelf is the same as self.
	HoldsUnchanged bool
	// Reads has the paths below self that the rule reads, with names as rules write them. A path that the rule asks for with has, below
	// self or oldSelf, is left out, with all below it.
	Reads [][]string
}

// ShapeOf returns the shape of a rule.
func ShapeOf(rule string) Shape {
	parsed, issues := Stored(kubeversion.Newest).Env().Parse(rule)
	if issues.Err() != nil {
		return Shape{}
	}
	root := parsed.NativeRep().Expr()
	s := Shape{Key: keyOf(root), HoldsUnchanged: !shadows(root) && holdsUnchanged(unchanged(root))}
	var asked [][]string
	inner := map[int64]bool{} // parts of a longer path
	ast.PreOrderVisit(root, ast.NewExprVisitor(func(e ast.Expr) {
		switch e.Kind() {
		case ast.IdentKind:
			s.UsesOldSelf = s.UsesOldSelf || e.AsIdent() == OldSelf
		case ast.SelectKind:
			path := pathOf(e, Self)
			for o := e.AsSelect().Operand(); path != nil && o.Kind() == ast.SelectKind; o = o.AsSelect().Operand() {
				inner[o.ID()] = true
			}
			switch {
			case path == nil && e.AsSelect().IsTestOnly():
				if path := pathOf(e, OldSelf); path != nil {
					asked = append(asked, path)
				}
			case path == nil || inner[e.ID()]:
			case e.AsSelect().IsTestOnly():
				asked = append(asked, path)
				if len(path) > 1 {
					s.Reads = append(s.Reads, path[:len(path)-1])
				}
			default:
				s.Reads = append(s.Reads, path)
			}
		}
	}))
	s.Reads = slices.DeleteFunc(s.Reads, func(path []string) bool {
		return slices.ContainsFunc(asked, func(a []string) bool { return len(a) <= len(path) && slices.Equal(a, path[:len(a)]) })
	})
	return s
}

// Element stands in paths for the elements of a list.
const Element = "[]"

// Without says which values of self and oldSelf a rule does not meet.
type Without struct {
	// IsMissing reports whether no value that has the fields asked for has another one, and asking for it is not an error.
	IsMissing func(path []string, asked [][]string) bool
	// Never reports whether all values that have the fields asked for have another one, and none of them has this text in it.
	Never func(path []string, text string, asked [][]string) bool

	variable string     // of a comprehension, "" for none
	at       []string   // its path below self
	asked    [][]string // fields that are there, or the expression does not matter
}

// HoldsWithout reports whether a rule evidently holds for values without some fields, of which it asks with has, and without some texts.
func HoldsWithout(rule string, w Without) bool {
	e := parseProvable(rule)
	return e != nil && w.value(e) == types.True
}

// value returns what an expression is, nil if that is not known.
func (w Without) value(e ast.Expr) ref.Val {
	switch e.Kind() {
	case ast.LiteralKind:
		return e.AsLiteral()
	case ast.SelectKind:
		path, asked := w.path(e), w.asked
		if path == nil {
			path, asked = pathOf(e, OldSelf), nil
		}
		if e.AsSelect().IsTestOnly() && path != nil && w.IsMissing(path, asked) {
			return types.False
		}
	case ast.ComprehensionKind:
		c := e.AsComprehension()
		if path := w.path(c.IterRange()); path != nil && c.IterRange().Kind() == ast.IdentKind && isCall(c.LoopStep(), operators.LogicalAnd) {
			w.variable, w.at, w.asked = c.IterVar(), append(slices.Clip(path), Element), nil
			if w.value(c.LoopStep().AsCall().Args()[1]) == types.True {
				return types.True // for each element
			}
		}
	case ast.CallKind:
		var args []ref.Val
		for i := range e.AsCall().Args() {
			args = append(args, w.argument(e, i))
		}
		switch e.AsCall().FunctionName() {
		case operators.LogicalNot:
			if b, ok := args[0].(types.Bool); ok {
				return !b
			}
		case operators.LogicalAnd:
			switch {
			case args[0] == types.False || args[1] == types.False:
				return types.False
			case args[0] == types.True && args[1] == types.True:
				return types.True
			}
		case operators.LogicalOr:
			switch {
			case args[0] == types.True || args[1] == types.True:
				return types.True
			case args[0] == types.False && args[1] == types.False:
				return types.False
			}
		case operators.Equals:
			for i, arg := range e.AsCall().Args() {
				path := w.path(arg)
				if text, ok := args[1-i].(types.String); ok && arg.Kind() == ast.SelectKind && path != nil && !arg.AsSelect().IsTestOnly() && w.Never(path, string(text), w.asked) {
					return types.False
				}
			}
			a, isBool := args[0].(types.Bool)
			if b, ok := args[1].(types.Bool); ok && isBool {
				return types.Bool(a == b)
			}
		case operators.Conditional:
			switch args[0] {
			case types.True:
				return args[1]
			case types.False:
				return args[2]
			}
		}
	}
	return nil
}

// argument returns what an argument of a call is wherever it matters: one of && does not matter where the other one is false.
func (w Without) argument(call ast.Expr, i int) ref.Val {
	args := call.AsCall().Args()
	switch {
	case isCall(call, operators.LogicalAnd), isCall(call, operators.LogicalOr):
		w.asked = append(slices.Clip(w.asked), w.fields(claim{args[1-i], isCall(call, operators.LogicalAnd)})...)
	case isCall(call, operators.Conditional) && i > 0:
		w.asked = append(slices.Clip(w.asked), w.fields(claim{args[0], i == 1})...)
	}
	return w.value(args[i])
}

// fields returns fields of values for which a claim is true.
func (w Without) fields(c claim) [][]string {
	if inner, ok := negated(c.expr); ok {
		return w.fields(claim{inner, !c.is})
	}
	if parts, all := c.parts(); all {
		return append(w.fields(parts[0]), w.fields(parts[1])...)
	}
	if path := w.path(c.expr); c.is && len(path) > 0 && c.expr.AsSelect().IsTestOnly() {
		return [][]string{path}
	}
	return nil
}

// path is pathOf for self and for the variable.
func (w Without) path(e ast.Expr) []string {
	if path := pathOf(e, w.variable); path != nil && w.variable != "" {
		return slices.Concat(w.at, path)
	}
	return pathOf(e, Self)
}

// keyOf returns an expression as text, whatever it was written like.
func keyOf(e ast.Expr) string { return debug.ToAdornedDebugString(e, details{}) }

// details adds what different expressions are written without: 1.0 like 1, [?e] like [e], and the field `a.b` like b of a.
type details struct{}

func (details) GetMetadata(context any) string {
	e, ok := context.(ast.Expr)
	switch {
	case !ok:
	case e.Kind() == ast.LiteralKind:
		return ":" + e.AsLiteral().Type().TypeName()
	case e.Kind() == ast.SelectKind:
		return ";"
	case e.Kind() == ast.ListKind:
		return fmt.Sprint(e.AsList().OptionalIndices())
	}
	return ""
}

// pathOf returns the fields of self.a.b for the variable self, nil for other expressions.
func pathOf(e ast.Expr, variable string) []string {
	path := []string{}
	for ; e.Kind() == ast.SelectKind; e = e.AsSelect().Operand() {
		path = append(path, e.AsSelect().FieldName())
	}
	if e.Kind() != ast.IdentKind || e.AsIdent() != variable {
		return nil
	}
	slices.Reverse(path)
	return path
}

// unchanged returns an expression with self for oldSelf.
func unchanged(e ast.Expr) ast.Expr {
	factory := ast.NewExprFactory()
	e = factory.CopyExpr(e)
	ast.PostOrderVisit(e, ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() == ast.IdentKind && e.AsIdent() == OldSelf {
			e.SetKindCase(factory.NewIdent(e.ID(), Self))
		}
	}))
	return e
}

// holdsUnchanged reports whether an expression without oldSelf is true, as far as its form shows it.
func holdsUnchanged(e ast.Expr) bool {
	if e.Kind() == ast.LiteralKind {
		return e.AsLiteral() == types.True
	}
	if e.Kind() != ast.CallKind {
		return false
	}
	args := e.AsCall().Args()
	switch e.AsCall().FunctionName() {
	case operators.Equals, operators.GreaterEquals, operators.LessEquals:
		return keyOf(args[0]) == keyOf(args[1])
	case operators.LogicalAnd:
		return holdsUnchanged(args[0]) && holdsUnchanged(args[1])
	case operators.LogicalOr:
		return holdsUnchanged(args[0]) || holdsUnchanged(args[1]) || keyOf(args[0]) == not(args[1]) || keyOf(args[1]) == not(args[0])
	case operators.Conditional:
		return holdsUnchanged(args[1]) && holdsUnchanged(args[2])
	}
	return false
}

// not returns the negation of an expression as text, "" for one that is not a negation.
func not(e ast.Expr) string {
	if inner, ok := negated(e); ok {
		return keyOf(inner)
	}
	return ""
}
