package emit

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// Normalize is the family of functions that normalize.
var Normalize = Functions{Verb: "normalize", In: NormalizeUnit, Node: emitNormalize}

// NormalizeAPI emits
//
//	func Normalize<Kind>(obj map[string]any, opts prunert.NormalizeOptions) (unknown []string, err error) {
//		rec := pruneimpl.NewNormalizer(opts)
//		if normalize<Kind>(obj, &rec) == 0 {
//			return nil, nil
//		}
//		return rec.Normalized()
//	}
func NormalizeAPI(g *jen.Group, _ *plan.Kind, names Names) {
	doc(g, names.Function+" changes obj, in place, into what the API server would store, and returns the paths of unknown fields if opts asks for "+
		"them. An error reports invalid metadata, which is left as it is.")
	g.Func().Id(names.Function).Params(jen.Id("obj").Add(object()), jen.Id("opts").Add(rt("NormalizeOptions"))).
		Params(jen.Id("unknown").Index().String(), jen.Err().Error()).Block(
		jen.Id("rec").Op(":=").Add(impl("NewNormalizer")).Call(jen.Id("opts")),
		jen.If(jen.Id(names.Root).Call(jen.Id("obj"), jen.Op("&").Id("rec")).Op("==").Lit(0)).Block(
			jen.Return(jen.Nil(), jen.Nil()),
		),
		jen.Return(jen.Id("rec").Dot("Normalized").Call()),
	)
	g.Line()
}

var normalizeWalk = walk{
	verb: "normalize", call: normalizeCall, list: normalizeList, listCounts: true, first: normalizeFirst,
}

func normalized(n *plan.Node) plan.Normalize { return n.Do.(plan.Normalize) }

// emitNormalize emits the function that normalizes a value as n says. It has the form of the function that prunes, with
// what becomes of nulls and the defaults added to it.
func emitNormalize(g *jen.Group, n *plan.Node) {
	w := normalizeWalk
	doc(g, fmt.Sprintf("%s%s normalizes %s (%s).", w.verb, n.Name, place(n), pruneSummary(n)))
	w.function(g, n, func(g *jen.Group) {
		w.droppingBody(g, n, "NormalizeLeafObject", normalized(n.Elem).Kind == plan.NormalizeKeep)
	})
	g.Line()
}

// normalizeFirst returns what comes first for a resource: its metadata.
func normalizeFirst(n *plan.Node) []jen.Code {
	do := normalized(n)
	var all []jen.Code
	if do.DropNulls != "" {
		args := []jen.Code{jen.Id("obj")}
		for _, name := range strings.Fields(do.DropNulls) {
			args = append(args, jen.Lit(name))
		}
		all = append(all, impl("DropNulls").Call(args...))
	}
	function := map[plan.Resource]string{
		plan.ResourceRoot: "NormalizeRoot", plan.ResourceRootTwice: "NormalizeRootTwice", plan.ResourceEmbedded: "NormalizeEmbedded",
	}[do.Resource]
	if function != "" {
		all = append(all, jen.Id("n").Op("+=").Add(impl(function)).Call(jen.Id("obj"), jen.Id("rec")))
	}
	return all
}

// normalizeCall returns the call that normalizes v as n says.
func normalizeCall(n *plan.Node, v jen.Code) jen.Code {
	switch normalized(n).Kind {
	case plan.NormalizeKeep:
		return nil
	case plan.NormalizeLeaf:
		return impl("PruneLeaf").Call(v, jen.Id("rec"))
	case plan.NormalizeLeafMap:
		return impl("NormalizeLeafMap").Call(v, jen.Id("rec"))
	case plan.NormalizeNullsMap:
		return impl("PruneLeafMap").Call(v, jen.Id("rec"))
	case plan.NormalizeWalk:
		return jen.Id("normalize"+n.Name).Call(v, jen.Id("rec"))
	}
	panic("nothing normalizes like node " + n.Name)
}

// normalizeList returns the call that normalizes the named fields of an object, which are leaves and no nulls.
func normalizeList(_ *plan.Node, names []jen.Code) jen.Code {
	return impl("NormalizeLeaves").Call(append([]jen.Code{jen.Id("obj"), jen.Id("rec")}, names...)...)
}
