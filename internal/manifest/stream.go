package manifest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Streamed counts the objects of a stream.
type Streamed struct {
	Objects, Unknown int
	// Kinds are the unknown kinds by apiVersion and kind, of which no more than a hundred are listed.
	Kinds map[[2]string]int
}

// maxKinds is how many unknown kinds are listed.
const maxKinds = 100

// PruneStream copies JSON documents from r to w without the fields that the server would drop, and otherwise byte for byte. The items
// of a list are pruned each by its own kind. Objects of kinds that the server does not know are copied. It holds one object in
// memory, or one item of a list that is larger than prunert.MaxStreamObject. What was written before an error stays written.
func (s *Server) PruneStream(w io.Writer, r io.Reader) (Streamed, error) {
	p := &streamPruner{Server: s, from: splitter{r: r, limit: prunert.MaxStreamObject()}, to: bufio.NewWriterSize(w, 1<<16)}
	p.Kinds = map[[2]string]int{}
	p.resources = map[identity]*Resource{}
	err := p.documents()
	if failed := p.to.Flush(); err == nil {
		err = failed
	}
	return p.Streamed, err
}

// streamPruner is the work on a stream. A write that fails makes all later ones fail, too.
type streamPruner struct {
	*Server
	Streamed
	from splitter
	to   *bufio.Writer
	out  []byte // reused

	resources map[identity]*Resource // that were looked up
}

// identity is what an object says that it is.
type identity struct{ apiVersion, kind string }

func (p *streamPruner) documents() error {
	for {
		c, err := p.blanks()
		if err != nil || c == 0 {
			return err
		}
		offset := p.from.position()
		doc, err := p.from.value()
		var tooLarge *prunert.ObjectSizeError
		switch {
		case errors.As(err, &tooLarge):
			err = p.largeList(tooLarge)
		case err == nil:
			p.out, err = p.prune(p.out[:0], doc, offset, identity{})
			p.to.Write(p.out)
		}
		if err != nil {
			return err
		}
	}
}

// blanks copies blanks and returns the byte after them, 0 at the end of the stream.
func (p *streamPruner) blanks() (byte, error) {
	for {
		c, err := p.from.peek()
		if err != nil || c == 0 || !isBlank(c) {
			return c, err
		}
		p.to.WriteByte(p.from.next())
	}
}

// resource returns the resource for an identity, nil for none.
func (p *streamPruner) resource(is identity) *Resource {
	r, known := p.resources[is]
	if !known {
		group, version := Object{APIVersion: is.apiVersion}.Group()
		if k := p.kind(group, is.kind); k != nil && k.serves(version) {
			r = k.versions[version]
		}
		if len(p.resources) < maxKinds {
			p.resources[is] = r
		}
	}
	return r
}

// prune appends a document, or an item of a list, that is in memory. An item need not say what it is where the list does.
func (p *streamPruner) prune(dst, src []byte, offset int64, of identity) ([]byte, error) {
	is, items, err := identify(src, offset)
	if err != nil {
		return dst, err
	}
	if is == (identity{}) {
		is = of
	}
	if r := p.resource(is); r != nil {
		p.Objects++
		out, err := r.PruneJSON(dst, src)
		if err != nil {
			return dst, moved(err, offset)
		}
		return out, nil
	}
	if items[1] > 0 && strings.HasSuffix(is.kind, "List") && !p.isKind(is.apiVersion, is.kind) {
		kind, _ := strings.CutSuffix(is.kind, "List")
		dst = append(dst, src[:items[0]]...)
		at := items[0]
		err := eachElement(src[items[0]:items[1]], offset+int64(items[0]), func(begin, end int) (err error) {
			dst = append(dst, src[at:items[0]+begin]...)
			at = items[0] + end
			dst, err = p.prune(dst, src[items[0]+begin:at], offset+int64(items[0]+begin), identity{is.apiVersion, kind})
			return err
		})
		return append(dst, src[at:]...), err
	}
	if !json.Valid(src) {
		return dst, moved(invalidJSON(src), offset)
	}
	p.unknown(is)
	return append(dst, src...), nil
}

func (p *streamPruner) unknown(is identity) {
	p.Unknown++
	id := [2]string{is.apiVersion, is.kind}
	if p.Kinds[id] > 0 || len(p.Kinds) < maxKinds {
		p.Kinds[id]++
	}
}

// invalidJSON returns what is wrong with a document.
func invalidJSON(src []byte) error {
	var v json.RawMessage
	err := json.Unmarshal(src, &v)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return &prunert.SyntaxError{Offset: max(syntax.Offset-1, 0), Message: syntax.Error()}
	}
	return err
}

