package emit

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// The verbs of the functions on JSON.
const scanVerb, decodeVerb = "scan", "decode"

// JSON is the family of functions that prune JSON. They walk the tree of pruning.
var JSON = Functions{Verb: scanVerb, In: JSONUnit, Node: emitScan}

// JSONAPI emits
//
//	func Prune<Kind>JSON(dst, src []byte) ([]byte, error) {
//		var s prunejson.Scanner
//		if p := s.Begin(dst, src); !s.IsList(p, "<Kind>List") {
//			if s.End(scan<Kind>(&s, p)) {
//				return s.Result()
//			}
//		}
//		return json<Kind>.Prune(dst, src)
//	}
func JSONAPI(g *jen.Group, k *plan.Kind, names Names) {
	doc(g, fmt.Sprintf("%s appends the JSON document src to dst without the fields that the schema does not specify, and otherwise byte for "+
		"byte. The document is an object of the kind, or a list of them. src and dst must not overlap. Pruning an object allocates nothing "+
		"where dst has room for %d bytes more than src and no key has escapes.", names.Function, jsonRoom))
	g.Func().Id(names.Function).Params(jen.List(jen.Id("dst"), jen.Id("src")).Index().Byte()).Params(jen.Index().Byte(), jen.Error()).Block(
		jen.Var().Id("s").Add(json("Scanner")),
		jen.If(jen.Id("p").Op(":=").Id("s").Dot("Begin").Call(jen.Id("dst"), jen.Id("src")), jen.Op("!").Id("s").Dot("IsList").Call(jen.Id("p"), jen.Lit(quickListKind(k)))).Block(
			jen.If(jen.Id("s").Dot("End").Call(jen.Id(names.Root).Call(jen.Op("&").Id("s"), jen.Id("p")))).Block(
				jen.Return(jen.Id("s").Dot("Result").Call()),
			),
		),
		jen.Return(jen.Id(jsonName(k)).Dot("Prune").Call(jen.Id("dst"), jen.Id("src"))),
	)
	g.Line()
}

// JSONReportAPI emits
//
//	func Prune<Kind>JSONReport(dst, src []byte) ([]byte, prunert.JSONReport, error) {
//		return json<Kind>.PruneReport(dst, src)
//	}
func JSONReportAPI(g *jen.Group, k *plan.Kind, names Names) {
	doc(g, fmt.Sprintf("%s appends the JSON document src to dst without the fields that the schema does not specify, as PruneJSON does, and "+
		"reports the paths of what it dropped and of duplicate keys.", names.Function))
	g.Func().Id(names.Function).Params(jen.List(jen.Id("dst"), jen.Id("src")).Index().Byte()).Params(jen.Index().Byte(), rt("JSONReport"), jen.Error()).Block(
		jen.Return(jen.Id(jsonName(k)).Dot("PruneReport").Call(jen.Id("dst"), jen.Id("src"))),
	)
	g.Line()
}

// JSONStreamAPI emits
//
//	func Prune<Kind>Stream(w io.Writer, r io.Reader) error {
//		return json<Kind>.PruneStream(w, r)
//	}
func JSONStreamAPI(g *jen.Group, k *plan.Kind, names Names) {
	doc(g, fmt.Sprintf("%s copies JSON documents from r to w without the fields that the schema does not specify, and otherwise byte for "+
		"byte. The documents are objects of the kind, or lists of them, which may be larger than memory.", names.Function))
	g.Func().Id(names.Function).Params(jen.Id("w").Qual(IOPath, "Writer"), jen.Id("r").Qual(IOPath, "Reader")).Error().Block(
		jen.Return(jen.Id(jsonName(k)).Dot("PruneStream").Call(jen.Id("w"), jen.Id("r"))),
	)
	g.Line()
}

// jsonRoom is the number of bytes that dst needs in addition to the length of the document.
const jsonRoom = 64

