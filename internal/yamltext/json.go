package yamltext

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/prune-gen/prune-gen/internal/meter"
)

// jsonParser builds nodes from the tokens of encoding/json, which knows about escapes, surrogates and invalid UTF-8.
type jsonParser struct {
	src     *source
	decoder *json.Decoder
	base    int // where the decoder started in the file
	doc     *Document
}

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
	return problemf(RuleSyntax, at, "invalid JSON: %s", message)
}

// parseJSON returns the JSON documents in a part of the file, and the problem that ended them.
func (src *source) parseJSON(in part) ([]*Document, *Problem) {
	start := contentStart(in.text)
	p := &jsonParser{
		src:     src,
		decoder: json.NewDecoder(bytes.NewReader(in.text[start:])),
		base:    in.start + start,
	}
	p.decoder.UseNumber()
	var docs []*Document
	for {
		p.doc = &Document{}
		at := p.next()
		token, err := p.decoder.Token()
		if errors.Is(err, io.EOF) {
			return docs, nil
		}
		if err != nil {
			return docs, jsonProblem(at, err)
		}
		root, fail := p.value(token, at, 1)
		if fail != nil {
			return docs, fail
		}
		p.doc.Root = root
		docs = append(docs, p.doc)
	}
}

// next returns the place of the token that comes next, after a comma or a colon.
func (p *jsonParser) next() Pos {
	text, end := p.src.data, p.base+int(p.decoder.InputOffset())
	separated := false
	for ; end < len(text); end++ {
		if isSeparator := text[end] == ',' || text[end] == ':'; isSeparator && !separated {
			separated = true
		} else if !isSpace(text[end]) {
			break
		}
	}
	return p.src.place(end)
}

func (p *jsonParser) token() (json.Token, Pos, *Problem) {
	at := p.next()
	token, err := p.decoder.Token()
	if err != nil {
		return nil, at, jsonProblem(at, err)
	}
	return token, at, nil
}

func (p *jsonParser) value(token json.Token, at Pos, depth int) (*Node, *Problem) {
	if depth > meter.Depth {
		return nil, tooDeep(at)
	}
	if p := p.src.addValue(at); p != nil {
		return nil, p
	}
	switch t := token.(type) {
	case json.Number:
		v, err := number(t)
		if err != nil {
			return nil, problemf(RuleNumber, at, "the number %s is too large", Shorten(t.String()))
		}
		p.doc.write(p.src, at, t.String(), v)
		return newScalar(v, at), nil
	case json.Delim:
		if t == '{' {
			return p.object(at, depth)
		}
		return p.array(at, depth)
	}
	return newScalar(token, at), nil
}

func (p *jsonParser) object(at Pos, depth int) (*Node, *Problem) {
	n := newParent(Map, at)
	var seen keySet
	for p.decoder.More() {
		token, at, err := p.token()
		if err != nil {
			return nil, err
		}
		key, _ := token.(string)
		first := seen.find(n.Entries, key)
		value, err := p.element(depth)
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
	for i := range n.Entries {
		n.grow(n.Entries[i].Key, n.Entries[i].Value)
	}
	_, _, err := p.token()
	return n, err
}

func (p *jsonParser) array(at Pos, depth int) (*Node, *Problem) {
	n := newParent(List, at)
	for p.decoder.More() {
		value, err := p.element(depth)
		if err != nil {
			return nil, err
		}
		n.List = append(n.List, value)
		n.grow("", value)
	}
	_, _, err := p.token()
	return n, err
}

// element reads the value that comes next, below an object or array at the given depth.
func (p *jsonParser) element(depth int) (*Node, *Problem) {
	token, at, err := p.token()
	if err != nil {
		return nil, err
	}
	return p.value(token, at, depth+1)
}

func jsonProblem(at Pos, err error) *Problem {
	message := strings.TrimPrefix(err.Error(), "json: ")
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		message = "unexpected end of JSON input"
	}
	return NotJSON(at, message)
}
