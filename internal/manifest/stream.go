package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/internal/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/prunejson"
	"github.com/prune-gen/prune-gen/structural"
)

// Streamed is what was found in a stream.
type Streamed struct {
	// Findings are those that PruneText has about the same objects.
	Findings []structural.Finding
	// Objects is the number of objects of known kinds, Unknown the number of others.
	Objects, Unknown int
}

// PruneStream copies JSON documents from r to w without the fields that the server would drop, and otherwise byte for byte. The items
// of a list are pruned each by its own kind. Objects of kinds that the server does not know are copied. It holds one object in
// memory, or one item of a list that is larger than prunert.DefaultMaxStreamObject. What was written before an error stays written. The name is
// used in findings.
func (s *Server) PruneStream(name string, w io.Writer, r io.Reader) (Streamed, error) {
	p := &streamPruner{pruning: newPruning(name, s), kinds: map[prunejson.Identity]knownKind{}}
	err := prunejson.PruneStream(w, r, p)
	return Streamed{p.report.Findings, p.objects, p.unknown}, err
}

// streamPruner is the work on a stream.
type streamPruner struct {
	pruning
	kinds map[prunejson.Identity]knownKind // that were looked up
}

// knownKind is what the server knows about a kind.
type knownKind struct {
	resource *Resource
	warned   bool // there is a finding about each object
}

// maxKinds is how many kinds are looked up only once.
const maxKinds = 100

// kind returns what the server knows about a kind.
func (p *streamPruner) kind(is prunejson.Identity) knownKind {
	k, known := p.kinds[is]
	if !known {
		r, finding := p.server.lookup(Object{Node: &yamltext.Node{}, APIVersion: is.APIVersion, Kind: is.Kind})
		k = knownKind{r, finding != nil}
		if len(p.kinds) < maxKinds {
			p.kinds[is] = k
		}
	}
	return k
}

// Passed counts lines, and characters in the last one.
func (p *streamPruner) Passed(text []byte) {
	if n := bytes.Count(text, []byte("\n")); n > 0 {
		p.before = yamltext.Pos{Line: p.before.Line + n}
		text = text[bytes.LastIndexByte(text, '\n')+1:]
	}
	p.before.Column += utf8.RuneCount(text)
}

// List says what is a list, as Objects does. That items are of a kind does not matter if the server has nothing to say about it.
func (p *streamPruner) List(is prunejson.Identity) (items prunejson.Identity, ok bool) {
	kind, ok := strings.CutSuffix(is.Kind, "List")
	if !ok || p.server.isKind(is.APIVersion, is.Kind) {
		return prunejson.Identity{}, false
	}
	items = prunejson.Identity{APIVersion: is.APIVersion, Kind: kind}
	if kind == "" || p.kind(items) == (knownKind{}) {
		return prunejson.Identity{}, true
	}
	return items, true
}

// Document prunes a document.
func (p *streamPruner) Document(dst, src []byte) ([]byte, error) {
	out, _, err := p.Item(dst, src, prunejson.Identity{})
	return out, err
}

// Item prunes an object, or the items of a list. An item need not say what it is where its list does.
func (p *streamPruner) Item(dst, src []byte, items prunejson.Identity) (out []byte, decided bool, err error) {
	var o prunejson.Object
	if err := o.Read(src); err != nil {
		return dst, false, err
	}
	is := o.Identity
	if is == (prunejson.Identity{}) {
		is, decided = items, true
	}
	if items, ok := p.List(is); ok && o.HasItems {
		out, err = p.items(dst, src, &o, items)
		return out, decided, err
	}
	k := p.kind(is)
	if k.warned && !p.report.Full {
		p.warn(src, is)
	}
	if k.resource == nil {
		p.unknown++
		return append(dst, src...), decided, nil
	}
	p.objects++
	out, report, err := k.resource.PruneJSONReport(dst, src)
	if len(report.Duplicate) > 0 {
		p.warn(src, is)
		out, err = k.resource.PruneJSON(dst, withoutReplaced(src))
	}
	return out, decided, err
}

// items prunes the items of a list that is in memory.
func (p *streamPruner) items(dst, src []byte, o *prunejson.Object, items prunejson.Identity) ([]byte, error) {
	defer func(before yamltext.Pos) { p.before = before }(p.before)
	done := 0
	for begin, end := range o.Items {
		p.Passed(src[done:begin])
		dst = append(dst, src[done:begin]...)
		var err error
		if dst, _, err = p.Item(dst, src[begin:end], items); err != nil {
			if syntax := (*prunert.SyntaxError)(nil); errors.As(err, &syntax) {
				syntax.Offset += int64(begin)
			}
			return dst, err
		}
		p.Passed(src[begin:end])
		done = end
	}
	return append(dst, src[done:]...), nil
}

// warn adds the warnings about an object.
func (p *streamPruner) warn(src []byte, is prunejson.Identity) {
	m := p.server.meter
	yamltext.ParseText(m, src, func(doc *yamltext.Document) {
		p.resource(Object{Node: doc.Root, APIVersion: is.APIVersion, Kind: is.Kind, doc: doc})
		p.report.Exceeded(m, p.place(doc.Root.Pos))
	}, func(problem *yamltext.Problem) {
		problem.Pos = p.place(problem.Pos)
		p.report.Problem(problem)
	})
}

// withoutReplaced returns a JSON object, which is valid, without the members that a later one with the same key replaces.
func withoutReplaced(src []byte) []byte {
	var edits []yamltext.Edit
	d := json.NewDecoder(bytes.NewReader(src))
	d.UseNumber()
	var value func()
	value = func() {
		token, _ := d.Token()
		switch token {
		case json.Delim('{'):
			var begins []int         // of the members
			last := map[string]int{} // the last one with a key
			var replaced []int       // the members that go
			for d.More() {
				begin := int(d.InputOffset())
				for src[begin] != '"' { // blanks and a comma
					begin++
				}
				token, _ = d.Token()
				key, _ := token.(string)
				if i, ok := last[key]; ok {
					replaced = append(replaced, i)
				}
				last[key] = len(begins)
				begins = append(begins, begin)
				value()
			}
			for _, i := range replaced {
				edits = append(edits, yamltext.Edit{Start: begins[i], End: begins[i+1]})
			}
		case json.Delim('['):
			for d.More() {
				value()
			}
		default:
			return
		}
		d.Token() // the closing bracket
	}
	value()
	return yamltext.Apply(src, edits)
}