// emitJSONKind emits
//
//	var json<Kind> = prunejson.Kind{
//		APIVersion: "stable.example.com/v1", Kind: "<Kind>", ListKind: "<Kind>List",
//		Scan: scan<Kind>, Build: decode<Kind>,
//	}
//
// with those functions that there are.
func emitJSONKind(g *jen.Group, k *plan.Kind, roots map[string]string) {
	doc(g, jsonName(k)+" recognizes documents of the kind, and lists of them.")
	field := func(name string, value jen.Code) *jen.Statement { return jen.Id(name).Op(":").Add(value).Op(",") }
	g.Var().Id(jsonName(k)).Op("=").Add(json("Kind")).BlockFunc(func(g *jen.Group) {
		g.Add(field("APIVersion", jen.Lit(k.APIVersion())), field("Kind", jen.Lit(k.Kind)), field("ListKind", jen.Lit(listKind(k))))
		var functions []jen.Code
		if root, ok := roots[scanVerb]; ok {
			functions = append(functions, field("Scan", jen.Id(root)))
		}
		if root, ok := roots[decodeVerb]; ok {
			functions = append(functions, field("Build", jen.Id(root)))
		}
		g.Add(functions...)
	})
	g.Line()
}

func jsonName(k *plan.Kind) string { return "json" + k.Ident }

// quickListKind returns the kind of lists for IsList. A kind with the name of its lists has no lists: IsList would report every
// object.
func quickListKind(k *plan.Kind) string {
	if list := listKind(k); list != k.Kind {
		return list
	}
	return "List"
}

func listKind(k *plan.Kind) string {
	if k.ListKind != "" {
		return k.ListKind
	}
	return k.Kind + "List"
}

// emitScan emits the function that prunes the JSON of a value as n says. An object:
//
//	func scan<Name>(s *prunejson.Scanner, p prunejson.Pos) prunejson.Pos {
//		k, p, ok := s.Object(p)
//		if !ok {
//			return s.Leaf(p)
//		}
//		<members>
//		return s.Close(p)
//	}
//
// A list is the same with s.List and elements. Of a value that may be either, each is tried.
func emitScan(g *jen.Group, n *plan.Node) {
	doc(g, fmt.Sprintf("scan%s prunes %s (%s).", n.Name, place(n), pruneSummary(n)))
	position := func() *jen.Statement { return json("Pos") }
	g.Func().Id("scan"+n.Name).Params(jen.Id("s").Op("*").Add(json("Scanner")), jen.Id("p").Add(position())).Add(position()).
		BlockFunc(func(g *jen.Group) { scanWalk.body(g, n) })
	g.Line()
}

var scanWalk = jsonWalk{
	receiver: "s",
	other: func(keep bool) jen.Code {
		if keep {
			return jen.Id("s").Dot("Keep").Call(jen.Id("p"))
		}
		return jen.Id("s").Dot("Leaf").Call(jen.Id("p"))
	},
	element:   func(n *plan.Node) jen.Code { return scanCall(n, jen.Id("p")) },
	field:     scanField,
	rest:      scanRest,
	close:     func() jen.Code { return jen.Id("s").Dot("Close").Call(jen.Id("p")) },
	closeList: func() jen.Code { return jen.Id("p") },
}

// scanField emits what happens to a field whose key has matched.
func scanField(f plan.Field) jen.Code {
	return scanValue(f.Node, jen.Id("p").Op("+").Lit(len(keyLiteral(f.Name))))
}

// scanValue emits what happens to the value of a field: k, p = s.Next(<call>), or k, p = s.LeafField(<value>)
func scanValue(n *plan.Node, value jen.Code) jen.Code {
	if n.Do == plan.PruneLeaf {
		return next(jen.Id("s").Dot("LeafField").Call(value))
	}
	return next(jen.Id("s").Dot("Next").Call(scanCall(n, value)))
}

// next emits k, p = <keyAndPosition>
func next(keyAndPosition jen.Code) jen.Code {
	return jen.List(jen.Id("k"), jen.Id("p")).Op("=").Add(keyAndPosition)
}

