package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// Decode is the family of functions that decode JSON and prune it on the way. They walk the tree of pruning.
var Decode = Functions{Verb: decodeVerb, In: JSONUnit, Node: emitDecode}

// DecodeAPI emits
//
//	func Decode<Kind>JSON(src []byte) (map[string]any, error) {
//		return json<Kind>.Decode(src)
//	}
func DecodeAPI(g *jen.Group, k *plan.Kind, names Names) {
	doc(g, names.Function+" decodes the JSON document src without the fields that the schema does not specify. The document is an object of the "+
		"kind, or a list of them.")
	g.Func().Id(names.Function).Params(jen.Id("src").Index().Byte()).Params(object(), jen.Error()).Block(
		jen.Return(jen.Id(jsonName(k)).Dot("Decode").Call(jen.Id("src"))),
	)
	g.Line()
}

// emitDecode emits the function that decodes a value and prunes it as n says. An object:
//
//	func decode<Name>(d *prunejson.Decoder, key string, p prunejson.Pos) prunejson.Pos {
//		k, p, ok := d.Object(p)
//		if !ok {
//			return d.Leaf(key, p)
//		}
//		size := d.Size()
//		<members>
//		return d.Close(key, size, p)
//	}
//
// A list is the same with d.List, elements and d.CloseList. Of a value that may be either, each is tried.
func emitDecode(g *jen.Group, n *plan.Node) {
	doc(g, fmt.Sprintf("decode%s decodes %s (%s).", n.Name, place(n), pruneSummary(n)))
	g.Func().Id("decode"+n.Name).Params(jen.Id("d").Op("*").Add(json("Decoder")), jen.Id("key").String(), jen.Id("p").Add(json("Pos"))).Add(json("Pos")).
		BlockFunc(func(g *jen.Group) { decodeWalk.body(g, n) })
	g.Line()
}

var decodeWalk = jsonWalk{
	receiver: "d",
	other: func(keep bool) jen.Code {
		if keep {
			return jen.Id("d").Dot("Keep").Call(jen.Id("key"), jen.Id("p"))
		}
		return jen.Id("d").Dot("Leaf").Call(jen.Id("key"), jen.Id("p"))
	},
	first:     func() jen.Code { return jen.Id("size").Op(":=").Id("d").Dot("Size").Call() },
	element:   func(n *plan.Node) jen.Code { return decodeCall(n, jen.Lit(""), jen.Id("p")) },
	field:     decodeField,
	rest:      decodeRest,
	close:     func() jen.Code { return jen.Id("d").Dot("Close").Call(jen.Id("key"), jen.Id("size"), jen.Id("p")) },
	closeList: func() jen.Code { return jen.Id("d").Dot("CloseList").Call(jen.Id("key"), jen.Id("size"), jen.Id("p")) },
}

// decodeField emits what happens to a field whose key has matched: k, p = d.Next(<call>)
func decodeField(f plan.Field) jen.Code {
	return decodeNext(decodeCall(f.Node, jen.Lit(f.Name), jen.Id("p").Op("+").Lit(len(keyLiteral(f.Name)))))
}

// decodeNext emits k, p = d.Next(<call>)
func decodeNext(call jen.Code) jen.Code { return next(jen.Id("d").Dot("Next").Call(call)) }

// decodeRest emits what happens to a field whose key has not matched.
func decodeRest(g *jen.Group, n *plan.Node) {
	rest := func(method string) jen.Code {
		return next(jen.Id("d").Dot(method).Call(jen.Id("k"), jen.Id("p")))
	}
	name, value := jen.Id("name"), jen.Id("v")
	switch {
	case n.Rest == plan.RestDrop:
		g.Add(rest("Drop"))
	case n.Rest == plan.RestKeep:
		g.Add(rest("Rest"))
	case len(n.Fields) == 0:
		g.List(name, value).Op(":=").Id("d").Dot("Key").Call(jen.Id("p"))
		g.Add(decodeNext(decodeCall(n.RestNode, jen.Id("name"), jen.Id("v"))))
	default:
		g.List(name, value, jen.Id("odd")).Op(":=").Id("d").Dot("OtherKey").Call(jen.Id("k"), jen.Id("p"))
		g.If(jen.Id("odd").Op("!=").Nil()).Block(jen.List(jen.Id("k"), jen.Id("p")).Op("=").List(jen.Id("odd"), jen.Id("v")), jen.Continue())
		g.Add(decodeNext(decodeCall(n.RestNode, jen.Id("name"), jen.Id("v"))))
	}
}

// decodeCall returns the call that decodes the value at p and prunes it as n says, to be kept under a key.
func decodeCall(n *plan.Node, key, p jen.Code) jen.Code {
	method := func(name string) jen.Code { return jen.Id("d").Dot(name).Call(key, p) }
	switch n.Do {
	case plan.PruneKeep, plan.PruneKind:
		return method("Keep")
	case plan.PruneLeaf:
		return method("Leaf")
	case plan.PruneLeafMap:
		return method("LeafMap")
	case plan.PruneMetadata:
		return method("Metadata")
	case plan.PruneWalk:
		return jen.Id("decode"+n.Name).Call(jen.Id("d"), key, p)
	}
	panic("nothing decodes like node " + n.Name)
}
