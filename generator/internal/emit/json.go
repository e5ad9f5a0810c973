package emit

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// JSON is the family of functions that prune JSON, and Decode that of functions that decode it and prune it on the way. Both walk the
// tree of pruning.
var (
	JSON   = Functions{Verb: scanWalk.verb, In: JSONUnit, Node: scanWalk.emit}
	Decode = Functions{Verb: decodeWalk.verb, In: JSONUnit, Node: decodeWalk.emit}
)

// JSONAPI emits Prune<Kind>JSON.
var JSONAPI = api("appends the JSON document src to dst without the fields that the schema does not specify, and otherwise byte for byte. The document "+
	"is an object of the kind, or a list of them. src and dst must not overlap. Pruning an object allocates nothing where dst has room for 64 bytes "+
	"more than src and no key has escapes.", `
func <Function>(dst, src []byte) ([]byte, error) {
	var s prunejson.Scanner
	if p := s.Begin(dst, src); !s.IsList(p, <list>) {
		if s.End(<root>(&s, p)) {
			return s.Result()
		}
	}
	return <json>.Prune(dst, src)
}`)

// JSONReportAPI emits Prune<Kind>JSONReport.
var JSONReportAPI = api("appends the JSON document src to dst without the fields that the schema does not specify, and "+
	"reports the paths of what it dropped and of duplicate keys.", `
func <Function>(dst, src []byte) ([]byte, prunert.JSONReport, error) {
	return <json>.PruneReport(dst, src)
}`)

// JSONStreamAPI emits Prune<Kind>Stream.
var JSONStreamAPI = api("copies JSON documents from r to w without the fields that the schema does not specify, and otherwise byte for "+
	"byte. The documents are objects of the kind, or lists of them, which may be larger than memory.", `
func <Function>(w io.Writer, r io.Reader) error {
	return <json>.PruneStream(w, r)
}`)

// DecodeAPI emits Decode<Kind>JSON.
var DecodeAPI = api("decodes the JSON document src without the fields that the schema does not specify. The document is an object of the kind, "+
	"or a list of them.", `
func <Function>(src []byte) (map[string]any, error) {
	return <json>.Decode(src)
}`)