// scanRest emits what happens to a field whose key has not matched.
func scanRest(g *jen.Group, n *plan.Node) {
	rest := func(method string) jen.Code { return next(jen.Id("s").Dot(method).Call(jen.Id("k"), jen.Id("p"))) }
	switch {
	case n.Rest == plan.RestDrop:
		g.Add(rest("Drop"))
	case n.Rest == plan.RestKeep:
		g.Add(rest("Rest"))
	case len(n.Fields) == 0:
		g.Add(scanValue(n.RestNode, jen.Id("s").Dot("Key").Call(jen.Id("p"))))
	default:
		g.List(jen.Id("v"), jen.Id("odd")).Op(":=").Id("s").Dot("OtherKey").Call(jen.Id("k"), jen.Id("p"))
		g.If(jen.Id("odd").Op("!=").Nil()).Block(jen.List(jen.Id("k"), jen.Id("p")).Op("=").List(jen.Id("odd"), jen.Id("v")), jen.Continue())
		g.Add(scanValue(n.RestNode, jen.Id("v")))
	}
}

// scanCall returns the call that prunes the value at p as n says.
func scanCall(n *plan.Node, p jen.Code) jen.Code {
	method := func(name string) jen.Code { return jen.Id("s").Dot(name).Call(p) }
	switch n.Do {
	case plan.PruneKeep:
		return method("Keep")
	case plan.PruneKind: // which says whether the document is a list
		return method("KeepKind")
	case plan.PruneLeaf:
		return method("Leaf")
	case plan.PruneLeafMap:
		return method("LeafMap")
	case plan.PruneMetadata:
		return method("Metadata")
	case plan.PruneWalk:
		return jen.Id("scan"+n.Name).Call(jen.Id("s"), p)
	}
	panic("nothing scans like node " + n.Name)
}

// isKey returns whether the key in the window k is the name of a field: string(k[:8]) == `"image":`
//
// A long one is compared in pieces that Go compares without a call: string(k[:16]) == `"imagePullSecret` && string(k[16:19]) == `s":`
//
// A name that no window holds, or that JSON does not write as it is, is left to the runtime: s.IsOdd(k, "name")
func isKey(receiver, name string) *jen.Statement {
	literal := keyLiteral(name)
	if len(literal) > maxKey || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' }) {
		return jen.Id(receiver).Dot("IsOdd").Call(jen.Id("k"), jen.Lit(name))
	}
	var all *jen.Statement
	for from := 0; from < len(literal); from += keyPiece {
		to := min(from+keyPiece, len(literal))
		piece := jen.String().Call(jen.Id("k").Index(position(from), jen.Lit(to))).Op("==").Add(keyCode(literal[from:to], plan.PlainKey(name)))
		if all == nil {
			all = piece
		} else {
			all.Op("&&").Add(piece)
		}
	}
	return all
}

// keyPiece is the number of bytes that Go compares with a constant without a call.
const keyPiece = 16

// position writes the lower bound of a slice.
func position(from int) jen.Code {
	if from == 0 {
		return jen.Empty()
	}
	return jen.Lit(from)
}

// keyCode writes a piece of the literal of a key. A plain key, of letters, digits and dashes, is most readable in backquotes.
func keyCode(piece string, plain bool) jen.Code {
	if plain {
		return jen.Op("`" + piece + "`")
	}
	return jen.Lit(piece)
}

// maxKey is the maximum length of a key, with its quotes and its colon, that is compared in the document.
const maxKey = 64

// keyLiteral returns a key as compact JSON writes it, if nothing in it must be escaped.
func keyLiteral(name string) string { return `"` + name + `":` }

// byteLiteral writes a byte of a key.
func byteLiteral(c byte) jen.Code {
	if c < 0x80 && c >= ' ' {
		return jen.LitRune(rune(c))
	}
	return jen.Lit(int(c))
}
