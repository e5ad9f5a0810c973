package yamltext

import "sort"

// Lines is an index of the lines of one text, counted as YAML does: a line ends with CR LF, CR, LF, NEL, U+2028 or U+2029.
// The index is made once, where the text is parsed, and serves everyone who names or shows a line of it.
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

// Line returns the nth line of text, counted from 1, without its end. It is nil where the text, which may have changed
// since it was indexed, has no such line.
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
