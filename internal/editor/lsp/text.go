package lsp

import (
	"bytes"
	"sort"
	"unicode/utf16"
	"unicode/utf8"
)

// Text is a text with an index of its lines, which end with LF, CR LF or CR. It is never changed.
type Text struct {
	Bytes  []byte
	starts []int // the offsets of the lines
}

// NewText returns a text.
func NewText(data []byte) *Text {
	t := &Text{Bytes: data, starts: []int{0}}
	for i := 0; i < len(data); {
		n := bytes.IndexAny(data[i:], "\r\n")
		if n < 0 {
			break
		}
		if i += n + 1; data[i-1] == '\r' && i < len(data) && data[i] == '\n' {
			i++
		}
		t.starts = append(t.starts, i)
	}
	return t
}

// Offset returns the offset of a position. A position after the end of its line stands for that end, as the protocol says.
func (t *Text) Offset(p Position) int {
	switch {
	case p.Line < 0:
		return 0
	case p.Line >= len(t.starts):
		return len(t.Bytes)
	}
	offset := t.starts[p.Line]
	for units := 0; units < p.Character && offset < len(t.Bytes); {
		r, n := utf8.DecodeRune(t.Bytes[offset:])
		if r == '\n' || r == '\r' {
			break
		}
		if units += utf16.RuneLen(r); units > p.Character { // within a character
			break
		}
		offset += n
	}
	return offset
}

// Position returns the position of an offset.
func (t *Text) Position(offset int) Position {
	offset = min(max(offset, 0), len(t.Bytes))
	line := sort.Search(len(t.starts), func(i int) bool { return t.starts[i] > offset }) - 1
	p := Position{Line: line}
	for rest := t.Bytes[t.starts[line]:offset]; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		p.Character += utf16.RuneLen(r)
		rest = rest[n:]
	}
	return p
}

// Range returns the range from one offset to another.
func (t *Text) Range(start, end int) Range { return Range{t.Position(start), t.Position(end)} }

// Change returns the text with changes, one after the other.
func (t *Text) Change(changes []Change) *Text {
	for _, c := range changes {
		if c.Range == nil {
			t = NewText([]byte(c.Text))
			continue
		}
		start := t.Offset(c.Range.Start)
		end := max(start, t.Offset(c.Range.End))
		t = NewText(bytes.Join([][]byte{t.Bytes[:start], t.Bytes[end:]}, []byte(c.Text)))
	}
	return t
}
