package structural

import (
	"bytes"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// nonSpecificTags finds the tag "!", which makes a string of any scalar, in the text of a document: the parser does not
// pass it on.
type nonSpecificTags struct {
	searched, found bool
	// The place in the text, which only moves forward.
	offset       int
	line, column int
}

// has tells whether y, a scalar of text, has the tag. It is called for the scalars of a document in their order.
func (t *nonSpecificTags) has(text []byte, y *yaml.Node) bool {
	if !t.searched {
		*t = nonSpecificTags{searched: true, found: bytes.IndexByte(text, '!') >= 0, line: 1, column: 1}
	}
	if !t.found {
		return false
	}
	if t.move(text, y.Line, y.Column); t.line != y.Line || t.column != y.Column {
		return false
	}
	// A node begins with its properties: a tag, an anchor, or both in either order.
	rest := text[t.offset:]
	if y.Anchor != "" && bytes.HasPrefix(rest, []byte("&"+y.Anchor)) {
		rest = bytes.TrimLeft(rest[1+len(y.Anchor):], " \t\r\n")
	}
	return bytes.HasPrefix(rest, []byte("!"))
}

// move goes on to a line and column of text.
func (t *nonSpecificTags) move(text []byte, line, column int) {
	for t.offset < len(text) && t.line < line {
		t.offset += lineLength(text[t.offset:])
		t.line, t.column = t.line+1, 1
	}
	for t.offset < len(text) && t.line == line && t.column < column {
		_, size := utf8.DecodeRune(text[t.offset:])
		t.offset += size
		t.column++
	}
}
