package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// ResourceName returns the name of the variable with the resource of a kind.
func ResourceName(ident string) string {
	return ident + "Resource"
}

// AboutResource returns the comment at the top of a file with a resource and without the functions that prune.
func AboutResource(k *plan.Kind) string {
	return fmt.Sprintf("This file describes %s %s.", word(k.APIVersion()), word(k.Kind))
}

// Link is a field of prunert.Resource and the function that it holds.
type Link struct{ Field, Function string }

// Resource emits
//
//	// Fails to compile ...
//	const _ = pruneimpl.SupportsGeneratedV1
//
//	var <Kind>Resource = prunert.Resource{
//		Group: "stable.example.com",
//		...
//		Prune: Prune<Kind>,
//	}
func Resource(g *jen.Group, k *plan.Kind, links []Link) {
	doc(g, "Fails to compile against an incompatible prune-gen runtime; regenerate this file.")
	g.Const().Id("_").Op("=").Add(impl("SupportsGeneratedV1"))
	g.Line()
	doc(g, fmt.Sprintf("%s describes %s %s and holds the generated functions.", ResourceName(k.Ident), word(k.APIVersion()), word(k.Kind)))
	g.Var().Id(ResourceName(k.Ident)).Op("=").Add(rt("Resource")).BlockFunc(func(g *jen.Group) {
		field := func(name string, value jen.Code) {
			g.Id(name).Op(":").Add(value).Op(",")
		}
		field("Group", jen.Lit(k.Group))
		field("Version", jen.Lit(k.Version))
		field("Kind", jen.Lit(k.Kind))
		field("Plural", jen.Lit(k.Plural))
		if k.ListKind != "" {
			field("ListKind", jen.Lit(k.ListKind))
		}
		if k.Namespaced {
			field("Namespaced", jen.True())
		}
		if k.Status {
			field("Status", jen.True())
		}
		if k.Scale != nil {
			field("Scale", scale(k.Scale))
		}
		if k.DeprecationWarning != "" {
			field("DeprecationWarning", jen.Lit(k.DeprecationWarning))
		}
		field("SchemaHash", jen.Lit(k.SchemaHash))
		if k.HasRules {
			field("HasRules", jen.True())
		}
		for _, l := range links {
			field(l.Field, jen.Id(l.Function))
		}
	})
	g.Line()
}

// scale returns &prunert.Scale{SpecReplicasPath: ".spec.replicas", StatusReplicasPath: ".status.replicas"}
func scale(s *plan.Scale) jen.Code {
	return jen.Op("&").Add(rt("Scale")).Values(jen.ListFunc(func(g *jen.Group) {
		g.Id("SpecReplicasPath").Op(":").Lit(s.SpecReplicas)
		g.Id("StatusReplicasPath").Op(":").Lit(s.StatusReplicas)
		if s.LabelSelector != "" {
			g.Id("LabelSelectorPath").Op(":").Lit(s.LabelSelector)
		}
	}))
}

// Register emits
//
//	func init() {
//		prunert.Register(
//			<Kind>Resource,
//		)
//	}
func Register(g *jen.Group, kinds []*plan.Kind) {
	g.Func().Id("init").Params().Block(
		rt("Register").CallFunc(func(g *jen.Group) {
			for _, k := range kinds {
				g.Line().Id(ResourceName(k.Ident))
			}
			g.Line()
		}),
	)
}