// emitJSONKind emits what the functions of a kind share, with the roots that there are.
func emitJSONKind(g *jen.Group, k *plan.Kind, roots map[string]string) {
	doc(g, jsonName(k)+" recognizes documents of the kind, and lists of them.")
	functions := ""
	if root, ok := roots[scanWalk.verb]; ok {
		functions += "Scan: " + root + ", "
	}
	if root, ok := roots[decodeWalk.verb]; ok {
		functions += "Build: " + root + ","
	}
	write(g, "var %s = prunejson.Kind{\nAPIVersion: %s, Kind: %s, ListKind: %s,\n%s\n}\n",
		jsonName(k), quote(k.APIVersion()), quote(k.Kind), quote(listKind(k)), functions)
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

// jsonWalk emits the functions of a family.
type jsonWalk struct {
	verb, does string
	// receiver is the scanner or decoder, and typ its type.
	receiver, typ string
	// keyed says that values are kept under keys: calls have one before the position.
	keyed bool
}

var (
	scanWalk   = jsonWalk{"scan", "prunes", "s", "Scanner", false}
	decodeWalk = jsonWalk{"decode", "decodes", "d", "Decoder", true}
)

// emit emits the function for a value at p. That of an object is
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
// A list is the same with s.List and elements. Of a value that may be either, each is tried. A function that decodes has the key of
// the value as well, and remembers the size of the decoder before the members.
func (w jsonWalk) emit(g *jen.Group, n *plan.Node) {
	doc(g, fmt.Sprintf("%s%s %s %s (%s).", w.verb, n.Name, w.does, place(n), pruneSummary(n)))
	write(g, "func %s%s(%s *prunejson.%s, %s prunejson.Pos) prunejson.Pos {", w.verb, n.Name, w.receiver, w.typ, w.arguments("key string", "p"))
	other := func(keep bool) string {
		if keep {
			return w.method("Keep", "key", "p")
		}
		return w.method("Leaf", "key", "p")
	}
	switch n.Walk.Form {
	case plan.FormLeafObject, plan.FormObject:
		write(g, "k, p, ok := %s.Object(p)\nif !ok {\nreturn %s\n}", w.receiver, other(n.Elem.Do == plan.PruneKeep))
		w.members(g, n)
	case plan.FormList:
		w.elements(g, n, other(n.Rest == plan.RestKeep))
	case plan.FormKeptList:
		write(g, "if %s.IsAt(p, '[') {\nreturn %s\n}\nreturn %s", w.receiver, other(true), other(n.Rest == plan.RestKeep))
	case plan.FormAny:
		write(g, "if k, p, ok := %s.Object(p); ok {", w.receiver)
		w.members(g, n)
		write(g, "}")
		w.elements(g, n, other(true))
	}
	write(g, "}\n")
}

// arguments returns what a call has for a key and a position.
func (w jsonWalk) arguments(key, p string) string {
	if w.keyed {
		return key + ", " + p
	}
	return p
}

// method returns the call of a method for the value at p.
func (w jsonWalk) method(name, key, p string) string {
	return fmt.Sprintf("%s.%s(%s)", w.receiver, name, w.arguments(key, p))
}

// begin emits what comes before members and elements.
func (w jsonWalk) begin(g *jen.Group) {
	if w.keyed {
		write(g, "size := %s.Size()", w.receiver)
	}
}

// elements emits what happens to a value that should be a list.
func (w jsonWalk) elements(g *jen.Group, n *plan.Node, other string) {
	write(g, "p, more, ok := %s.List(p)\nif !ok {\nreturn %s\n}", w.receiver, other)
	w.begin(g)
	write(g, "for more {\np, more = %s.Element(%s)\n}", w.receiver, w.call(n.Elem, `""`, "p"))
	if w.keyed {
		write(g, "return %s.CloseList(key, size, p)", w.receiver)
	} else {
		write(g, "return p")
	}
}

// members emits what happens to the members of an object. With few fields:
//
//	for k[0] == '"' {
//		switch {
//		case string(k[:8]) == `"image":`:
//			<field>
//		default:
//			<rest>
//		}
//	}
//	return <close>
//
// With many, keys are told apart by their first letter:
//
//	for k[0] == '"' {
//		switch k[1] {
//		case 'i':
//			if string(k[:8]) == `"image":` {
//				<field>
//				continue
//			}
//		}
//		<rest>
//	}
//	return <close>
func (w jsonWalk) members(g *jen.Group, n *plan.Node) {
	w.begin(g)
	write(g, `for k[0] == '"' {`)
	switch {
	case len(n.Fields) == 0:
		w.rest(g, n)
	case n.Walk.ByLetter:
		w.keysByLetter(g, n)
		w.rest(g, n)
	default:
		write(g, "switch {")
		for _, f := range n.Fields {
			write(g, "case %s:\n%s", isKey(w.receiver, f.Name), w.field(f))
		}
		write(g, "default:")
		w.rest(g, n)
		write(g, "}")
	}
	write(g, "}\nreturn %s", w.method("Close", "key, size", "p"))
}

// keysByLetter emits the switch over the first letter of a key.
func (w jsonWalk) keysByLetter(g *jen.Group, n *plan.Node) {
	var letters []byte
	byLetter := map[byte][]plan.Field{}
	for _, f := range n.Fields {
		letter := keyLiteral(f.Name)[1]
		if byLetter[letter] == nil {
			letters = append(letters, letter)
		}
		byLetter[letter] = append(byLetter[letter], f)
	}
	write(g, "switch k[1] {")
	for _, letter := range letters {
		write(g, "case %s:", byteLiteral(letter))
		for _, f := range byLetter[letter] {
			write(g, "if %s {\n%s\ncontinue\n}", isKey(w.receiver, f.Name), w.field(f))
		}
	}
	write(g, "}")
}

// field returns what happens to a field whose key has matched.
func (w jsonWalk) field(f plan.Field) string {
	return w.value(f.Node, quote(f.Name), fmt.Sprintf("p + %d", len(keyLiteral(f.Name))))
}

// value returns what happens to the value of a field: k, p = s.Next(<call>), or k, p = s.LeafField(<value>)
func (w jsonWalk) value(n *plan.Node, key, p string) string {
	if n.Do == plan.PruneLeaf && !w.keyed {
		return fmt.Sprintf("k, p = %s.LeafField(%s)", w.receiver, p)
	}
	return fmt.Sprintf("k, p = %s.Next(%s)", w.receiver, w.call(n, key, p))
}

// rest emits what happens to a field whose key has not matched.
func (w jsonWalk) rest(g *jen.Group, n *plan.Node) {
	switch {
	case n.Rest == plan.RestDrop:
		write(g, "k, p = %s.Drop(k, p)", w.receiver)
	case n.Rest == plan.RestKeep:
		write(g, "k, p = %s.Rest(k, p)", w.receiver)
	case len(n.Fields) > 0:
		write(g, "%s, odd := %s.OtherKey(k, p)\nif odd != nil {\nk, p = odd, v\ncontinue\n}", w.arguments("name", "v"), w.receiver)
		write(g, "%s", w.value(n.RestNode, "name", "v"))
	case w.keyed:
		write(g, "name, v := %s.Key(p)\n%s", w.receiver, w.value(n.RestNode, "name", "v"))
	default:
		write(g, "%s", w.value(n.RestNode, "", w.receiver+".Key(p)"))
	}
}

// call returns the call for the value at p, as n says.
func (w jsonWalk) call(n *plan.Node, key, p string) string {
	switch n.Do {
	case plan.PruneKind:
		if !w.keyed { // it says whether the document is a list
			return w.method("KeepKind", key, p)
		}
		return w.method("Keep", key, p)
	case plan.PruneKeep:
		return w.method("Keep", key, p)
	case plan.PruneLeaf:
		return w.method("Leaf", key, p)
	case plan.PruneLeafMap:
		return w.method("LeafMap", key, p)
	case plan.PruneMetadata:
		return w.method("Metadata", key, p)
	case plan.PruneWalk:
		return fmt.Sprintf("%s%s(%s, %s)", w.verb, n.Name, w.receiver, w.arguments(key, p))
	}
	panic("nothing reads JSON like node " + n.Name)
}

// isKey returns whether the key in the window k is the name of a field: string(k[:8]) == `"image":`
//
// A long one is compared in pieces that Go compares without a call: string(k[:16]) == `"imagePullSecret` && string(k[16:19]) == `s":`
//
// A name that no window holds, or that JSON does not write as it is, is left to the runtime: s.IsOdd(k, "name")
func isKey(receiver, name string) string {
	literal := keyLiteral(name)
	if len(literal) > maxKey || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' }) {
		return fmt.Sprintf("%s.IsOdd(k, %s)", receiver, quote(name))
	}
	var pieces []string
	for from := 0; from < len(literal); from += keyPiece {
		to := min(from+keyPiece, len(literal))
		first, piece := "", quote(literal[from:to])
		if from > 0 {
			first = strconv.Itoa(from)
		}
		if plan.PlainKey(name) { // of letters, digits and dashes: most readable in backquotes
			piece = "`" + literal[from:to] + "`"
		}
		pieces = append(pieces, fmt.Sprintf("string(k[%s:%d]) == %s", first, to, piece))
	}
	return strings.Join(pieces, " && ")
}

// keyPiece is the number of bytes that Go compares with a constant without a call, and maxKey the maximum length of a key, with its
// quotes and its colon, that is compared in the document.
const keyPiece, maxKey = 16, 64

// keyLiteral returns a key as compact JSON writes it, if nothing in it must be escaped.
func keyLiteral(name string) string { return `"` + name + `":` }

// byteLiteral writes a byte of a key.
func byteLiteral(c byte) string {
	if c < 0x80 && c >= ' ' {
		return strconv.QuoteRune(rune(c))
	}
	return strconv.Itoa(int(c))
}