// moved returns an error about a part of a stream as one about the stream.
func moved(err error, by int64) error {
	var syntax *prunert.SyntaxError
	if errors.As(err, &syntax) {
		return &prunert.SyntaxError{Offset: syntax.Offset + by, Message: syntax.Message}
	}
	return err
}

// largeList goes through a list that is too large to be held in memory. The stream is at its beginning.
func (p *streamPruner) largeList(tooLarge error) error {
	start := p.from.position()
	var is identity
	isList, anonymous := false, false
	if c, err := p.from.peek(); err != nil || c != '{' {
		return tooLarge
	}
	p.to.WriteByte(p.from.next())
	for first := true; ; first = false {
		c, err := p.blanks()
		if err != nil {
			return err
		}
		if c == '}' {
			break
		}
		if !first {
			if c != ',' {
				return p.wrong("a comma or the } of an object")
			}
			p.to.WriteByte(p.from.next())
			if c, err = p.blanks(); err != nil {
				return err
			}
		}
		if c != '"' {
			return p.wrong("the quoted key of a member")
		}
		key, err := p.copied()
		if err != nil {
			return err
		}
		if c, err = p.blanks(); err != nil {
			return err
		} else if c != ':' {
			return p.wrong("a colon after the key")
		}
		p.to.WriteByte(p.from.next())
		if c, err = p.blanks(); err != nil {
			return err
		}
		if key == "items" && c == '[' && !(is.kind != "" && !strings.HasSuffix(is.kind, "List")) && !p.isKind(is.apiVersion, is.kind) {
			isList = true
			kind, _ := strings.CutSuffix(is.kind, "List")
			without, err := p.items(identity{is.apiVersion, kind}, is.kind != "")
			if err != nil {
				return err
			}
			anonymous = anonymous || without && (is.kind == "" || is.apiVersion == "")
			continue
		}
		value, err := p.copied()
		if err != nil {
			return err
		}
		switch key {
		case "apiVersion":
			is.apiVersion = value
		case "kind":
			is.kind = value
		}
	}
	p.to.WriteByte(p.from.next())
	kind, _ := strings.CutSuffix(is.kind, "List")
	switch {
	case !isList || p.resource(is) != nil || kind == is.kind:
		return tooLarge
	case anonymous && p.resource(identity{is.apiVersion, kind}) != nil:
		return &prunert.LateKindError{Offset: start}
	}
	return nil
}

// items goes through the elements of items. It reports whether there was one that does not say what it is.
func (p *streamPruner) items(of identity, hasKind bool) (anonymous bool, err error) {
	if !hasKind {
		of = identity{}
	}
	p.to.WriteByte(p.from.next())
	c, err := p.blanks()
	if err != nil {
		return false, err
	}
	for c != ']' {
		offset := p.from.position()
		item, err := p.from.value()
		if err != nil {
			return false, err
		}
		before := p.Unknown
		p.out, err = p.prune(p.out[:0], item, offset, of)
		if err != nil {
			return false, err
		}
		if p.Unknown > before && !anonymous {
			is, _, _ := identify(item, offset)
			anonymous = is == identity{}
		}
		p.to.Write(p.out)
		if c, err = p.blanks(); err != nil {
			return false, err
		}
		if c == ',' {
			p.to.WriteByte(p.from.next())
			if c, err = p.blanks(); err != nil {
				return false, err
			}
			if c == ']' {
				return false, p.wrong("a value")
			}
		} else if c != ']' {
			return false, p.wrong("a comma or the ] of the list")
		}
	}
	_, err = p.to.Write([]byte{p.from.next()})
	return anonymous, err
}

// copied copies a value as it is, and returns the string that it is, "" for other values.
func (p *streamPruner) copied() (string, error) {
	offset := p.from.position()
	value, err := p.from.value()
	if err != nil {
		return "", err
	}
	if !json.Valid(value) {
		return "", moved(invalidJSON(value), offset)
	}
	_, err = p.to.Write(value)
	return textOf(value), err
}

// textOf returns the string that a JSON value is, "" for others. Most strings have no escapes.
func textOf(value []byte) string {
	if len(value) < 2 || value[0] != '"' {
		return ""
	}
	if bytes.IndexByte(value, '\\') < 0 {
		return string(value[1 : len(value)-1])
	}
	var s string
	if json.Unmarshal(value, &s) != nil {
		return ""
	}
	return s
}

// wrong returns an error about the next byte of the stream.
func (p *streamPruner) wrong(wanted string) error {
	return &prunert.SyntaxError{Offset: p.from.position(), Message: "want " + wanted}
}
