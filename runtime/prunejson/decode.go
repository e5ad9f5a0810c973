package prunejson

import (
	"sync"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Decoder is one walk through a document that decodes what is kept. Dropped parts are scanned and leave no trace.
//
// Generated functions take the key of a value and its position, push the key and the decoded value onto the stack, and return the position
// after the value. At the end of an object, everything that the stack has of it becomes a map.
type Decoder struct {
	Scanner
	stack
	slabs
	decoded  []byte               // room for a string with escapes
	tooLarge *prunert.SyntaxError // the first number that no float64 holds
}

// Decode decodes a document, which may be a list, and prunes it.
func (k Kind) Decode(src []byte) (map[string]any, error) {
	d := decoders.Get().(*Decoder)
	defer d.release()
	obj := d.decode(src, k.Build)
	if d.err == nil && k.maybeList(obj) {
		obj = d.decode(src, k.build)
	}
	switch {
	case d.err != nil:
		return nil, d.err
	case d.tooLarge != nil:
		return nil, d.tooLarge
	}
	return obj, nil
}

// decode decodes a document with a function for its object. It returns nil if there is an error.
func (d *Decoder) decode(src []byte, build func(d *Decoder, key string, p Pos) Pos) map[string]any {
	d.Scanner, d.tooLarge = Scanner{dst: d.dst}, nil
	d.truncate(0)
	d.End(build(d, "", d.Begin(d.dst, src)))
	if d.err != nil {
		return nil
	}
	return d.members[0].value.(map[string]any)
}

// decoders are those that are not in use. They keep nothing but memory from one document to the next.
var decoders = sync.Pool{New: func() any { return new(Decoder) }}

// The maximum memory that an unused Decoder keeps: for a document, and for the stack.
const (
	maxIdleDocument = 1 << 20
	maxIdleStack    = 1 << 12
)

// release makes the decoder available again. It keeps nothing of the document, except in its buffer for documents.
func (d *Decoder) release() {
	idle := Decoder{stack: d.stack.cleared(), Scanner: Scanner{dst: d.dst}}
	if cap(idle.dst) > maxIdleDocument {
		idle.dst = nil
	}
	*d = idle
	decoders.Put(d)
}

// maybeList reports whether a document may be a list of objects, given the result of decoding it as an object of the kind. That result has
// the kind of the document in any case. A list was mostly dropped, so decoding it was cheap.
func (k Kind) maybeList(obj map[string]any) bool {
	kind, _ := obj["kind"].(string)
	return kind == "List" || kind == k.ListKind && kind != k.Kind
}

// build decodes the document at p, which may be a list.
func (k Kind) build(d *Decoder, key string, p Pos) Pos {
	items, ok := k.listOf(d.identity(p))
	if !ok {
		return k.Build(d, key, p)
	}
	size := d.Size()
	w, p, _ := d.Object(p)
	for w[0] == '"' {
		name, value := d.Key(p)
		if name == "items" {
			p = k.buildItems(d, name, value, items)
		} else {
			p = d.Keep(name, value)
		}
		w, p = d.Next(p)
	}
	return d.Close(key, size, p)
}

// buildItems decodes the items of a list, whose value is at p.
func (k Kind) buildItems(d *Decoder, key string, p Pos, items Identity) Pos {
	p, more, ok := d.List(p)
	if !ok {
		return d.Keep(key, p)
	}
	size := d.Size()
	for more {
		if d.IsAt(p, '{') && k.prunes(&d.Scanner, p, items) {
			p = k.Build(d, "", p)
		} else {
			p = d.Keep("", p)
		}
		p, more = d.Element(p)
	}
	return d.CloseList(key, size, p)
}
