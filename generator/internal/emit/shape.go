package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// Shape is the family of tables that say which values of an object correspond to which old values in an update.
var Shape = Functions{Verb: "shape", In: ValidateUnit, Node: func(g *jen.Group, n *plan.Node) {
	t := newTable("shape", n, func(n *plan.Node) jen.Code { return tableOf("shape", n) })
	if keys := n.Do.(plan.Shape).Keys; keys != nil {
		t.add("Items", t.orBare(n.Elem))
		t.add("Keys", jen.Index().String().Values(stringLiterals(keys)...))
	}
	t.emit(g)
}}

// UpdateAPI emits
//
//	func Validate<Kind>Update(obj, old map[string]any) prunert.ErrorList {
//		var rec pruneimpl.Recorder
//		if validate<Kind>(obj, &rec) == 0 {
//			return nil
//		}
//		return rec.InvalidUpdate(obj, old, &shape<Kind>, validate<Kind>)
//	}
func UpdateAPI(g *jen.Group, _ *plan.Kind, names Names) {
	doc(g, names.Function+" validates an update of old to obj; errors in unchanged values are ignored.")
	comparing(g, names, "InvalidUpdate")
}

// StatusAPI emits the same with InvalidStatus, as Validate<Kind>Status.
func StatusAPI(g *jen.Group, _ *plan.Kind, names Names) {
	doc(g, names.Function+" validates an update of the status of old to that of obj; errors in unchanged values are ignored.")
	comparing(g, names, "InvalidStatus")
}

// comparing emits a function that validates an object and leaves it to a method of the recorder which errors to report.
func comparing(g *jen.Group, names Names, method string) {
	validate := names.Needs[0] // FeatureValidate
	g.Func().Id(names.Function).Params(jen.List(jen.Id("obj"), jen.Id("old")).Add(object())).Add(rt("ErrorList")).Block(
		jen.Var().Id("rec").Add(impl("Recorder")),
		jen.If(jen.Id(validate).Call(jen.Id("obj"), jen.Op("&").Id("rec")).Op("==").Lit(0)).Block(
			jen.Return(jen.Nil()),
		),
		jen.Return(jen.Id("rec").Dot(method).Call(jen.Id("obj"), jen.Id("old"), jen.Op("&").Id(names.Root), jen.Id(validate))),
	)
	g.Line()
}

// table is a variable of type pruneimpl.Shape:
//
//	var <verb><Name> = pruneimpl.Shape{
//		Names: []string{"image"},
//		Fields: []pruneimpl.ShapeField{
//			{Name: "ports", Shape: &<verb><Ports>},
//		},
//		Values: &<verb><Values>,
//	}
//
// with as much of it as there is, in one line if that is one entry with at most one field.
type table struct {
	verb    string
	node    *plan.Node
	below   func(n *plan.Node) jen.Code
	entries []jen.Code
	long    bool
}

// newTable returns a table with the fields of a node. The function below refers to the table of a node, and returns nil for one
// with nothing below it.
func newTable(verb string, n *plan.Node, below func(n *plan.Node) jen.Code) *table {
	t := &table{verb: verb, node: n, below: below}
	var names, fields []plan.Field
	for _, f := range n.Fields {
		if below(f.Node) == nil {
			names = append(names, f)
		} else {
			fields = append(fields, f)
		}
	}
	if len(names) > 0 {
		t.add("Names", jen.Index().String().Values(arguments(names)...))
	}
	field := func(f plan.Field) *jen.Statement {
		return jen.Values(jen.Id("Name").Op(":").Lit(f.Name), jen.Id("Shape").Op(":").Add(below(f.Node)))
	}
	switch len(fields) {
	case 0:
	case 1:
		t.add("Fields", jen.Index().Add(impl("ShapeField")).Values(field(fields[0])))
	default:
		t.long = true
		t.add("Fields", jen.Index().Add(impl("ShapeField")).BlockFunc(func(g *jen.Group) {
			for _, f := range fields {
				g.Add(field(f)).Op(",")
			}
		}))
	}
	if n.Rest == plan.RestWalk {
		t.add("Values", t.orBare(n.RestNode))
	}
	return t
}

// add adds <key>: <value> to the table.
func (t *table) add(key string, value jen.Code) {
	t.entries = append(t.entries, jen.Id(key).Op(":").Add(value))
}

// orBare refers to the table of a node, or to that of a value with nothing below it.
func (t *table) orBare(n *plan.Node) jen.Code {
	if below := t.below(n); below != nil {
		return below
	}
	return jen.Op("&").Add(impl("Bare"))
}

func (t *table) emit(g *jen.Group) {
	name := t.verb + t.node.Name
	doc(g, fmt.Sprintf("%s describes %s.", name, place(t.node)))
	v := g.Var().Id(name).Op("=").Add(impl("Shape"))
	if len(t.entries) > 1 || t.long {
		v.BlockFunc(func(g *jen.Group) {
			for _, entry := range t.entries {
				g.Add(entry).Op(",")
			}
		})
	} else {
		v.Values(t.entries...)
	}
	g.Line()
}

// tableOf refers to the table of a node, nil if it has none.
func tableOf(verb string, n *plan.Node) jen.Code {
	if n.Do.Func() {
		return jen.Op("&").Id(verb + n.Name)
	}
	return nil
}
