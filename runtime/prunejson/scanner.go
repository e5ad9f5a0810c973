package prunejson

import (
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Pos is a position in a document: how many bytes come before it.
type Pos = int

// Window is the beginning of what stands at a position. Generated code compares it with the keys that it knows, each with
// its quotes and its colon.
type Window [padding]byte

// padding is how many zero bytes follow the document.
const padding = 64

// maxUnit is by how many spaces a level may be indented to count as indented. It keeps products with depths small.
const maxUnit = 32

// Scanner is one walk through a document.
type Scanner struct {
	memory
	buf []byte // the document and the padding
	end Pos    // of the document
	// What is kept so far ends at out. What is not yet known to be kept or dropped begins at from.
	out, from Pos
	depth     int
	unit      int // by how many spaces each level is indented; 0 if that is unknown, or if it is not
	kinds     int // how often the document says what it is
	odd       oddKey
	err       *prunert.SyntaxError

	report *report // nil without a report
	dst    []byte
}

// Begin copies the document after dst and returns where its value begins.
func (s *Scanner) Begin(dst, src []byte) Pos {
	s.load(dst, src)
	p := s.blanks(0)
	if s.at(p) != '{' {
		return s.fail(p, "the document is not an object")
	}
	return p
}

// load copies src after dst. What dst has room for after that is for keys that are spelled oddly.
func (s *Scanner) load(dst, src []byte) {
	size := len(dst) + len(src) + padding
	if size > cap(dst) {
		grown := make([]byte, len(dst), size)
		copy(grown, dst)
		dst = grown
	}
	s.dst = dst
	s.buf = dst[len(dst):size:size]
	s.end = copy(s.buf, src)
	clear(s.buf[s.end:])
	s.memory = newMemory(s.buf)
	s.odd = oddKey{spelling: dst[size:size]}
}

// End ends the walk. The document's value ends at p. It reports whether the document is certainly an object of the kind, so that Result is
// right.
func (s *Scanner) End(p Pos) bool {
	s.whole(s.blanks(p), "invalid character %s after the document")
	return s.kinds < 2
}

// whole makes sure that a value that was loaded ends at p. Otherwise, the message says what is wrong there.
func (s *Scanner) whole(p Pos, message string) {
	if p != s.end {
		s.fail(p, message)
	}
}

// Result returns dst with the pruned document after it, or the error of the document and nothing of it.
func (s *Scanner) Result() ([]byte, error) {
	if s.err != nil {
		return nil, s.err
	}
	s.drop(s.end, s.end)
	return s.dst[:len(s.dst)+s.out], nil
}

// fail remembers the first error and returns the end of the document. %s in the message stands for the character at p.
//
//go:noinline
func (s *Scanner) fail(p Pos, message string) Pos {
	if s.err == nil {
		s.err = newSyntaxError(s.buf[:s.end], p, message)
	}
	return s.end
}

// drop drops what stands between two positions. It is called from left to right, and nothing before to is read again.
func (s *Scanner) drop(from, to Pos) {
	size := from - s.from
	if s.out != s.from {
		s.move(s.out, s.from, size, to)
	}
	s.out += size
	s.from = to
}

// Object returns the first key of the object at p and its position. ok is false if there is another value at p; the
// position is then that of the value.
func (s *Scanner) Object(p Pos) (k *Window, at Pos, ok bool) {
	m := s.memory
	if m.at(p) == ' ' {
		p++
	}
	if m.at(p) != '{' {
		if p = s.blanks(p); m.at(p) != '{' {
			return nil, p, false
		}
	}
	if s.depth++; s.depth > prunert.MaxDepth {
		p = s.tooDeep(p)
		return s.window(p), p, true
	}
	if p++; m.at(p) == '\n' {
		begin := p + 1
		p = s.line(begin, s.depth)
		if unit := p - begin; s.depth == 1 && unit <= maxUnit {
			s.unit = unit
		}
	}
	if m.at(p) != '"' {
		if p = s.blanks(p); m.at(p) != '"' && m.at(p) != '}' {
			p = s.fail(p, "invalid character %s looking for the beginning of a key")
		}
	}
	return m.window(p), p, true
}

func (s *Scanner) tooDeep(p Pos) Pos {
	return s.fail(p, "exceeded max depth")
}

// Next returns the key after a value that ends at p, and its position. After the last value there is no key: the window
// begins with no quote.
func (s *Scanner) Next(p Pos) (*Window, Pos) {
	k := s.window(p)
	switch {
	case string(k[:2]) == `,"`:
		return s.window(p + 1), p + 1
	case k[0] == '}':
		return k, p
	}
	return s.next(p)
}

func (s *Scanner) next(p Pos) (*Window, Pos) {
	m := s.memory
	switch { // indented, as people read it
	case m.at(p) == ',' && m.at(p+1) == '\n':
		p = s.line(p+2, s.depth)
		if k := m.window(p); k[0] == '"' {
			return k, p
		}
		return s.key(p)
	case m.at(p) == '\n':
		p = s.line(p+1, s.depth-1)
		if k := m.window(p); k[0] == '}' {
			return k, p
		}
	}
	p = s.blanks(p)
	switch m.at(p) {
	case ',':
		return s.key(p + 1)
	case '}':
	default:
		p = s.fail(p, "invalid character %s after a value in an object")
	}
	return m.window(p), p
}

// gap returns the position after the blanks at p: most likely the end of a line, and the spaces of the next one at this depth.
func (s *Scanner) gap(p Pos, depth int) Pos {
	if s.at(p) == '\n' {
		p = s.line(p+1, depth)
	}
	return s.blanks(p)
}

// line returns the position after the spaces at p, where a line begins. It guesses that the line is indented like others, so that a
// processor need not wait for the spaces to be counted.
func (s *Scanner) line(p Pos, depth int) Pos {
	m, n := s.memory, uint(s.unit*depth)
	for ; n > 32 && (m.word(p)^spaces)|(m.word(p+8)^spaces)|(m.word(p+16)^spaces)|(m.word(p+24)^spaces) == 0; n -= 32 {
		p += 32
	}
	if n <= 32 {
		first := &firstBytes[n]
		if (m.word(p)^spaces)&first[0]|(m.word(p+8)^spaces)&first[1]|(m.word(p+16)^spaces)&first[2]|(m.word(p+24)^spaces)&first[3] == 0 {
			if end := p + int(n); m.at(end) != ' ' {
				return end
			}
		}
	}
	return m.indent(p)
}

// firstBytes has four words at n of which all bits of the first n bytes are set.
var firstBytes = func() (first [33][4]uint64) {
	for n := range first {
		for i := range n {
			first[n][i/8] |= 0xff << (i % 8 * 8)
		}
	}
	return first
}()

// key returns the key that has to come after a comma.
func (s *Scanner) key(p Pos) (*Window, Pos) {
	if p = s.blanks(p); s.at(p) != '"' {
		p = s.fail(p, "invalid character %s looking for the beginning of a key")
	}
	return s.window(p), p
}

// Close returns the position after an object, whose keys end at p.
func (s *Scanner) Close(p Pos) Pos {
	if s.at(p) != '}' { // there was an error
		return s.end
	}
	s.depth--
	return p + 1
}

// List returns the position of the first element of the list at p, and whether there is one. ok is false if there is
// another value at p; the position is then that of the value.
func (s *Scanner) List(p Pos) (at Pos, more, ok bool) {
	if s.at(p) != '[' {
		if p = s.blanks(p); s.at(p) != '[' {
			return p, false, false
		}
	}
	if s.depth++; s.depth > prunert.MaxDepth {
		return s.tooDeep(p), false, true
	}
	if p++; s.at(p) <= ' ' {
		p = s.gap(p, s.depth)
	}
	if s.at(p) == ']' {
		s.depth--
		return p + 1, false, true
	}
	return p, true, true
}

// Element returns the position of the element after one that ends at p, and whether there is one. After the last one, the
// position is that after the list.
func (s *Scanner) Element(p Pos) (at Pos, more bool) {
	m := s.memory
	switch m.at(p) {
	case ',':
		if p++; m.at(p) == '\n' {
			p = s.line(p+1, s.depth)
		}
		return p, true
	case ']':
		s.depth--
		return p + 1, false
	}
	return s.element(p)
}

// element is Element where there are blanks after the last one.
func (s *Scanner) element(p Pos) (at Pos, more bool) {
	p = s.gap(p, s.depth-1)
	switch s.at(p) {
	case ',':
		return p + 1, true
	case ']':
		s.depth--
		return p + 1, false
	}
	return s.fail(p, "invalid character %s after an element of a list"), false
}
