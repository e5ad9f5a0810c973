package prunejson

import (
	"sync"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Decoder is one walk through a document that builds what is kept of it. What is dropped is scanned and leaves no trace.
//
// Generated functions take the key under which a value is kept and the position of the value, put the value on the stack under
// that key, and return the position behind it. At the end of an object everything that the stack has of it becomes a map,
// which then has the size that it needs.
type Decoder struct {
	Scanner
	stack []member
	high  int // how much of the stack was in use
	slabs
	tooLarge *prunert.SyntaxError // the first number that no float64 holds
}

// member is a member of an object, or an element of a list, which has no key.
type member struct {
	key   string
	value any
}

// Type is what decoding has to know about a kind.
type Type struct {
	APIVersion, Kind, ListKind string
	// Root decodes the object at a position, prunes it, and returns the position behind it.
	Root func(d *Decoder, key string, p Pos) Pos
}

// Decode decodes a document, which is an object of the kind or a list, and prunes it.
func (t Type) Decode(src []byte) (map[string]any, error) {
	d := decoders.Get().(*Decoder)
	defer d.release()
	obj, err := d.document(src, t.Root)
	if err == nil && t.isList(obj) {
		obj, err = d.document(src, t.decodeList)
	}
	if err == nil && d.tooLarge != nil {
		err = d.tooLarge
	}
	if err != nil {
		return nil, err
	}
	return obj, nil
}

// document decodes a document.
func (d *Decoder) document(src []byte, decode func(d *Decoder, key string, p Pos) Pos) (map[string]any, error) {
	d.Scanner = Scanner{dst: d.dst}
	d.truncate(0)
	d.tooLarge = nil
	d.End(decode(d, "", d.Begin(d.dst, src)))
	if d.err != nil {
		return nil, d.err
	}
	return d.stack[0].value.(map[string]any), nil
}

// decoders are for use by others. All they have from one document to the next is room for the copy of the document and for
// the stack.
var decoders = sync.Pool{New: func() any { return new(Decoder) }}

// The most that an idle Decoder holds.
const (
	maxIdleDocument = 1 << 20
	maxIdleStack    = 1 << 12
)

// release leaves the decoder to others, without anything of the document.
func (d *Decoder) release() {
	d.truncate(0)
	clear(d.stack[:d.high])
	idle := Decoder{stack: d.stack}
	idle.dst = d.dst
	if cap(idle.dst) > maxIdleDocument {
		idle.dst = nil
	}
	if cap(idle.stack) > maxIdleStack {
		idle.stack = nil
	}
	*d = idle
	decoders.Put(d)
}

// push puts a value on the stack.
func (d *Decoder) push(key string, value any) {
	d.stack = append(d.stack, member{key, value})
}

// truncate takes everything from the stack that is above the first size values.
func (d *Decoder) truncate(size int) {
	d.high = max(d.high, len(d.stack))
	d.stack = d.stack[:size]
}

// Begin of an object or a list: what is on the stack above it belongs to it.

// Size returns how many values are on the stack.
func (d *Decoder) Size() int { return len(d.stack) }

// Close makes a map of what is on the stack above size, puts it there under the key, and returns the position behind the
// object, whose members end at p.
func (d *Decoder) Close(key string, size int, p Pos) Pos {
	if p = d.Scanner.Close(p); d.err != nil {
		return p
	}
	members := d.stack[size:]
	obj := make(map[string]any, len(members))
	for i := range members {
		obj[members[i].key] = members[i].value
	}
	d.truncate(size)
	d.push(key, obj)
	return p
}

// CloseList makes a list of what is on the stack above size, puts it there under the key, and returns the position behind the
// list, which is p.
func (d *Decoder) CloseList(key string, size int, p Pos) Pos {
	elements := d.stack[size:]
	list := d.newList(len(elements))
	for i := range elements {
		list[i] = elements[i].value
	}
	d.truncate(size)
	d.push(key, d.listValue(list))
	return p
}

// Drop drops the field at p, whose key no case has matched, and returns the next key. Where the key is only spelled oddly
// it returns the same key in the spelling that the cases expect, as Scanner.Drop does.
func (d *Decoder) Drop(k *Window, p Pos) (*Window, Pos) {
	value, odd := d.Scanner.OtherKey(k, p)
	if odd != nil {
		return odd, value
	}
	return d.Next(d.Scanner.Keep(value))
}

// Rest is Drop for a field that is kept.
func (d *Decoder) Rest(k *Window, p Pos) (*Window, Pos) {
	key, value, odd := d.OtherKey(k, p)
	if odd != nil {
		return odd, value
	}
	return d.Next(d.Keep(key, value))
}

// OtherKey returns a key that no case has matched, and the position of its value. Where the key is only spelled oddly it
// returns the spelling that the cases expect, and the position as Drop does.
func (d *Decoder) OtherKey(k *Window, p Pos) (key string, value Pos, odd *Window) {
	if d.isRespelled(k) {
		return d.keepText(d.odd.spelling[1 : d.odd.size-len(`":`)]), p + d.odd.size, nil
	}
	value, plain := d.scanKey(p)
	if !plain && d.err == nil {
		odd, p = d.respell(p, value)
		return "", p, odd
	}
	if d.err != nil {
		return "", value, nil
	}
	return d.keepText(d.buf[p+1 : value-len(`":`)]), value, nil
}

// Key returns the key of a map that is at p, and the position of its value.
func (d *Decoder) Key(p Pos) (key string, value Pos) {
	if d.at(p) != '"' {
		return "", d.fail(p, "invalid character %s looking for the beginning of a key")
	}
	key, p = d.text(p)
	if d.at(p) != ':' {
		if p = d.blanks(p); d.at(p) != ':' {
			return "", d.fail(p, "invalid character %s after a key")
		}
	}
	return key, p + 1
}
