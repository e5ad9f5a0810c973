package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/prune-gen/prune-gen/internal/text/objects"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
)

// jsonPruner prunes the objects of JSON.
type jsonPruner struct {
	*pruning
	kinds map[[2]string]knownKind // that were looked up, by apiVersion and kind
}

func newJSONPruner(p *pruning) *jsonPruner { return &jsonPruner{p, map[[2]string]knownKind{}} }

// knownKind is what the server knows about a kind.
type knownKind struct {
	resource *Resource
	warned   bool // there is a finding about each object
}

// maxKinds is how many kinds are looked up only once. It bounds no input.
const maxKinds = 100

// kind returns what the server knows about a kind.
func (p *jsonPruner) kind(apiVersion, kind string) knownKind {
	id := [2]string{apiVersion, kind}
	k, known := p.kinds[id]
	if !known {
		r, finding := p.server.lookup(Object{Node: &yamltext.Node{}, APIVersion: apiVersion, Kind: kind})
		k = knownKind{r, finding != nil}
		if len(p.kinds) < maxKinds {
			p.kinds[id] = k
		}
	}
	return k
}

// stream returns the stream in which each object is replaced.
func (p *jsonPruner) stream(each func(dst []byte, o objects.Piece) ([]byte, error)) *objects.Stream {
	return &objects.Stream{IsKind: p.server.isKind, Each: each, Matters: func(apiVersion, kind string) bool { return p.kind(apiVersion, kind) != knownKind{} }}
}

// copy copies the text to w, pruned. The error is that of w or of the reader.
func (p *jsonPruner) copy(w io.Writer, t *objects.Text) error {
	err := p.stream(p.object).Copy(w, t)
	if problem := (*yamltext.Problem)(nil); errors.As(err, &problem) {
		p.report.Problem(problem)
		return nil
	}
	if p.meter.Spent() {
		return nil // it was said
	}
	return err
}

// object prunes an object.
func (p *jsonPruner) object(dst []byte, o objects.Piece) ([]byte, error) {
	if !o.IsObject {
		return append(dst, o.Text...), nil
	}
	group, _ := objects.SplitVersion(o.APIVersion)
	p.known = p.known || p.server.inGroup[group] != nil
	k := p.kind(o.APIVersion, o.Kind)
	if k.warned && !p.report.Full {
		p.warn(o)
	}
	if k.resource == nil {
		p.unknown++
		return append(dst, o.Text...), p.meter.Err()
	}
	p.objects++
	out, report, err := k.resource.PruneJSONReport(dst, o.Text)
	if len(report.Duplicate) > 0 {
		p.warn(o)
		out, err = k.resource.PruneJSON(dst, withoutReplaced(o.Text))
	}
	if err == nil {
		err = p.meter.Err()
	}
	return out, err
}

// warn adds the warnings about an object.
func (p *jsonPruner) warn(o objects.Piece) {
	left := p.meter.Left()
	yamltext.ParseJSON(p.meter, o.Text, o.At, func(doc *yamltext.Document) {
		p.resource(Object{Node: doc.Root, APIVersion: o.APIVersion, Kind: o.Kind, Document: doc})
		p.report.Exceeded(p.meter, doc.Root.Pos)
	}, p.report.Problem)
	o.Refund(p.meter, left)
}

// errFound ends a stream in which something was found.
var errFound = errors.New("found")

// Skips reports whether a text that was found in a directory, and is not held, is skipped: it has no object that the server prunes, and
// if it has errors, it does not mention a group of the server. It also returns the number of its objects.
func (s *Server) Skips(t *objects.Text) (unknown int, skips bool) {
	if !t.Listed || t.IsHeld() || t.Again == nil {
		return 0, false
	}
	again, err := t.Again()
	if err != nil {
		return 0, false
	}
	defer again.Close()
	p := newJSONPruner(newPruning(t, s))
	err = p.stream(func(dst []byte, o objects.Piece) ([]byte, error) {
		if unknown++; p.kind(o.APIVersion, o.Kind).resource != nil {
			return dst, errFound
		}
		return dst, nil
	}).Copy(io.Discard, t.From(again))
	switch {
	case errors.Is(err, errFound):
		return 0, false
	case err != nil:
		return unknown, !t.Mentions(s.meter, s.groups)
	}
	return unknown, true
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
