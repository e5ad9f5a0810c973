// Package text reads YAML and JSON into nodes that know where they stand. It knows nothing about CRDs.
package text

import "sort"

// Lines is an index of the lines of one text, counted as YAML does: a line ends with CR LF, CR, LF, NEL, U+2028 or U+2029.
// The index is made once, where the text is parsed, and serves everyone who names or shows a line of it.
type Lines struct {
	starts []int // the offsets of the lines
	size   int   // of the text
}

// NewLines returns the index of the lines of text.
func NewLines(text []byte) *Lines {
	l := &Lines{starts: []int{0}, size: len(text)}
	for i := 0; i < len(text); {
		if n := BreakLen(text[i:]); n > 0 {
			i += n
			l.starts = append(l.starts, i)
		} else {
			i++
		}
	}
	return l
}

// Line returns the nth line of text, counted from 1, without its end. It is nil where the text, which may have changed
// since it was indexed, has no such line.
func (l *Lines) Line(text []byte, n int) []byte {
	if l == nil || len(text) != l.size || n < 1 || n > len(l.starts) {
		return nil
	}
	line := text[l.starts[n-1]:]
	for i := range line {
		if BreakLen(line[i:]) > 0 {
			return line[:i]
		}
	}
	return line
}

// At returns the number of the line that the offset is in, counted from 1, and the offset at which that line begins.
func (l *Lines) At(offset int) (line, start int) {
	n := sort.SearchInts(l.starts, offset+1)
	return n, l.starts[n-1]
}

// BreakLen returns the length of the line break that text begins with, 0 for none.
func BreakLen(text []byte) int {
	switch text[0] {
	case '\n':
		return 1
	case '\r':
		if len(text) > 1 && text[1] == '\n' {
			return 2
		}
		return 1
	case 0xc2:
		if len(text) > 1 && text[1] == 0x85 {
			return 2
		}
	case 0xe2:
		if len(text) > 2 && text[1] == 0x80 && (text[2] == 0xa8 || text[2] == 0xa9) {
			return 3
		}
	}
	return 0
}
