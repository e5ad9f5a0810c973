package structural

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// jsonParser builds nodes from the tokens of encoding/json, which knows about escapes, surrogates and invalid UTF-8.
type jsonParser struct {
	text    []byte
	decoder *json.Decoder
	doc     *document
	// The place of offset, which only moves forward: one long line must not be counted again for each token.
	offset int
	at     pos
	base   int // where the decoder started in text
}

// parseJSON returns the JSON documents in text from start on, and the problem that ended them; text begins at the given
// line of its file.
func parseJSON(text []byte, start, line int) ([]*document, *problem) {
	p := &jsonParser{text: text, base: start, at: pos{line: line, column: 1}}
	p.decoder = json.NewDecoder(bytes.NewReader(text[start:]))
	p.decoder.UseNumber()
	var docs []*document
	for {
		p.doc = &document{}
		at := p.next()
		token, err := p.decoder.Token()
		if errors.Is(err, io.EOF) {
			return docs, nil
		}
		if err != nil {
			return docs, p.syntaxError(at, err)
		}
		root, fail := p.value(token, at, 1)
		if fail != nil {
			return docs, fail
		}
		p.doc.root = root
		docs = append(docs, p.doc)
	}
}

// next returns the place of the token that comes next.
func (p *jsonParser) next() pos {
	end := p.base + int(p.decoder.InputOffset())
	for end < len(p.text) && (isSpace(p.text[end]) || p.text[end] == ',' || p.text[end] == ':') {
		end++
	}
	for p.offset < end {
		if c := p.text[p.offset]; c == '\n' {
			p.at = pos{line: p.at.line + 1, column: 1}
			p.offset++
		} else if c == '\r' {
			// Counted with the line feed that follows, or as a break of its own.
			if p.offset+1 < len(p.text) && p.text[p.offset+1] == '\n' {
				p.offset++
			}
			p.at = pos{line: p.at.line + 1, column: 1}
			p.offset++
		} else {
			_, size := utf8.DecodeRune(p.text[p.offset:])
			p.offset += size
			p.at.column++
		}
	}
	return p.at
}

func (p *jsonParser) token() (json.Token, pos, *problem) {
	at := p.next()
	token, err := p.decoder.Token()
	if err != nil {
		return nil, at, p.syntaxError(at, err)
	}
	return token, at, nil
}

func (p *jsonParser) value(token json.Token, at pos, depth int) (*node, *problem) {
	if depth > maxDepth {
		return nil, tooDeep(at)
	}
	n := &node{pos: at, size: 1, height: 1}
	switch t := token.(type) {
	case nil:
	case bool:
		n.kind, n.boolean = kindBool, t
	case string:
		n.kind, n.text = kindString, t
	case json.Number:
		if !setNumber(n, t.String()) {
			return nil, problemf(at, "the number %s is too large", shorten(t.String()))
		}
	case json.Delim:
		if t == '{' {
			return n, p.object(n, depth)
		}
		return n, p.array(n, depth)
	}
	return n, nil
}

func (p *jsonParser) object(n *node, depth int) *problem {
	n.kind = kindMap
	var seen keySet
	for p.decoder.More() {
		token, at, err := p.token()
		if err != nil {
			return err
		}
		key, _ := token.(string)
		first := seen.find(n.entries, key)
		if first != nil {
			p.doc.flaw(n, flaw{kind: flawDuplicate, key: key, pos: at, first: first.pos})
		}
		token, valueAt, err := p.token()
		if err != nil {
			return err
		}
		value, err := p.value(token, valueAt, depth+1)
		if err != nil {
			return err
		}
		if first == nil {
			n.entries = append(n.entries, entry{key: key, pos: at, value: value})
			n.grow(value)
		}
	}
	_, _, err := p.token()
	return err
}

func (p *jsonParser) array(n *node, depth int) *problem {
	n.kind = kindList
	for p.decoder.More() {
		token, at, err := p.token()
		if err != nil {
			return err
		}
		value, err := p.value(token, at, depth+1)
		if err != nil {
			return err
		}
		n.list = append(n.list, value)
		n.grow(value)
	}
	_, _, err := p.token()
	return err
}

func (p *jsonParser) syntaxError(at pos, err error) *problem {
	message := strings.TrimPrefix(err.Error(), "json: ")
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		message = "unexpected end of JSON input"
	}
	fail := problemf(at, "invalid JSON: %s", message)
	fail.syntax = true
	return fail
}

// setNumber makes n the number that s spells: an integer where it fits into 64 bits and is written without fraction and
// exponent, as Kubernetes reads it. It returns false where s is out of range altogether.
func setNumber(n *node, s string) bool {
	if !strings.ContainsAny(s, ".eE") {
		if i, err := strconv.ParseInt(s, 10, 64); err == nil {
			n.kind, n.integer = kindInt, i
			return true
		}
	}
	f, err := strconv.ParseFloat(s, 64)
	n.kind, n.float = kindFloat, f
	return err == nil
}
