package emit

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// Shape is the family of variables that say which values stand for which before an update.
var Shape = Functions{
	Verb: "shape",
	File: "update",
	About: func(k *plan.Kind) string {
		return fmt.Sprintf("This file validates updates of %s objects of %s, as the Kubernetes API server does: what was wrong before, and has "+
			"not changed, is tolerated. The variables say which values of an object stand for which of the one before: fields that "+
			"the schema names, and elements of list maps. Equal parts share a variable, named after the shortest path.",
			word(k.Kind), word(k.APIVersion()))
	},
	AboutShared: "This file says what several kinds of this package have in common when an object takes the place of another. The variables " +
		"are named after the shortest path that leads to it in any of them.",
	Node: emitShape,
}

// UpdateAPI emits
//
//	func Validate<Kind>Update(obj, old map[string]any) prunert.ErrorList {
//		var rec pruneimpl.Recorder
//		if validate<Kind>(obj, &rec) == 0 {
//			return nil
//		}
//		return rec.InvalidUpdate(obj, old, &shape<Kind>, validate<Kind>)
//	}
func UpdateAPI(g *jen.Group, _ *plan.Kind, name, root string) {
	doc(g, name+" returns what the API server finds wrong with obj when it takes the place of old: what is wrong by its schema, but for what "+
		"was wrong before and has not changed. It does not evaluate CEL rules (x-kubernetes-validations).")
	comparing(g, name, root, "InvalidUpdate")
}

// StatusAPI emits the same with InvalidStatus, as Validate<Kind>Status.
func StatusAPI(g *jen.Group, _ *plan.Kind, name, root string) {
	doc(g, name+" validates obj as what an update of the status makes of old. It returns what the API server finds wrong with the status by its "+
		"schema, except what was wrong before and has not changed. It does not evaluate CEL rules (x-kubernetes-validations).")
	comparing(g, name, root, "InvalidStatus")
}

// comparing emits a function that validates an object and leaves it to a method of the recorder what of it to report.
func comparing(g *jen.Group, name, root, method string) {
	validate := Validate.Verb + strings.TrimPrefix(root, Shape.Verb) // the root of a kind has the same name in both trees
	g.Func().Id(name).Params(jen.List(jen.Id("obj"), jen.Id("old")).Add(object())).Add(rt("ErrorList")).Block(
		jen.Var().Id("rec").Add(impl("Recorder")),
		jen.If(jen.Id(validate).Call(jen.Id("obj"), jen.Op("&").Id("rec")).Op("==").Lit(0)).Block(
			jen.Return(jen.Nil()),
		),
		jen.Return(jen.Id("rec").Dot(method).Call(jen.Id("obj"), jen.Id("old"), jen.Op("&").Id(root), jen.Id(validate))),
	)
	g.Line()
}

// emitShape emits
//
//	var shape<Name> = pruneimpl.Shape{
//		Fields: []pruneimpl.ShapeField{
//			{Name: "image"},
//			{Name: "ports", Shape: &shape<Ports>},
//		},
//		Values: &shape<Values>,
//		Items:  &shape<Items>,
//		Keys:   []string{"name"},
//	}
//
// with as much of it as there is.
func emitShape(g *jen.Group, n *plan.Node) {
	doc(g, fmt.Sprintf("shape%s is the shape of %s.", n.Name, place(n)))
	g.Var().Id("shape" + n.Name).Op("=").Add(impl("Shape")).BlockFunc(func(g *jen.Group) {
		field := func(name string, value jen.Code) { g.Id(name).Op(":").Add(value).Op(",") }
		if len(n.Fields) > 0 {
			field("Fields", jen.Index().Add(impl("ShapeField")).BlockFunc(func(g *jen.Group) {
				for _, f := range n.Fields {
					g.Values(jen.ListFunc(func(g *jen.Group) {
						g.Id("Name").Op(":").Lit(f.Name)
						if f.Node.Do.Func() {
							g.Id("Shape").Op(":").Add(shapeOf(f.Node))
						}
					})).Op(",")
				}
			}))
		}
		if n.Rest == plan.RestWalk {
			field("Values", shapeOf(n.RestNode))
		}
		if keys := n.Do.(plan.Shape).Keys; keys != nil {
			field("Items", shapeOf(n.Elem))
			field("Keys", jen.Index().String().Values(stringLiterals(keys)...))
		}
	})
	g.Line()
}

// shapeOf refers to the shape of a node.
func shapeOf(n *plan.Node) jen.Code {
	if n.Do.Func() {
		return jen.Op("&").Id("shape" + n.Name)
	}
	return jen.Op("&").Add(impl("Bare"))
}
