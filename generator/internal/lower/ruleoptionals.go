package lower

import (
	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// optional compiles x.?a.?b.hasValue() and x.?a.?b.orValue(c) as what they mean:
//
//	has(x.a) && has(x.a.b)
//	has(x.a) && has(x.a.b) ? x.a.b : c
func (c *ruleCompiler) optional(e *prunecel.Expr) plan.GoValue {
	if is, ok := c.formatTest(e.Args[0]); ok && e.Name == "hasValue" {
		return is
	}
	field, has := requiredField(e.Args[0])
	if field == nil {
		panic(unsupported("the function " + e.Name))
	}
	c.pay(2) // the call, and what an optional costs
	if e.Name == "hasValue" {
		return c.truth(has)
	}
	return c.choice(&prunecel.Expr{Op: prunecel.OpCall, Name: "_?_:_", Args: []*prunecel.Expr{has, field, e.Args[1]}, Type: field.Type})
}

// requiredField returns x.a.b for x.?a.?b, and has(x.a) && has(x.a.b). It returns nil for other expressions.
func requiredField(e *prunecel.Expr) (field, has *prunecel.Expr) {
	if e.Op != prunecel.OpCall || e.Name != "_?._" {
		return nil, nil
	}
	name, ok := e.Args[1].Const.(string)
	of := e.Args[0]
	around, hasAround := requiredField(of)
	if around != nil {
		of = around
	}
	if !ok || !isPath(of) || of.Type == nil || of.Type.Computed || of.Type.Kind != prunecel.KindObject && of.Type.Kind != prunecel.KindMap {
		return nil, nil
	}
	args, boolean := []*prunecel.Expr{of}, &prunecel.Type{Kind: prunecel.KindBool}
	has = &prunecel.Expr{Op: prunecel.OpHas, Name: name, Args: args, Type: boolean}
	typ, _, _ := fieldType(has, of.Type)
	if hasAround != nil {
		has = &prunecel.Expr{Op: prunecel.OpCall, Name: "_&&_", Args: []*prunecel.Expr{hasAround, has}, Type: boolean}
	}
	return &prunecel.Expr{Op: prunecel.OpSelect, Name: name, Args: args, Type: typ}, has
}

// isPath reports whether an expression is a variable, or a field in one. Code that has it twice is short.
func isPath(e *prunecel.Expr) bool {
	return e.Op == prunecel.OpIdent || e.Op == prunecel.OpSelect && isPath(e.Args[0])
}
