package yamltext

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// nonSpecificTags finds the tag "!", which makes a string of any scalar, in the text of a document: the parser does not
// pass it on.
type nonSpecificTags struct {
	src   *source
	line  int  // added to each line of the parser
	any   bool // there is an exclamation mark at all
	found map[*yaml.Node]bool
}

func newNonSpecificTags(src *source, in part) nonSpecificTags {
	return nonSpecificTags{
		src: src, line: in.line - 1, any: bytes.IndexByte(in.text, '!') >= 0, found: map[*yaml.Node]bool{},
	}
}

// has reports whether the scalar y has the tag.
func (t *nonSpecificTags) has(y *yaml.Node) bool {
	if !t.any || t.found[y] || !isPlain(y) {
		return t.found[y]
	}
	// A node begins with its properties: a tag, an anchor, or both in either order.
	rest := t.src.data[t.src.offset(Pos{y.Line + t.line, y.Column}):]
	if y.Anchor != "" && bytes.HasPrefix(rest, []byte("&"+y.Anchor)) {
		rest = bytes.TrimLeft(rest[1+len(y.Anchor):], " \t\r\n")
	}
	if !bytes.HasPrefix(rest, []byte("!")) {
		return false
	}
	t.found[y] = true
	return true
}
