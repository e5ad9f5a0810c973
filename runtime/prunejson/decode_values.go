package prunejson

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strconv"
	"unicode/utf8"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Keep decodes the value at p, of which everything is kept.
func (d *Decoder) Keep(key string, p Pos) Pos {
	switch p = d.blanks(p); d.at(p) {
	case '"':
		return d.textValue(key, p)
	case '{':
		size := d.Size()
		k, p, _ := d.Object(p)
		for k[0] == '"' {
			name, value := d.Key(p)
			k, p = d.Next(d.Keep(name, value))
		}
		return d.Close(key, size, p)
	case '[':
		size := d.Size()
		p, more, _ := d.List(p)
		for more {
			p, more = d.Element(d.Keep("", p))
		}
		return d.CloseList(key, size, p)
	}
	return d.scalarValue(key, p)
}

// Leaf decodes the value at p, of which the schema says no more than that it is there: what is in an object goes.
func (d *Decoder) Leaf(key string, p Pos) Pos {
	if d.at(p) != '"' {
		p = d.blanks(p)
	}
	switch d.at(p) {
	case '"':
		return d.textValue(key, p)
	case '{':
		d.push(key, map[string]any{})
		return d.Scanner.Keep(p)
	case '[':
		size := d.Size()
		p, more, _ := d.List(p)
		for more {
			p, more = d.Element(d.Leaf("", p))
		}
		return d.CloseList(key, size, p)
	}
	return d.scalarValue(key, p)
}

// LeafMap decodes the value at p: the keys of an object stay, and the values are leaves.
func (d *Decoder) LeafMap(key string, p Pos) Pos {
	size := d.Size()
	k, p, ok := d.Object(p)
	if !ok {
		return d.Leaf(key, p)
	}
	for k[0] == '"' {
		name, value := d.Key(p)
		k, p = d.Next(d.Leaf(name, value))
	}
	return d.Close(key, size, p)
}

// Metadata decodes the metadata of a resource at p and prunes it as ObjectMeta says. Metadata that is no object is left alone:
// it is wrong, but there is nothing in it to drop.
func (d *Decoder) Metadata(key string, p Pos) Pos {
	if !d.IsAt(p, '{') {
		return d.Keep(key, p)
	}
	return decodeObjectMeta(d, key, p)
}

// textValue decodes the string at p.
func (d *Decoder) textValue(key string, p Pos) Pos {
	text, p := d.text(p)
	d.push(key, d.stringValue(text))
	return p
}

// text decodes the string at p, where its first quote is. It copies while it scans.
func (d *Decoder) text(p Pos) (string, Pos) {
	var high uint64
	begin := p + 1
	room := d.texts[len(d.texts):cap(d.texts)]
	p = begin
	for i := 0; i <= len(room)-8; i += 8 {
		w := d.word(p)
		binary.LittleEndian.PutUint64(room[i:], w)
		m := special(w)
		if m == 0 {
			high |= w
			p += 8
			continue
		}
		high |= w & (m&-m - 1)
		more := bits.TrailingZeros64(m) / 8
		p += more
		if d.at(p) == '"' && high&highBits == 0 {
			d.texts = d.texts[:len(d.texts)+i+more]
			return textOf(room[:i+more]), p + 1
		}
		return d.oddText(begin, p)
	}
	for ; ; p += 8 {
		m := special(d.word(p))
		if m != 0 {
			return d.oddText(begin, p+bits.TrailingZeros64(m)/8)
		}
	}
}

// oddText decodes a string that begins at begin, has something special at p, and may have more than ASCII before.
func (d *Decoder) oddText(begin, p Pos) (string, Pos) {
	end := d.escaped(p)
	if d.err != nil {
		return "", end
	}
	raw := d.buf[begin : end-1]
	if bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		return d.keepText(raw), end
	}
	return string(appendText(nil, raw)), end
}

// scalarValue decodes a number or a literal.
func (d *Decoder) scalarValue(key string, p Pos) Pos {
	end := d.scalar(p)
	if d.err != nil {
		return end
	}
	switch d.at(p) {
	case 't':
		d.push(key, true)
	case 'f':
		d.push(key, false)
	case 'n':
		d.push(key, nil)
	default:
		d.push(key, d.numberValue(p, end))
	}
	return end
}

// numberValue returns the number between two positions: an int64 if it is written as an integer and is one, else a float64.
func (d *Decoder) numberValue(p, end Pos) any {
	const fits = 18 // so many digits, whatever they are
	raw := d.buf[p:end]
	digits := raw
	if digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) <= fits {
		n := int64(0)
		for _, c := range digits {
			if !isDigit(c) {
				return d.floatValue(p, raw)
			}
			n = n*10 + int64(c-'0')
		}
		if raw[0] == '-' {
			n = -n
		}
		return n
	}
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return n
	}
	return d.floatValue(p, raw)
}

func (d *Decoder) floatValue(p Pos, raw []byte) any {
	n, err := strconv.ParseFloat(string(raw), 64)
	if err != nil && d.tooLarge == nil {
		d.tooLarge = &prunert.SyntaxError{Offset: int64(p), Message: "number out of range"}
	}
	return n
}
