package objects

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/prunejson"
)

// Piece is an object of JSON, or a value that stands where an object should.
type Piece struct {
	Text []byte
	// APIVersion and Kind are as in Object.
	APIVersion, Kind string
	Implied          bool
	// IsObject is false for a value that is not an object.
	IsObject bool
	// At is where in the stream it begins.
	At yamltext.Place
}

// Stream copies JSON from one place to another. It holds one object in memory, or one item of a list that is larger than an object can
// be.
type Stream struct {
	// IsKind says which kinds are not lists, though their names end in List. It may be nil.
	IsKind func(apiVersion, kind string) bool
	// Matters says whether the kind of an item matters. It may be nil. If the kind does not matter, a large list can have its kind after
	// its items.
	Matters func(apiVersion, kind string) bool
	// Each appends to dst what is to be written in place of a piece. Everything between pieces is copied.
	Each func(dst []byte, p Piece) ([]byte, error)
}

// Copy copies the text, which is JSON, to w. The error is a *yamltext.Problem if something is wrong with the text.
func (s *Stream) Copy(w io.Writer, t *Text) error {
	r := &streamReader{Stream: s}
	return r.problem(prunejson.PruneStream(w, t.reader(), r))
}

// streamReader is the work on a stream.
type streamReader struct {
	*Stream
	at yamltext.Place
}

func (r *streamReader) Passed(text []byte) { r.at.Pass(text) }

// List says what is a list, as InDocument does.
func (r *streamReader) List(is prunejson.Identity) (items prunejson.Identity, ok bool) {
	kind, ok := itemKind(is.Kind)
	if !ok || r.IsKind != nil && r.IsKind(is.APIVersion, is.Kind) {
		return prunejson.Identity{}, false
	}
	if kind == "" || r.Matters != nil && !r.Matters(is.APIVersion, kind) {
		return prunejson.Identity{}, true
	}
	return prunejson.Identity{APIVersion: is.APIVersion, Kind: kind}, true
}

// Document copies a document.
func (r *streamReader) Document(dst, src []byte) ([]byte, error) {
	out, _, err := r.Item(dst, src, prunejson.Identity{})
	return out, err
}

// Item copies an object, or the items of a list. An item needs no kind if its list implies it.
func (r *streamReader) Item(dst, src []byte, items prunejson.Identity) (out []byte, decided bool, err error) {
	var o prunejson.Object
	if err := readItem(&o, src); err != nil {
		return dst, false, r.wrong(src, err)
	}
	is := o.Identity
	if is == (prunejson.Identity{}) {
		is, decided = items, true
	}
	if below, ok := r.List(is); ok && o.HasItems {
		out, err = r.items(dst, src, &o, below)
		return out, decided, err
	}
	out, err = r.Each(dst, Piece{Text: src, APIVersion: is.APIVersion, Kind: is.Kind, Implied: decided && is.Kind != "", IsObject: src[0] == '{', At: r.at})
	return out, decided, err
}

// items copies the items of a list that is in memory.
func (r *streamReader) items(dst, src []byte, o *prunejson.Object, items prunejson.Identity) ([]byte, error) {
	defer func(at yamltext.Place) { r.at = at }(r.at) // all of the list is passed after it
	done := 0
	for begin, end := range o.Items {
		r.at.Pass(src[done:begin])
		dst = append(dst, src[done:begin]...)
		var err error
		if dst, _, err = r.Item(dst, src[begin:end], items); err != nil {
			return dst, err
		}
		r.at.Pass(src[begin:end])
		done = end
	}
	return append(dst, src[done:]...), nil
}

// readItem reads an object. A value that is not an object has nothing to read.
func readItem(o *prunejson.Object, src []byte) error {
	err := o.Read(src)
	if err != nil && len(src) > 0 && src[0] != '{' && json.Valid(src) {
		return nil
	}
	return err
}

// wrong returns an error in an object as a problem of the text.
func (r *streamReader) wrong(src []byte, err error) error {
	var syntax *prunert.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	at := r.at
	at.Pass(src[:min(int(syntax.Offset), len(src))])
	return yamltext.NotJSON(at.Pos(), syntax.Message)
}

