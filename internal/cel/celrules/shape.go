package celrules

import (
	"fmt"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/debug"

	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// KeyOf returns a text that is the same for rules that differ only in how they are written. It is "" for a rule that does not parse.
func KeyOf(rule string) string {
	if e := parsed(rule); e != nil {
		return debug.ToAdornedDebugString(e, details{})
	}
	return ""
}

// parsed returns a rule as an expression, nil if it does not parse.
func parsed(rule string) ast.Expr {
	parsed, issues := Stored(kubeversion.Newest).Env().Parse(rule)
	if issues.Err() != nil {
		return nil
	}
	return parsed.NativeRep().Expr()
}

// details adds what distinguishes expressions that are otherwise written alike: 1.0 and 1, [?e] and [e], the field `a.b` and b of a.
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
