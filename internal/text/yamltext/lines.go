package yamltext

import (
	"bytes"
	"sort"
	"unicode/utf8"
)

// Lines is an index of the lines of one text, counted as YAML does: a line ends with CR LF, CR, LF, NEL, U+2028 or U+2029.
// The index is made once, when the text is parsed, and is used wherever a line is named or shown.
type Lines struct {
	starts []uint32 // the offsets of the lines, each from the beginning of its block
	blocks []int    // the first line of each block after the first: a line for every 4 GiB of text
	bits   int      // a block has 1<<bits bytes
	size   int      // of the text
}

// NewLines returns the index of the lines of text.
func NewLines(text []byte) *Lines { return newLines(text, 32) }

func newLines(text []byte, bits int) *Lines {
	l := &Lines{starts: []uint32{0}, bits: bits, size: len(text)}
	for i := 0; i < len(text); {
		// No other byte begins a line break.
		if c := text[i]; c > '\r' && c < 0xc2 {
			i++
			continue
		}
		n := breakLen(text[i:])
		i += max(n, 1)
		if n > 0 {
			for i>>bits > len(l.blocks) {
				l.blocks = append(l.blocks, len(l.starts))
			}
			l.starts = append(l.starts, uint32(i&(1<<bits-1)))
		}
	}
	return l
}

// Line returns the nth line of text, counted from 1, without its end. It is nil if the text, which may have changed since it was indexed,
// has no such line.
func (l *Lines) Line(text []byte, n int) []byte {
	if l == nil || len(text) != l.size || n < 1 || n > len(l.starts) {
		return nil
	}
	line := text[l.start(n):]
	for i := range line {
		if breakLen(line[i:]) > 0 {
			return line[:i]
		}
	}
	return line
}

// Offset returns the offset of a place in text, at most the end of its line.
func (l *Lines) Offset(text []byte, at Pos) int {
	line := l.Line(text, at.Line)
	offset := 0
	for column := 1; column < at.Column && offset < len(line); column++ {
		_, n := utf8.DecodeRune(line[offset:])
		offset += n
	}
	return l.start(max(at.Line, 1)) + offset
}

// At returns the number of the line that the offset is in, counted from 1, and the offset at which that line begins.
func (l *Lines) At(offset int) (line, start int) {
	line = sort.Search(len(l.starts), func(i int) bool { return l.start(i+1) > offset })
	return line, l.start(line)
}

// start returns the offset of the nth line, the end of the text where there is none.
func (l *Lines) start(n int) int {
	if n > len(l.starts) {
		return l.size
	}
	block := 0
	for block < len(l.blocks) && l.blocks[block] < n {
		block++
	}
	return block<<l.bits + int(l.starts[n-1])
}

// breakLen returns the length of the line break that text begins with, 0 for none.
func breakLen(text []byte) int {
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

// Place is the place of a text in a larger one. Pass moves it over the pieces before the text. The zero value is the beginning.
type Place struct {
	lines, columns int  // lines, and characters in the last one, that come before it
	cr             bool // the last piece ended with CR
}

// Pass moves the place over a piece of the text, which does not end within a character.
func (p *Place) Pass(text []byte) {
	if len(text) == 0 {
		return
	}
	if p.cr && text[0] == '\n' {
		text = text[1:] // of the line that CR ended
	}
	line := text
	if bytes.IndexByte(text, '\r') < 0 && bytes.IndexByte(text, 0xc2) < 0 && bytes.IndexByte(text, 0xe2) < 0 { // nearly always
		if n := bytes.Count(text, []byte("\n")); n > 0 {
			line = text[bytes.LastIndexByte(text, '\n')+1:]
			p.lines, p.columns = p.lines+n, 0
		}
	} else if l := NewLines(text); len(l.starts) > 1 {
		line = text[l.start(len(l.starts)):]
		p.lines, p.columns = p.lines+len(l.starts)-1, 0
	}
	p.columns += utf8.RuneCount(line)
	p.cr = len(text) > 0 && text[len(text)-1] == '\r'
}

// Pos returns the place of the byte that comes next.
func (p Place) Pos() Pos { return p.of(Pos{1, 1}) }

// of converts a place in the text into a place in the larger one.
func (p Place) of(at Pos) Pos {
	if at.Line == 1 {
		at.Column += p.columns
	}
	at.Line += p.lines
	return at
}
