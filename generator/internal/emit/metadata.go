package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// Metadata is the family of functions that validate the values of metadata.
var Metadata = Functions{Verb: "metadata", In: MetadataUnit, Node: emitMetadata}

// MetadataUnit is the file of that family.
var MetadataUnit = &Unit{
	Infix: "_metadata",
	About: func(k *plan.Kind) string {
		return fmt.Sprintf("This file validates the values of the metadata of %s objects of %s and of the resources in them, as the "+
			"Kubernetes API server does. Each function names the part of the schema it covers; equal parts share a function, named "+
			"after the shortest path. Functions return the number of events they recorded: 0 when all is well.", word(k.Kind), word(k.APIVersion()))
	},
	AboutShared: "This file validates the values of the metadata of resources in what several kinds of this package have in common. The " +
		"functions are named after the shortest path that leads to it in any of them.",
}

// MetadataAPI emits
//
//	func Validate<Kind>Metadata(obj, old map[string]any) prunert.ErrorList {
//		var rec pruneimpl.Recorder
//		if metadata<Kind>(obj, old, &rec) == 0 {
//			return nil
//		}
//		return rec.Errors()
//	}
func MetadataAPI(g *jen.Group, _ *plan.Kind, names Names) {
	doc(g, names.Function+" returns what the API server finds wrong with the values of metadata, of obj and of the resources in it; nil when all is "+
		"well. The object is new if old is nil, and takes the place of old otherwise.")
	g.Func().Id(names.Function).Params(jen.List(jen.Id("obj"), jen.Id("old")).Add(object())).Add(rt("ErrorList")).Block(
		jen.Var().Id("rec").Add(impl("Recorder")),
		jen.If(jen.Id(names.Root).Call(jen.Id("obj"), jen.Id("old"), jen.Op("&").Id("rec")).Op("==").Lit(0)).Block(
			jen.Return(jen.Nil()),
		),
		jen.Return(jen.Id("rec").Dot("Errors").Call()),
	)
	g.Line()
}

// emitMetadata emits, for the whole object,
//
//	func metadata<Kind>(obj, old map[string]any, rec *pruneimpl.Recorder) (n int) {
//		n += pruneimpl.ValidateMetadata(obj, old, rec, true)
//		<fields>
//		return n
//	}
//
// and for what is in it
//
//	func metadata<Name>(v any, rec *pruneimpl.Recorder) (n int) {
//		if obj, ok := v.(map[string]any); ok {
//			n += pruneimpl.ValidateEmbeddedMetadata(obj, rec)
//			<fields>
//		}
//		if list, ok := v.([]any); ok {
//			<elements>
//		}
//		return n
//	}
//
// with as much of it as there is to do.
func emitMetadata(g *jen.Group, n *plan.Node) {
	do := n.Do.(plan.Metadata)
	doc(g, fmt.Sprintf("metadata%s validates the metadata in %s.", n.Name, place(n)))
	function := g.Func().Id("metadata" + n.Name)
	if do.Of != "" {
		function.Params(jen.List(jen.Id("obj"), jen.Id("old")).Add(object()), recorder()).Params(jen.Id("n").Int()).BlockFunc(func(g *jen.Group) {
			add(g, impl("ValidateMetadata").Call(jen.Id("obj"), jen.Id("old"), jen.Id("rec"), jen.Lit(do.Namespaced)))
			metadataObject(g, n)
			g.Return(jen.Id("n"))
		})
		g.Line()
		return
	}
	function.Params(jen.Id("v").Any(), recorder()).Params(jen.Id("n").Int()).BlockFunc(func(g *jen.Group) {
		if n.WalksObject() {
			g.If(jen.List(jen.Id("obj"), jen.Id("ok")).Op(":=").Id("v").Assert(object()), jen.Id("ok")).BlockFunc(func(g *jen.Group) { metadataObject(g, n) })
		}
		if n.Elem != nil {
			g.If(jen.List(jen.Id("list"), jen.Id("ok")).Op(":=").Id("v").Assert(jen.Index().Any()), jen.Id("ok")).Block(
				jen.For(jen.List(jen.Id("i"), jen.Id("v")).Op(":=").Range().Id("list")).Block(
					jen.Id("n").Op("+=").Id("rec").Dot("Index").Call(jen.Id("i"), metadataCall(n.Elem)),
				),
			)
		}
		g.Return(jen.Id("n"))
	})
	g.Line()
}

// metadataObject emits what applies to the object obj.
func metadataObject(g *jen.Group, n *plan.Node) {
	if r := n.Do.(plan.Metadata).Resource; r == plan.ResourceEmbedded || r == plan.ResourceRootTwice {
		add(g, impl("ValidateEmbeddedMetadata").Call(jen.Id("obj"), jen.Id("rec")))
	}
	if n.Rest != plan.RestWalk {
		for _, f := range n.Fields {
			g.If(jen.List(jen.Id("v"), jen.Id("ok")).Op(":=").Id("obj").Index(jen.Lit(f.Name)), jen.Id("ok")).Block(
				jen.Id("n").Op("+=").Id("rec").Dot("Field").Call(jen.Lit(f.Name), metadataCall(f.Node)),
			)
		}
		return
	}
	rest := jen.Id("n").Op("+=").Id("rec").Dot("Key").Call(jen.Id("k"), metadataCall(n.RestNode))
	g.For(jen.List(jen.Id("k"), jen.Id("v")).Op(":=").Range().Id("obj")).BlockFunc(func(g *jen.Group) {
		if len(n.Fields) == 0 {
			g.Add(rest)
			return
		}
		g.Switch(jen.Id("k")).BlockFunc(func(g *jen.Group) {
			var plain []plan.Field
			for _, f := range n.Fields {
				if !f.Node.Do.Func() {
					plain = append(plain, f)
					continue
				}
				g.Case(jen.Lit(f.Name)).Block(jen.Id("n").Op("+=").Id("rec").Dot("Field").Call(jen.Id("k"), metadataCall(f.Node)))
			}
			if len(plain) > 0 {
				g.Case(literals(plain)...)
			}
			g.Default().Block(rest)
		})
	})
}

func metadataCall(n *plan.Node) jen.Code {
	return jen.Id("metadata"+n.Name).Call(jen.Id("v"), jen.Id("rec"))
}
