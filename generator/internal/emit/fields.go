package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// Fields is the family of tables with the fields that pruning keeps. They are made from the tree of pruning.
var Fields = Functions{Verb: "fields", In: PruneUnit, Node: func(g *jen.Group, n *plan.Node) {
	t := newTable("fields", n, fieldsBelow)
	if n.Rest == plan.RestKeep {
		t.add("Open", jen.True())
	}
	if items := fieldsBelow(n.Elem); items != nil {
		t.add("Items", items)
	}
	t.emit(g)
}}

// FieldsAPI emits
//
//	func Fields<Kind>(visit func(path string)) {
//		pruneimpl.ListFields(&fields<Kind>, visit)
//	}
func FieldsAPI(g *jen.Group, _ *plan.Kind, names Names) {
	doc(g, names.Function+" calls visit with the path of every field that pruning keeps: [] stands for the elements of a list, [*] for the "+
		"values of a map, and ... for everything below a place.")
	g.Func().Id(names.Function).Params(jen.Id("visit").Func().Params(jen.Id("path").String())).Block(
		impl("ListFields").Call(jen.Op("&").Id(names.Root), jen.Id("visit")),
	)
	g.Line()
}

// fieldsBelow refers to the table of what pruning keeps below a value, nil for nothing.
func fieldsBelow(n *plan.Node) jen.Code {
	switch n.Do {
	case plan.PruneWalk:
		return tableOf("fields", n)
	case plan.PruneKeep, plan.PruneKind:
		return jen.Op("&").Add(impl("Open"))
	case plan.PruneLeafMap:
		return jen.Op("&").Add(impl("LeafMap"))
	}
	return nil
}
