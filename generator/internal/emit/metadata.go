package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// Metadata is the family of tables of the resources in an object, whose metadata is validated with that of the object.
var Metadata = Functions{Verb: "metadata", In: ValidateUnit, Node: func(g *jen.Group, n *plan.Node) {
	t := newTable("metadata", n, func(n *plan.Node) jen.Code { return tableOf("metadata", n) })
	if n.Elem != nil {
		t.add("Items", tableOf("metadata", n.Elem))
	}
	if r := n.Do.(plan.Metadata).Resource; r == plan.ResourceEmbedded || r == plan.ResourceRootTwice {
		t.add("Resource", jen.True())
	}
	t.emit(g)
}}

// MetadataAPI emits
//
//	func Validate<Kind>Metadata(obj, old map[string]any) prunert.ErrorList {
//		return pruneimpl.InvalidMetadata(obj, old, <namespaced>, &metadata<Kind>)
//	}
func MetadataAPI(g *jen.Group, _ *plan.Kind, names Names) {
	doc(g, names.Function+" returns the invalid values in the metadata of obj and of the resources in it; nil if there are none. A nil old "+
		"means that obj is new; otherwise obj replaces old.")
	g.Func().Id(names.Function).Params(jen.List(jen.Id("obj"), jen.Id("old")).Add(object())).Add(rt("ErrorList")).Block(
		jen.Return(impl("InvalidMetadata").Call(jen.Id("obj"), jen.Id("old"), jen.Lit(names.Node.Do.(plan.Metadata).Namespaced), jen.Op("&").Id(names.Root))),
	)
	g.Line()
}
