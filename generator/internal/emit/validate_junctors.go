package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// validateJunctors emits what junctors say about a value that is not null:
//
//	if v == nil {
//		return n
//	}
//	n += anyOf<Name>(v, rec)
//	n += oneOf<Name>(v, rec)
//	n += pruneimpl.AllOf(rec, <branch>, <branch>)
//	if <branch without recorder> == 0 {
//		n += rec.Not()
//	}
func validateJunctors(g *jen.Group, n *plan.Node) {
	if len(n.Branches) == 0 {
		return
	}
	g.If(jen.Id("v").Op("==").Nil()).Block(jen.Return(jen.Id("n")))
	for _, j := range []plan.Junctor{plan.AnyOf, plan.OneOf} {
		if len(n.Of(j)) > 0 {
			add(g, jen.Id(j.String()+n.Name).Call(jen.Id("v"), jen.Id("rec")))
		}
	}
	if all := n.Of(plan.AllOf); len(all) > 0 {
		add(g, impl("AllOf").Call(append([]jen.Code{jen.Id("rec")}, branchCalls(all, jen.Id("rec"))...)...))
	}
	for _, not := range n.Of(plan.Not) {
		g.If(validateCall(not, jen.Id("v"), jen.Nil()).(*jen.Statement).Op("==").Lit(0)).Block(
			jen.Id("n").Op("+=").Id("rec").Dot("Not").Call(),
		)
	}
}

// emitAlternatives emits, for a node with anyOf,
//
//	func anyOf<Name>(v any, rec *pruneimpl.Recorder) int {
//		if !rec.Choosing() && (<first branch without recorder> == 0 || <second branch without recorder> == 0) {
//			return 0
//		}
//		if rec == nil {
//			return 1
//		}
//		c := rec.Choose()
//		c.Try(<first branch>)
//		c.Try(<second branch>)
//		return c.AnyOf()
//	}
//
// and for oneOf the same with pruneimpl.One(<branches without recorder>).
func emitAlternatives(g *jen.Group, n *plan.Node) {
	emit := func(j plan.Junctor, end, says string, valid func([]jen.Code) *jen.Statement) {
		all := n.Of(j)
		if len(all) == 0 {
			return
		}
		name := j.String() + n.Name
		doc(g, fmt.Sprintf("%s validates %s by %d alternatives: %s.", name, place(n), len(all), says))
		g.Func().Id(name).Params(jen.Id("v").Any(), recorder()).Int().BlockFunc(func(g *jen.Group) {
			g.If(jen.Op("!").Id("rec").Dot("Choosing").Call().Op("&&").Add(valid(branchCalls(all, jen.Nil())))).Block(jen.Return(jen.Lit(0)))
			g.If(jen.Id("rec").Op("==").Nil()).Block(jen.Return(jen.Lit(1)))
			g.Id("c").Op(":=").Id("rec").Dot("Choose").Call()
			for _, call := range branchCalls(all, jen.Id("rec")) {
				g.Id("c").Dot("Try").Call(call)
			}
			g.Return(jen.Id("c").Dot(end).Call())
		})
		g.Line()
	}
	emit(plan.AnyOf, "AnyOf", "at least one must be valid", func(calls []jen.Code) *jen.Statement {
		some := &jen.Statement{}
		for i, call := range calls {
			if i > 0 {
				some.Op("||")
			}
			some.Add(call).Op("==").Lit(0)
		}
		return jen.Parens(some)
	})
	emit(plan.OneOf, "OneOf", "exactly one must be valid", func(calls []jen.Code) *jen.Statement {
		return impl("One").Call(calls...)
	})
}

// branchCalls returns the calls for the branches of a junctor.
func branchCalls(all []*plan.Node, rec jen.Code) []jen.Code {
	var calls []jen.Code
	for _, n := range all {
		calls = append(calls, validateCall(n, jen.Id("v"), rec))
	}
	return calls
}
