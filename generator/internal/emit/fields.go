package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// Fields is the family of functions that list the fields that pruning keeps. They walk the tree of pruning.
var Fields = Functions{Verb: "fields", In: FieldsUnit, Node: emitFields}

// FieldsUnit is the file of that family.
var FieldsUnit = &Unit{
	Infix: "_fields",
	About: func(k *plan.Kind) string {
		return fmt.Sprintf("This file lists the fields that pruning keeps in %s objects of %s, so that a program can find out whether "+
			"it still fits the CustomResourceDefinition that is installed.", word(k.Kind), word(k.APIVersion()))
	},
	AboutShared: "This file lists the fields that pruning keeps in what several kinds of this package have in common.",
}

// FieldsAPI emits
//
//	func Fields<Kind>(visit func(path string)) {
//		fields<Kind>("", visit)
//	}
func FieldsAPI(g *jen.Group, _ *plan.Kind, names Names) {
	doc(g, names.Function+" calls visit with the path of every field that pruning keeps: [] stands for the elements of a list, [*] for the values "+
		"of a map, and ... for everything below a place.")
	g.Func().Id(names.Function).Params(jen.Id("visit").Add(visitor())).Block(jen.Id(names.Root).Call(jen.Lit(""), jen.Id("visit")))
	g.Line()
}

func visitor() *jen.Statement { return jen.Func().Params(jen.Id("path").String()) }

// emitFields emits
//
//	func fields<Name>(at string, visit func(path string)) {
//		visit(at + ".image")
//		visit(at + ".template")
//		fields<Template>(at+".template", visit)
//	}
func emitFields(g *jen.Group, n *plan.Node) {
	doc(g, fmt.Sprintf("fields%s lists the fields of %s.", n.Name, place(n)))
	g.Func().Id("fields"+n.Name).Params(jen.Id("at").String(), jen.Id("visit").Add(visitor())).BlockFunc(func(g *jen.Group) {
		for _, f := range n.Fields {
			step := "." + f.Name
			g.Id("visit").Call(jen.Id("at").Op("+").Lit(step))
			fieldsBelow(g, f.Node, step)
		}
		switch n.Rest {
		case plan.RestKeep:
			g.Id("visit").Call(jen.Id("at").Op("+").Lit("..."))
		case plan.RestWalk:
			g.Id("visit").Call(jen.Id("at").Op("+").Lit("[*]"))
			fieldsBelow(g, n.RestNode, "[*]")
		}
		fieldsBelow(g, n.Elem, "[]")
	})
	g.Line()
}

// fieldsBelow emits what there is to list below a value that is reached with one more step.
func fieldsBelow(g *jen.Group, n *plan.Node, step string) {
	at := func(more string) *jen.Statement { return jen.Id("at").Op("+").Lit(step + more) }
	switch n.Do {
	case plan.PruneWalk:
		g.Id("fields"+n.Name).Call(at(""), jen.Id("visit"))
	case plan.PruneKeep, plan.PruneKind:
		g.Id("visit").Call(at("..."))
	case plan.PruneLeafMap:
		g.Id("visit").Call(at("[*]"))
	}
}
