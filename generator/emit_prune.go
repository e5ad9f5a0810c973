package generator

import (
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"
)

// emitPruneAPI emits the exported functions of the prune and report features:
//
//	func Prune<Kind>(obj map[string]any) {
//		prune<Kind>(obj, nil)
//	}
//
//	func Prune<Kind>Report(obj map[string]any) []string {
//		var rec prunert.Recorder
//		prune<Kind>(obj, &rec)
//		return rec.Dropped()
//	}
func emitPruneAPI(g *jen.Group, k *Kind, features Features) {
	root := "prune" + k.Prune.Name
	if features.Has(FeaturePrune) {
		doc(g, fmt.Sprintf("Prune%s drops every field that the schema does not specify, in metadata too.", k.Ident))
		g.Func().Id(functionName(FeaturePrune, k.Ident)).Params(jen.Id("obj").Add(object())).Block(
			jen.Id(root).Call(jen.Id("obj"), jen.Nil()),
		)
		g.Line()
	}
	if features.Has(FeatureReport) {
		doc(g, fmt.Sprintf("Prune%sReport does the same and returns the paths of the dropped fields, sorted.", k.Ident))
		g.Func().Id(functionName(FeatureReport, k.Ident)).Params(jen.Id("obj").Add(object())).Index().String().Block(
			jen.Var().Id("rec").Add(rt("Recorder")),
			jen.Id(root).Call(jen.Id("obj"), jen.Op("&").Id("rec")),
			jen.Return(jen.Id("rec").Dot("Dropped").Call()),
		)
		g.Line()
	}
}

// emitPrune emits the function that prunes a value as n says. An object that is walked:
//
//	func prune<Name>(v any, rec *prunert.Recorder) (n int) {
//		obj, ok := v.(map[string]any)
//		if !ok {
//			return prunert.PruneLeaf(v, rec)
//		}
//		<fields>
//		return n
//	}
//
// A list is the same with []any and elements. A node that says something about both switches on the type. An object
// with nothing but leaves is left to the runtime: return prunert.PruneLeafObject(v, rec, "key", "name"). A list whose
// elements are kept is left alone: if _, ok := v.([]any); ok { return 0 }
func emitPrune(g *jen.Group, n *Node) {
	w := walk{verb: "prune", call: pruneCall, leaves: pruneLeaves, countsLeaves: true}
	doc(g, fmt.Sprintf("prune%s prunes %s. %s", n.Name, place(n), pruneSummary(n)))
	w.function(g, n, func(g *jen.Group) {
		switch {
		case onlyLeaves(n):
			g.Return(rt("PruneLeafObject").Call(append([]jen.Code{jen.Id("v"), jen.Id("rec")}, literals(n.Fields)...)...))
		case !walksObject(n) && n.Elem.Kind == NodeKeep:
			g.If(jen.List(jen.Id("_"), jen.Id("ok")).Op(":=").Id("v").Assert(jen.Index().Any()), jen.Id("ok")).Block(
				jen.Return(jen.Lit(0)),
			)
			g.Return(pruneOther(n.Rest == RestKeep))
		case !walksObject(n):
			assertOr(g, "list", jen.Index().Any(), pruneOther(n.Rest == RestKeep))
			w.elements(g, n)
		case n.Elem.Kind == NodeKeep || n.Elem.Kind == NodeLeaf:
			assertOr(g, "obj", object(), pruneOther(n.Elem.Kind == NodeKeep))
			w.fields(g, n)
		default:
			w.objectOrList(g, n)
		}
	})
	g.Line()
}

// pruneCall returns the call that prunes v as n says.
func pruneCall(n *Node, v jen.Code) jen.Code {
	switch n.Kind {
	case NodeKeep:
		return nil
	case NodeLeaf:
		return rt("PruneLeaf").Call(v, jen.Id("rec"))
	case NodeMap:
		return rt("PruneLeafMap").Call(v, jen.Id("rec"))
	case NodeMetadata:
		return rt("PruneMetadata").Call(v, jen.Id("rec"))
	case NodeFunc:
		return jen.Id("prune"+n.Name).Call(v, jen.Id("rec"))
	}
	panic("nothing prunes like node " + n.Name)
}

// pruneLeaves returns the call that prunes the named fields of an object, of which the schema says no more than that
// they are there.
func pruneLeaves(n *Node, names []jen.Code) jen.Code {
	if n.Kind != NodeLeaf {
		return nil
	}
	return rt("PruneLeaves").Call(append([]jen.Code{jen.Id("obj"), jen.Id("rec")}, names...)...)
}

// onlyLeaves tells whether n is an object that has fields about whose values the schema says nothing, and no others.
func onlyLeaves(n *Node) bool {
	return n.Rest == RestDrop && n.Elem.Kind == NodeLeaf && len(n.Fields) > 0 &&
		!slices.ContainsFunc(n.Fields, func(f Field) bool { return f.Node.Kind != NodeLeaf })
}

// pruneOther returns what becomes of a value that is not what the function is about.
func pruneOther(keep bool) jen.Code {
	if keep {
		return jen.Lit(0)
	}
	return rt("PruneLeaf").Call(jen.Id("v"), jen.Id("rec"))
}

func pruneSummary(n *Node) string {
	switch {
	case !walksObject(n):
		return "It is a list."
	case n.Rest == RestDrop:
		return "Unspecified fields are dropped."
	case n.Rest == RestKeep:
		return "Unspecified fields are kept, with all that is in them."
	case len(n.Fields) == 0:
		return "It is a map: every key is kept."
	}
	return "Every other key is kept, too, and its value is pruned."
}

func place(n *Node) string {
	if n.Path == "" {
		return n.Owner.Kind + " objects"
	}
	return n.Path
}
