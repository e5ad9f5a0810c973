package prunejson

import (
	"math/bits"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Leaf returns the position after the value at p, of which the schema specifies nothing: what is in an
// object goes.
func (s *Scanner) Leaf(p Pos) Pos {
	for {
		switch s.at(p) {
		case '"':
			return s.text(p)
		case '{':
			return s.empty(p)
		case '[':
			return s.leaves(p)
		case ' ', '\n', '\t', '\r':
			p = s.skipBlanks(p)
		default:
			return s.scalar(p)
		}
	}
}

// LeafField is Leaf for the value of a field, and returns the next key as Next does. It has a short way for strings because
// most values are.
func (s *Scanner) LeafField(p Pos) (*Window, Pos) {
	m := s.memory
	c := m.at(p)
	if c == ' ' {
		p++
		c = m.at(p)
	}
	if c != '"' {
		return s.otherField(p, c)
	}
	x, n := either(special(m.word(p+1)), special(m.word(p+9)))
	if x == 0 {
		p = m.find(p+17, endOfText)
	} else {
		p += n + 1 + bits.TrailingZeros64(x)/8
	}
	switch w := m.word(p); {
	case w&0xffffff == '"'|','<<8|'"'<<16:
		return m.window(p + 2), p + 2
	case w&0xffff == '"'|'}'<<8:
		return m.window(p + 1), p + 1
	case w&0xff == '"':
		return s.next(p + 1)
	}
	return s.Next(s.escaped(p))
}

// otherField is LeafField for a value that is not a string, and begins with c. It has a short way for literals and for numbers that
// are whole and short.
func (s *Scanner) otherField(p Pos, c byte) (*Window, Pos) {
	m := s.memory
	w := m.word(p)
	switch {
	case isDigit(c):
		n := bits.TrailingZeros64(noDigit(w)) / 8
		if e := m.at(p + n); e == '.' || e|0x20 == 'e' || n == 8 || c == '0' && n != 1 {
			return s.Next(s.number(p))
		}
		p += n
	case uint32(w) == isTrue || uint32(w) == isNull:
		p += 4
	case c == 'f' && uint32(w>>8) == isAlse:
		p += 5
	case c <= ' ' || c|0x20 == '{':
		return s.Next(s.Leaf(p))
	default:
		return s.Next(s.scalar(p))
	}
	return s.Next(p)
}

// LeafMap returns the position after the value at p: the keys of an object stay, and the values are leaves.
func (s *Scanner) LeafMap(p Pos) Pos {
	k, p, ok := s.Object(p)
	if !ok {
		return s.Leaf(p)
	}
	for k[0] == '"' {
		k, p = s.LeafField(s.behindKey(p))
	}
	return s.Close(p)
}

// empty drops everything in the object at p.
func (s *Scanner) empty(p Pos) Pos {
	if s.report != nil {
		return s.emptyReporting(p)
	}
	if at := s.blanks(p + 1); s.at(at) == '}' && s.depth < prunert.MaxDepth {
		return at + 1
	}
	end := s.Keep(p)
	if s.err == nil {
		s.drop(p+1, end-1)
	}
	return end
}

// emptyReporting is empty where each key is reported.
func (s *Scanner) emptyReporting(p Pos) Pos {
	k, at, _ := s.Object(p)
	if k[0] == '"' {
		for k[0] == '"' {
			s.report.drop(at)
			k, at = s.next(s.Keep(s.behindKey(at)))
		}
		if s.err == nil {
			s.drop(p+1, at)
		}
	}
	return s.Close(at)
}

// leaves goes through the list at p, whose elements are leaves, and so are those of lists in it.
func (s *Scanner) leaves(p Pos) Pos {
	for within := s.depth; ; {
		more := false
		switch p = s.blanks(p); s.at(p) {
		case '[':
			p, more, _ = s.List(p)
		case '{':
			p = s.empty(p)
		default:
			p = s.Keep(p)
		}
		for !more {
			if s.depth <= within || s.err != nil {
				return p
			}
			p, more = s.Element(p)
		}
	}
}

// Each byte of a word is one of these.
const (
	ones     = 0x0101010101010101
	highBits = 0x80 * ones
	spaces   = ' ' * ones
)

// special returns a word whose lowest bit is the highest bit of the first byte in w that is a quote, a backslash or below
// a space; 0 if there is none. The bits above the lowest one mean nothing.
//
// A byte below n turns negative when n is taken from it, and so the next byte may do, too. With 2 flipped, a quote takes the
// place of a space, which is next to what is below it.
func special(w uint64) uint64 {
	return (((w ^ each.two) - each.aboveSpace) | ((w ^ each.backslash) - each.one)) & (^w & each.high)
}

// each has words whose bytes are all the same. They are variables because Go puts a constant of eight bytes into the code at each use,
// which takes longer to load than memory.
var each = struct{ one, two, aboveSpace, backslash, high uint64 }{ones, 2 * ones, (' ' + 1) * ones, '\\' * ones, highBits}

// either returns the first of two words unless it is 0, and how many bytes come before the one that is returned. It does so without a
// branch: processors do not predict well whether a string ends in the first eight bytes or the next.
func either(first, second uint64) (x uint64, before int) {
	none := noBits(first)
	return first | second&none, int(8 & none)
}

// noBits returns all bits for 0, and 0 for a word with marks.
func noBits(x uint64) uint64 { return uint64(int64(x>>1-1) >> 63) }

// text returns the position after the string at p.
func (s *Scanner) text(p Pos) Pos {
	m := s.memory
	x, n := either(special(m.word(p+1)), special(m.word(p+9)))
	if x == 0 {
		return s.endText(m.find(p+17, endOfText))
	}
	return s.endText(p + 1 + n + bits.TrailingZeros64(x)/8)
}

// endText returns the position after a string that has something special at p, its end in most cases.
func (s *Scanner) endText(p Pos) Pos {
	if s.at(p) == '"' {
		return p + 1
	}
	return s.escaped(p)
}

// escaped returns the position after a string that has something special at p, which is not its end.
func (s *Scanner) escaped(p Pos) Pos {
	m := s.memory
	for {
		block, marks := m.findBlock(p, endOfText)
		p = block + 64
		for marks != 0 {
			at := block + bits.TrailingZeros64(marks)
			switch m.at(at) {
			case '"':
				return at + 1
			case '\\':
			default:
				return s.fail(at, "invalid character %s in string literal")
			}
			at++
			if c := m.at(at); !isEscape[c] {
				if c != 'u' {
					return s.fail(at, "invalid character %s in string escape code")
				}
				for i := at + 1; i <= at+4; i++ {
					if !isHex(m.at(i)) {
						return s.fail(i, `invalid character %s in \u hexadecimal character escape`)
					}
				}
			}
			// What is escaped is not a stop. It may be in the next block.
			marks &= marks - 1
			marks &^= 1 << (at - block)
			p = max(p, at+1)
		}
	}
}

// isEscape has the bytes that may follow a backslash, except for u.
var isEscape = [256]bool{'"': true, '\\': true, '/': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// blanks returns the position of the first byte from p on that is not blank.
func (s *Scanner) blanks(p Pos) Pos {
	if s.at(p) > ' ' {
		return p
	}
	return s.skipBlanks(p)
}

func (s *Scanner) skipBlanks(p Pos) Pos {
	for {
		switch c := s.at(p); {
		case c == '\n':
			p = s.indent(p + 1)
		case c == ' ' || c == '\t' || c == '\r':
			p++
		default:
			return p
		}
	}
}

// indent returns the position after the spaces at p, of which there are many at the beginning of a line. Processors do not predict their
// number well, so there are no branches for up to 32.
func (m memory) indent(p Pos) Pos {
	for {
		a, b, c, d := m.word(p)^spaces, m.word(p+8)^spaces, m.word(p+16)^spaces, m.word(p+24)^spaces
		if a|b|c|d == 0 {
			p += 32
			continue
		}
		first, n := d, 24
		if c != 0 {
			first, n = c, 16
		}
		if b != 0 {
			first, n = b, 8
		}
		if a != 0 {
			first, n = a, 0
		}
		return p + n + bits.TrailingZeros64(first)/8
	}
}

// The literals as words.
const (
	isTrue = 't' | 'r'<<8 | 'u'<<16 | 'e'<<24
	isNull = 'n' | 'u'<<8 | 'l'<<16 | 'l'<<24
	isAlse = 'a' | 'l'<<8 | 's'<<16 | 'e'<<24 // after an f
)

// scalar returns the position after a number or a literal.
func (s *Scanner) scalar(p Pos) Pos {
	w := s.word(p)
	switch c := byte(w); {
	case c < 'A':
		if isDigit(c) || c == '-' {
			return s.number(p)
		}
	case uint32(w) == isTrue || uint32(w) == isNull:
		return p + 4
	case c == 'f' && uint32(w>>8) == isAlse:
		return p + 5
	}
	return s.wrongScalar(p)
}

func isDigit(c byte) bool { return c-'0' <= 9 }

// number returns the position after the number at p.
func (s *Scanner) number(p Pos) Pos {
	m := s.memory
	c := m.at(p)
	if c == '-' {
		p++
		c = m.at(p)
	}
	if p++; !isDigit(c) {
		return s.fail(p-1, "invalid character %s in numeric literal")
	}
	if c != '0' {
		p = m.digits(p)
	}
	if c = m.at(p); c == '.' {
		if p++; !isDigit(m.at(p)) {
			return s.fail(p, "invalid character %s after decimal point in numeric literal")
		}
		p = m.digits(p)
		c = m.at(p)
	}
	if c|0x20 == 'e' {
		p++
		if c := m.at(p); c == '+' || c == '-' {
			p++
		}
		if !isDigit(m.at(p)) {
			return s.fail(p, "invalid character %s in exponent of numeric literal")
		}
		p = m.digits(p)
	}
	return p
}

// digits returns the position after the digits at p.
func (m memory) digits(p Pos) Pos {
	x := noDigit(m.word(p))
	for ; x == 0; x = noDigit(m.word(p)) {
		p += 8
	}
	return p + bits.TrailingZeros64(x)/8
}

// noDigit returns a word whose lowest bit is the highest bit of the first byte in w that is not a digit; 0 if all are. The
// bits above the lowest one mean nothing.
func noDigit(w uint64) uint64 {
	w ^= '0' * ones
	return (w | (w + (0x80-10)*ones)) & highBits
}

// Keep returns the position after the value at p, of which everything is kept. It does not recurse: the kinds of the brackets
// that are open are bits, of which the last 64 are at hand.
func (s *Scanner) Keep(p Pos) Pos {
	m := s.memory
	var objects uint64 // the innermost bracket is the lowest bit, which is set for an object
	var outer []uint64
	open, most := 0, prunert.MaxDepth-s.depth
value:
	switch c := m.at(p); {
	case c == '"':
		x, n := either(special(m.word(p+1)), special(m.word(p+9)))
		if x == 0 {
			p = m.find(p+17, endOfText)
		} else {
			p += 1 + n + bits.TrailingZeros64(x)/8
		}
		if m.at(p) == '"' {
			p++
		} else {
			p = s.escaped(p)
		}
	case c|0x20 == '{': // or a list
		if open == most {
			return s.tooDeep(p)
		}
		if open%64 == 0 && open > 0 {
			outer = append(outer, objects)
		}
		open++
		objects <<= 1
		if p++; m.at(p) <= ' ' {
			p = s.gap(p, s.depth+open)
		}
		if m.at(p) == c+2 { // the closing bracket
			objects |= uint64(c>>5) & 1
			break
		}
		if c == '{' {
			objects |= 1
			goto key
		}
		goto value
	case c <= ' ':
		if p = s.skipBlanks(p); m.at(p) <= ' ' {
			return s.scalar(p)
		}
		goto value
	default:
		p = s.scalar(p)
	}
	if open == 0 {
		return p
	}
behind:
	switch c := m.at(p); {
	case c == ',':
		if p++; m.at(p) == '\n' {
			p = s.line(p+1, s.depth+open)
		}
		if objects&1 != 0 {
			goto key
		}
		goto value
	case c|0x20 == '}': // or that of a list
		if objects&1 != uint64(c>>5)&1 {
			break
		}
		p++
		if open--; open == 0 {
			return p
		}
		if objects >>= 1; open%64 == 0 {
			objects = outer[len(outer)-1]
			outer = outer[:len(outer)-1]
		}
		goto behind
	case isBlank(c):
		p = s.gap(p, s.depth+open-1)
		goto behind
	}
	return s.fail(p, closes(objects&1 == 0))
key:
	if m.at(p) == '"' {
		x, n := either(special(m.word(p+1)), special(m.word(p+9)))
		if q := p + 1 + n + bits.TrailingZeros64(x)/8; m.at(q) == '"' && m.at(q+1) == ':' {
			if p = q + 2; m.at(p) == ' ' {
				p++
			}
			goto value
		}
	}
	p = s.behindKey(s.blanks(p))
	goto value
}

// closes returns the message for what should not be after a value, in a list or in an object.
func closes(list bool) string {
	if list {
		return "invalid character %s after an element of a list"
	}
	return "invalid character %s after a value in an object"
}
