package yamltext

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/internal/base/meter"
)

// jsonParser builds nodes from a document that encoding/json has found to be valid.
type jsonParser struct {
	src  *source
	text []byte
	at   int // in the text
	base int // where the text starts in the file
	doc  *Document
}

// skipped is a value that is only validated, and not copied.
type skipped struct{}

func (*skipped) UnmarshalJSON([]byte) error { return nil }

// ParseJSON parses a text that is one JSON value, at a place of a larger text. It does not count its bytes.
func ParseJSON(m *meter.Meter, text []byte, at Place, visit func(*Document), report func(*Problem)) {
	if !m.Spend(meter.UnitsOfSeparator * countSeparators(text)) {
		report(Exceeded(m, at.Pos()))
		return
	}
	src := newSource(text, m)
	src.base = at
	docs, p := src.parseJSON(part{text: text, line: 1})
	for _, doc := range docs {
		doc.Last = src.place(len(text)).Line
		visit(doc)
	}
	if p != nil {
		report(p)
	}
	src.release()
}

// NotJSON returns the problem that a text is not JSON.
func NotJSON(at Pos, message string) *Problem {
	return problemf(IDSyntax, at, "invalid JSON: %s", message)
}

// parseJSON returns the JSON documents in a part of the file, and the problem that ended them.
func (src *source) parseJSON(in part) ([]*Document, *Problem) {
	start := contentStart(in.text)
	text, base := in.text[start:], in.start+start
	if json.Valid(text) { // one document: a decoder would copy it
		doc, p := (&jsonParser{src: src, text: text, base: base, doc: &Document{}}).document()
		if p != nil {
			return nil, p
		}
		return []*Document{doc}, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	var docs []*Document
	for {
		begin := int(decoder.InputOffset())
		err := decoder.Decode(&skipped{})
		if errors.Is(err, io.EOF) {
			return docs, nil
		}
		p := &jsonParser{src: src, text: text, at: begin, base: base, doc: &Document{}}
		if err != nil {
			return docs, p.wrong()
		}
		doc, fail := p.document()
		if fail != nil {
			return docs, fail
		}
		docs = append(docs, doc)
	}
}

// document reads a document.
func (p *jsonParser) document() (*Document, *Problem) {
	root, fail := p.value(1)
	if fail != nil {
		return nil, fail
	}
	p.doc.Root = root
	return p.doc, nil
}

// wrong returns the problem of a document that is not valid, at the token where it ends.
func (p *jsonParser) wrong() *Problem {
	decoder := json.NewDecoder(bytes.NewReader(p.text[p.at:]))
	depth := 0
	for begin := p.at; ; p.at = begin + int(decoder.InputOffset()) {
		_, at := p.next()
		token, err := decoder.Token()
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		switch {
		case err != nil:
			return jsonProblem(at, err)
		case depth > meter.Depth:
			return tooDeep(at)
		}
	}
}

// next returns the first byte of the token that comes next, after a comma or a colon, and its place. The byte is 0 at the end.
func (p *jsonParser) next() (first byte, at Pos) {
	separated := false
	for ; p.at < len(p.text); p.at++ {
		c := p.text[p.at]
		if isSeparator := c == ',' || c == ':'; isSeparator && !separated {
			separated = true
		} else if !isSpace(c) {
			first = c
			break
		}
	}
	return first, p.src.place(p.base + p.at)
}

// value reads a value, at a level.
func (p *jsonParser) value(depth int) (*Node, *Problem) {
	first, at := p.next()
	if depth > meter.Depth {
		return nil, tooDeep(at)
	}
	if p := p.src.addValue(at); p != nil {
		return nil, p
	}
	switch first {
	case '{':
		return p.object(at, depth)
	case '[':
		return p.array(at, depth)
	case '"':
		return newScalar(p.str(), at), nil
	}
	begin := p.at
	for p.at < len(p.text) && bytes.IndexByte([]byte(",]} \t\r\n"), p.text[p.at]) < 0 {
		p.at++
	}
	switch text := string(p.text[begin:p.at]); text {
	case "null":
		return newScalar(nil, at), nil
	case "true", "false":
		return newScalar(text == "true", at), nil
	default:
		v, err := number(json.Number(text))
		if err != nil {
			return nil, problemf(IDNumber, at, "the number %s is too large", Shorten(text))
		}
		p.doc.write(p.src, at, text, v)
		return newScalar(v, at), nil
	}
}

// str reads a string. Escapes and invalid UTF-8 are left to encoding/json.
func (p *jsonParser) str() (text string) {
	begin, escaped := p.at, false
	for p.at++; p.text[p.at] != '"'; p.at++ {
		if p.text[p.at] == '\\' {
			escaped = true
			p.at++
		}
	}
	p.at++
	if raw := p.text[begin:p.at]; escaped || !utf8.Valid(raw) {
		json.Unmarshal(raw, &text)
		return text
	}
	return string(p.text[begin+1 : p.at-1])
}

func (p *jsonParser) object(at Pos, depth int) (*Node, *Problem) {
	n := newParent(Map, at)
	var seen keySet
	p.at++
	for {
		c, at := p.next()
		if c == '}' {
			break
		}
		key := p.str()
		first := seen.find(n.Entries, key)
		value, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		e := Entry{Key: key, Pos: at, Value: value}
		if first != nil {
			p.doc.duplicate(n, first, e)
		} else {
			n.Entries = append(n.Entries, e)
		}
	}
	p.at++
	for i := range n.Entries {
		n.grow(n.Entries[i].Key, n.Entries[i].Value)
	}
	return n, nil
}

func (p *jsonParser) array(at Pos, depth int) (*Node, *Problem) {
	n := newParent(List, at)
	p.at++
	for {
		if c, _ := p.next(); c == ']' {
			break
		}
		value, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		n.List = append(n.List, value)
		n.grow("", value)
	}
	p.at++
	return n, nil
}

func jsonProblem(at Pos, err error) *Problem {
	message := strings.TrimPrefix(err.Error(), "json: ")
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		message = "unexpected end of JSON input"
	}
	return NotJSON(at, message)
}
