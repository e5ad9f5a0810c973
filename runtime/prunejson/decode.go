package prunejson

import (
	"sync"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Decoder is one walk through a document that builds what is kept of it. What is dropped is scanned and leaves no trace.
//
// Generated functions take the key of a value and its position, put the two on the stack, decoded, and return the position
// after the value. At the end of an object everything that the stack has of it becomes a map.
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

// decode decodes a document with a function for its object. It returns nil where there is an error.
func (d *Decoder) decode(src []byte, build func(d *Decoder, key string, p Pos) Pos) map[string]any {
	d.Scanner, d.tooLarge = Scanner{dst: d.dst}, nil
	d.truncate(0)
	d.End(build(d, "", d.Begin(d.dst, src)))
	if d.err != nil {
		return nil
	}
	return d.members[0].value.(map[string]any)
}

// decoders are those that are not in use. All they have from one document to the next is room.
var decoders = sync.Pool{New: func() any { return new(Decoder) }}

// The most room that a Decoder has that is not in use: for a document, and on the stack.
const (
	maxIdleDocument = 1 << 20
	maxIdleStack    = 1 << 12
)

// release leaves the decoder to others, with nothing of the document in it but what is in its room for documents.
func (d *Decoder) release() {
	idle := Decoder{stack: d.stack.cleared(), Scanner: Scanner{dst: d.dst}}
	if cap(idle.dst) > maxIdleDocument {
		idle.dst = nil
	}
	*d = idle
	decoders.Put(d)
}

// maybeList reports whether a document may be a list of objects, given what it is as an object of the kind. As such it has
// its kind in any case, and where it is a list it was for the most part dropped, which costs little.
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
