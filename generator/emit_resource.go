package generator

import (
	"fmt"

	"github.com/dave/jennifer/jen"
)

// emitResource emits
//
//	var <Kind>Resource = prunert.Resource{
//		Group: "stable.example.com",
//		...
//		Prune: Prune<Kind>,
//	}
func emitResource(g *jen.Group, k *Kind, features Features) {
	doc(g, fmt.Sprintf("%sResource is the resource with the functions below.", k.Ident))
	g.Var().Id(resourceName(k.Ident)).Op("=").Add(rt("Resource")).BlockFunc(func(g *jen.Group) {
		field := func(name string, value jen.Code) {
			g.Id(name).Op(":").Add(value).Op(",")
		}
		field("Group", jen.Lit(k.Group))
		field("Version", jen.Lit(k.Version))
		field("Kind", jen.Lit(k.Kind))
		field("Plural", jen.Lit(k.Plural))
		field("SchemaHash", jen.Lit(k.SchemaHash))
		for _, f := range AllFeatures() {
			if features.Has(f) {
				field(functionName(f, ""), jen.Id(functionName(f, k.Ident))) // Prune: PruneApp
			}
		}
	})
	g.Line()
}

// emitRegister emits
//
//	func init() {
//		prunert.Register(
//			<Kind>Resource,
//		)
//	}
func emitRegister(g *jen.Group, kinds []*Kind) {
	g.Func().Id("init").Params().Block(
		rt("Register").CallFunc(func(g *jen.Group) {
			for _, k := range kinds {
				g.Line().Id(resourceName(k.Ident))
			}
			g.Line()
		}),
	)
}
