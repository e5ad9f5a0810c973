package celrules

import (
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"

	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// Use is something in an expression that not every version of Kubernetes has.
type Use struct {
	What  string // such as isIP() for a function, else the subject of the change
	Since kubeversion.Change
}

// Uses returns what a checked tree uses, in the order of the tree.
func Uses(tree *ast.AST) []Use {
	var all []Use
	if tree == nil {
		return nil
	}
	ast.PreOrderVisit(tree.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		switch e.Kind() {
		case ast.CallKind:
			if u := callUse(tree, e); u.Since != 0 {
				all = append(all, u)
			}
		case ast.ComprehensionKind:
			if e.AsComprehension().HasIterVar2() {
				all = append(all, useOf(kubeversion.TwoVariables))
			}
		case ast.ListKind:
			if len(e.AsList().OptionalIndices()) > 0 {
				all = append(all, useOf(kubeversion.OptionalTypes))
			}
		case ast.MapKind:
			if slices.ContainsFunc(e.AsMap().Entries(), func(e ast.EntryExpr) bool { return e.AsMapEntry().IsOptional() }) {
				all = append(all, useOf(kubeversion.OptionalTypes))
			}
		}
	}))
	return all
}

func useOf(c kubeversion.Change) Use { return Use{c.What(), c} }

// callUse returns the use of a call. A call that may be one of several functions needs the oldest of them.
func callUse(tree *ast.AST, e ast.Expr) Use {
	name := e.AsCall().FunctionName()
	if name == operators.OptSelect || name == operators.OptIndex {
		return useOf(kubeversion.OptionalTypes)
	}
	var oldest kubeversion.Change
	for _, id := range tree.GetOverloadIDs(e.ID()) {
		f := prunecel.Lookup(id)
		if f == nil || f.Since == 0 {
			return Use{}
		}
		if oldest == 0 || f.Since.Since() < oldest.Since() {
			oldest = f.Since
		}
	}
	switch {
	case oldest == 0:
		return Use{}
	case strings.ContainsAny(name, "_@"): // operators, and what macros call
		return useOf(oldest)
	}
	return Use{name + "()", oldest}
}
