package prunejson

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// text decodes the string at p, where its first quote is. It copies a short one while it looks for the end.
func (d *Decoder) text(p Pos) (string, Pos) {
	begin, room := p+1, d.texts[len(d.texts):cap(d.texts)]
	room = room[:min(len(room), shortText)]
	high := uint64(0)
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
		n := bits.TrailingZeros64(m) / 8
		p += n
		if high |= w & (m&-m - 1); d.at(p) != '"' || high&highBits != 0 {
			return d.oddText(begin, p)
		}
		d.texts = d.texts[:len(d.texts)+i+n]
		return textOf(room[:i+n]), p + 1
	}
	return d.longText(begin, p, high)
}

// shortText is how long a string may be that is copied by words.
const shortText = 128

// longText decodes a string whose inside begins at begin. What comes before p is text without escapes; high has the bits that are
// set in any of its words.
func (d *Decoder) longText(begin, p Pos, high uint64) (string, Pos) {
	if high&highBits == 0 {
		if p = d.find(p, endOfASCII); d.at(p) == '"' {
			return d.keepText(d.buf[begin:p]), p + 1
		}
	}
	return d.oddText(begin, p)
}

// oddText decodes a string whose inside begins at begin. Everything before p is plain text.
func (d *Decoder) oddText(begin, p Pos) (string, Pos) {
	end := d.escaped(p)
	if d.err != nil {
		return "", end
	}
	raw := d.buf[begin : end-1]
	if bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		return d.keepText(raw), end
	}
	d.decoded = appendText(d.decoded[:0], raw)
	return d.keepText(d.decoded), end
}