// problem returns what ended a stream as a problem of the text, at the value that was to be read next.
func (r *streamReader) problem(err error) error {
	var syntax *prunert.SyntaxError
	var size *prunert.ObjectSizeError
	var late *prunert.LateKindError
	switch {
	case errors.As(err, &syntax):
		return yamltext.NotJSON(r.at.Pos(), syntax.Message)
	case errors.As(err, &size):
		return &yamltext.Problem{ID: yamltext.IDTooLarge, Pos: r.at.Pos(), Message: fmt.Sprintf("the object is larger than %d MiB", size.Limit>>20)}
	case errors.As(err, &late):
		return &yamltext.Problem{ID: yamltext.IDTooLarge, Pos: r.at.Pos(),
			Message: "the list is too large for memory: its kind comes after its items, and some items have no kind"}
	}
	return err
}

// Reader reads the objects of texts.
type Reader struct {
	Meter *meter.Meter
	// IsKind is as in Stream.
	IsKind func(apiVersion, kind string) bool
	// Visit is called with each object, and Other with a value that is in the place of an object.
	Visit func(Object)
	Other func(*yamltext.Node)
	// Problem is called with what is wrong with the text.
	Problem func(*yamltext.Problem)
	// Wants says which parts of YAML to parse, as for yamltext.ParseSome, and Passes which objects of JSON not to. They may be nil.
	Wants  func(part []byte) bool
	Passes func(Piece) bool
	// Keeps says that Visit keeps objects. If it does not, the cost of a JSON object is refunded after it, so that there can be any
	// number of them.
	Keeps bool
}

// Read reads a text. It returns the index of the lines of a text that is held, nil for another. The error is that of the text's reader.
func (r *Reader) Read(t *Text) (*yamltext.Lines, error) {
	if !t.IsJSON() || r.Keeps {
		if p := t.Count(r.Meter); p != nil {
			r.Problem(p)
			return nil, nil
		}
	}
	if !t.IsJSON() {
		return yamltext.ParseSome(r.Meter, t.Data, r.wants, func(doc *yamltext.Document) { InDocument(doc, r.IsKind, r.Visit, r.Other) }, r.Problem), nil
	}
	s := &Stream{IsKind: r.IsKind, Each: func(dst []byte, p Piece) ([]byte, error) {
		r.piece(p, t)
		return dst, r.Meter.Err()
	}}
	err := s.Copy(io.Discard, t)
	if problem := (*yamltext.Problem)(nil); errors.As(err, &problem) {
		r.Problem(problem)
		err = nil
	}
	if r.Meter.Spent() {
		err = nil // it was said
	}
	if !t.IsHeld() {
		return nil, err
	}
	return yamltext.NewLines(t.Data), err
}

// wants reports whether a part of YAML is to be parsed.
func (r *Reader) wants(part []byte) bool { return r.Wants == nil || r.Wants(part) }

// piece visits an object of JSON.
func (r *Reader) piece(p Piece, t *Text) {
	if r.Passes != nil && r.Passes(p) {
		return
	}
	left := r.Meter.Left()
	yamltext.ParseJSON(r.Meter, p.Text, p.At, func(doc *yamltext.Document) {
		if !p.IsObject {
			r.Other(doc.Root)
			return
		}
		r.Visit(Object{Node: doc.Root, APIVersion: p.APIVersion, Kind: p.Kind, Implied: p.Implied, Document: doc, Last: doc.Last})
	}, r.Problem)
	if !r.Keeps {
		p.Refund(r.Meter, left)
	} else if !t.IsHeld() && r.Meter.SpendText(len(p.Text)) != nil {
		r.Problem(yamltext.Exceeded(r.Meter, p.At.Pos()))
	}
}

// Refund refunds what the object has cost since the given number of units was left, unless that is out of proportion.
func (p Piece) Refund(m *meter.Meter, left int64) {
	m.Refund(int(min(left-m.Left(), int64(meter.RefundedUnits*len(p.Text)))))
}
