package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// Default is the family of functions that fill in defaults.
var Default = Functions{Verb: "default", In: NormalizeUnit, Node: emitDefault}

// DefaultAPI emits
//
//	func Default<Kind>(obj map[string]any) {
//		default<Kind>(obj)
//	}
func DefaultAPI(g *jen.Group, _ *plan.Kind, names Names) {
	doc(g, names.Function+" sets every missing field of obj that has a default, in nested objects too. A null that the schema does not allow "+
		"counts as missing.")
	g.Func().Id(names.Function).Params(jen.Id("obj").Add(object())).Block(jen.Id(names.Root).Call(jen.Id("obj")))
	g.Line()
}

// emitDefault emits
//
//	func default<Name>(v any) {
//		switch v := v.(type) {
//		case map[string]any:
//			obj := v
//			<defaults>
//			if v, ok := obj["template"]; ok {
//				default<Template>(v)
//			}
//		case []any:
//			for _, v := range v {
//				default<Item>(v)
//			}
//		}
//	}
//
// with as much of it as there is to do.
func emitDefault(g *jen.Group, n *plan.Node) {
	doc(g, fmt.Sprintf("default%s fills in the defaults of %s.", n.Name, place(n)))
	g.Func().Id("default" + n.Name).Params(jen.Id("v").Any()).BlockFunc(func(g *jen.Group) {
		switch {
		case !n.WalksObject() && n.Elem == nil:
			g.Comment("// The schema has no defaults.")
		case n.Elem == nil:
			g.List(jen.Id("obj"), jen.Id("ok")).Op(":=").Id("v").Assert(object())
			g.If(jen.Op("!").Id("ok")).Block(jen.Return())
			defaultFields(g, n)
		case !n.WalksObject():
			g.List(jen.Id("list"), jen.Id("_")).Op(":=").Id("v").Assert(jen.Index().Any())
			defaultElements(g, n)
		default:
			g.Switch(jen.Id("v").Op(":=").Id("v").Assert(jen.Type())).Block(
				jen.Case(object()).BlockFunc(func(g *jen.Group) {
					g.Id("obj").Op(":=").Id("v")
					defaultFields(g, n)
				}),
				jen.Case(jen.Index().Any()).BlockFunc(func(g *jen.Group) {
					g.Id("list").Op(":=").Id("v")
					defaultElements(g, n)
				}),
			)
		}
	})
	g.Line()
}

// defaultFields emits what happens to the fields of an object. Defaults are complete, so only fields that were present must be
// visited; to visit all of them does no harm.
func defaultFields(g *jen.Group, n *plan.Node) {
	fillIn(g, n)
	if n.Rest == plan.RestWalk {
		rest := func(g *jen.Group) {
			nullInRange(g, n.RestSlot)
			if n.RestNode.Do == plan.DefaultWalk {
				g.Add(defaultCall(n.RestNode))
			}
		}
		if len(n.Fields) == 0 {
			key := "k"
			if nullRule(n.RestSlot).Default == nil {
				key = "_"
			}
			g.For(jen.List(jen.Id(key), jen.Id("v")).Op(":=").Range().Id("obj")).BlockFunc(rest)
			return
		}
		g.For(jen.List(jen.Id("k"), jen.Id("v")).Op(":=").Range().Id("obj")).Block(
			jen.Switch(jen.Id("k")).BlockFunc(func(g *jen.Group) {
				var plain []plan.Field
				for _, f := range n.Fields {
					if f.Node.Do == plan.DefaultWalk {
						g.Case(jen.Lit(f.Name)).Block(defaultCall(f.Node))
					} else {
						plain = append(plain, f)
					}
				}
				if len(plain) > 0 {
					g.Case(literals(plain)...)
				}
				g.Default().BlockFunc(rest)
			}),
		)
		return
	}
	for _, f := range n.Fields {
		if f.Node.Do == plan.DefaultWalk {
			g.If(jen.List(jen.Id("v"), jen.Id("ok")).Op(":=").Id("obj").Index(jen.Lit(f.Name)), jen.Id("ok")).Block(defaultCall(f.Node))
		}
	}
}

// defaultElements emits what happens to the elements of a list.
func defaultElements(g *jen.Group, n *plan.Node) {
	rule := nullRule(n.ElemSlot)
	index := "_"
	if rule.Default != nil {
		index = "i"
	}
	g.For(jen.List(jen.Id(index), jen.Id("v")).Op(":=").Range().Id("list")).BlockFunc(func(g *jen.Group) {
		if rule.Default != nil {
			g.If(jen.Id("v").Op("==").Nil()).Block(jen.Id("list").Index(jen.Id("i")).Op("=").Add(literal(rule.Default.JSON)), jen.Continue())
		}
		if n.Elem.Do == plan.DefaultWalk {
			g.Add(defaultCall(n.Elem))
		}
	})
}

func defaultCall(n *plan.Node) jen.Code { return jen.Id("default" + n.Name).Call(jen.Id("v")) }
