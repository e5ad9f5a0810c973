package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// Prune is the family of functions that prune, with and without a report.
var Prune = Functions{Verb: "prune", In: PruneUnit, Node: emitPrune}

// PruneAPI emits
//
//	func Prune<Kind>(obj map[string]any) {
//		prune<Kind>(obj, nil)
//	}
func PruneAPI(g *jen.Group, _ *plan.Kind, names Names) {
	doc(g, names.Function+" drops, in place, every field of obj that the schema does not specify, in metadata too.")
	g.Func().Id(names.Function).Params(jen.Id("obj").Add(object())).Block(
		jen.Id(names.Root).Call(jen.Id("obj"), jen.Nil()),
	)
	g.Line()
}

// ReportAPI emits
//
//	func Prune<Kind>Report(obj map[string]any) []string {
//		var rec pruneimpl.Recorder
//		prune<Kind>(obj, &rec)
//		return rec.Dropped()
//	}
func ReportAPI(g *jen.Group, _ *plan.Kind, names Names) {
	doc(g, names.Function+" drops the same fields and returns their paths, sorted.")
	g.Func().Id(names.Function).Params(jen.Id("obj").Add(object())).Index().String().Block(
		jen.Var().Id("rec").Add(impl("Recorder")),
		jen.Id(names.Root).Call(jen.Id("obj"), jen.Op("&").Id("rec")),
		jen.Return(jen.Id("rec").Dot("Dropped").Call()),
	)
	g.Line()
}

var pruneWalk = walk{verb: "prune", call: pruneCall, list: pruneList, listCounts: true, metadata: plan.PruneMetadata}

// emitPrune emits the function that prunes a value as n says. An object that is walked:
//
//	func prune<Name>(v any, rec *pruneimpl.Recorder) (n int) {
//		obj, ok := v.(map[string]any)
//		if !ok {
//			return pruneimpl.PruneLeaf(v, rec)
//		}
//		<fields>
//		return n
//	}
//
// A list:
//
//	func prune<Name>(v any, rec *pruneimpl.Recorder) (n int) {
//		list, n := pruneimpl.PruneList(v, rec)
//		<elements>
//		return n
//	}
//
// A node for objects and lists switches on the type. An object with nothing but leaves is left to the runtime:
// return pruneimpl.PruneLeafObject(v, rec, "key", "name"). A list whose elements are kept is left alone:
// if _, ok := v.([]any); ok { return 0 }
func emitPrune(g *jen.Group, n *plan.Node) {
	w := pruneWalk
	doc(g, fmt.Sprintf("%s%s prunes %s (%s).", w.verb, n.Name, place(n), pruneSummary(n)))
	w.function(g, n, func(g *jen.Group) { w.droppingBody(g, n, "PruneLeafObject", n.Elem.Do == plan.PruneKeep) })
	g.Line()
}

// droppingBody emits the body of a function that drops what a node does not name. leafObject is the function of the runtime
// for an object that has leaves and nothing else.
func (w walk) droppingBody(g *jen.Group, n *plan.Node, leafObject string, keepsElements bool) {
	switch n.Walk.Form {
	case plan.FormLeafObject:
		g.Return(impl(leafObject).Call(append([]jen.Code{jen.Id("v"), jen.Id("rec")}, arguments(n.Fields)...)...))
	case plan.FormKeptList:
		g.If(jen.List(jen.Id("_"), jen.Id("ok")).Op(":=").Id("v").Assert(jen.Index().Any()), jen.Id("ok")).Block(
			jen.Return(jen.Lit(0)),
		)
		g.Return(pruneOther(n.Rest == plan.RestKeep))
	case plan.FormList:
		if n.Rest == plan.RestKeep {
			g.List(jen.Id("list"), jen.Id("_")).Op(":=").Id("v").Assert(jen.Index().Any())
		} else {
			listOr(g, "PruneList")
		}
		w.elements(g, n)
	case plan.FormObject:
		assertOr(g, "obj", object(), pruneOther(keepsElements))
		w.fields(g, n)
	case plan.FormAny:
		w.objectOrList(g, n)
	}
}

// pruneCall returns the call that prunes v as n says.
func pruneCall(n *plan.Node, v jen.Code) jen.Code {
	switch n.Do {
	case plan.PruneKeep, plan.PruneKind:
		return nil
	case plan.PruneLeaf:
		return impl("PruneLeaf").Call(v, jen.Id("rec"))
	case plan.PruneLeafMap:
		return impl("PruneLeafMap").Call(v, jen.Id("rec"))
	case plan.PruneMetadata:
		return impl("PruneMetadata").Call(v, jen.Id("rec"))
	case plan.PruneWalk:
		return jen.Id("prune"+n.Name).Call(v, jen.Id("rec"))
	}
	panic("nothing prunes like node " + n.Name)
}

// pruneList returns the call that prunes the named fields of an object, which are leaves.
func pruneList(_ *plan.Node, names []jen.Code) jen.Code {
	return impl("PruneLeaves").Call(append([]jen.Code{jen.Id("obj"), jen.Id("rec")}, names...)...)
}

// pruneOther returns what becomes of a value of another type than the function is for.
func pruneOther(keep bool) jen.Code {
	if keep {
		return jen.Lit(0)
	}
	return impl("PruneLeaf").Call(jen.Id("v"), jen.Id("rec"))
}

// pruneSummary says what becomes of unspecified fields, or that a value is a list.
func pruneSummary(n *plan.Node) string {
	switch {
	case !n.WalksObject():
		return "a list"
	case n.Rest == plan.RestDrop:
		return "drops unspecified fields"
	case n.Rest == plan.RestKeep:
		return "keeps unspecified fields and all that is in them"
	case len(n.Fields) == 0:
		return "a map: keeps every key"
	}
	return "keeps every other key and prunes its value"
}

// place names the part of an object that a function is for.
func place(n *plan.Node) string {
	switch {
	case n.Path != "":
		return n.Path
	case n.Owner == "":
		return "objects"
	}
	return n.Owner + " objects"
}
