package prunejson

import (
	"math/bits"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Keep returns the position behind the value at p, of which everything is kept.
func (s *Scanner) Keep(p Pos) Pos {
	for {
		switch s.at(p) {
		case '"':
			return s.text(p)
		case '{', '[':
			return s.container(p)
		case ' ', '\n', '\t', '\r':
			p = s.blanks(p)
		default:
			return s.scalar(p)
		}
	}
}

// Leaf returns the position behind the value at p, of which the schema says no more than that it is there: what is in an
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
			p = s.blanks(p)
		default:
			return s.scalar(p)
		}
	}
}

// LeafMap returns the position behind the value at p: the keys of an object stay, and the values are leaves.
func (s *Scanner) LeafMap(p Pos) Pos {
	k, p, ok := s.Object(p)
	if !ok {
		return s.Leaf(p)
	}
	for k[0] == '"' {
		k, p = s.Next(s.Leaf(s.behindKey(p)))
	}
	return s.Close(p)
}

// empty drops everything in the object at p.
func (s *Scanner) empty(p Pos) Pos {
	if s.report != nil {
		return s.emptyReporting(p)
	}
	if at := s.blanks(p + 1); s.at(at) == '}' {
		return at + 1
	}
	end := s.container(p)
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
		at, more, ok := s.List(p)
		switch {
		case !ok && s.at(at) == '{':
			p = s.empty(at)
		case !ok:
			p = s.Keep(at)
		case more:
			p = at
			continue
		default:
			p = at
		}
		for more = false; !more; {
			if s.depth <= within || s.err != nil {
				return p
			}
			p, more = s.Element(p)
		}
	}
}

// The bytes of a word.
const (
	ones     = 0x0101010101010101
	highBits = 0x80 * ones
	quotes   = '"' * ones
	slashes  = '\\' * ones
	spaces   = ' ' * ones
)

// special returns a word whose lowest bit is the highest bit of the first byte in w that is a quote, a backslash or below
// a space; 0 where there is none.
func special(w uint64) uint64 {
	return (((w ^ quotes) - ones) | ((w ^ slashes) - ones) | (w - spaces)) & ^w & highBits
}

// text returns the position behind the string at p.
func (s *Scanner) text(p Pos) Pos {
	for p++; ; p += 8 {
		m := special(s.word(p))
		if m == 0 {
			continue
		}
		p += bits.TrailingZeros64(m) / 8
		if s.at(p) == '"' {
			return p + 1
		}
		return s.escaped(p)
	}
}

// escaped returns the position behind a string that has something special at p.
func (s *Scanner) escaped(p Pos) Pos {
	for {
		switch s.at(p) {
		case '"':
			return p + 1
		case '\\':
			switch s.at(p + 1) {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
				p += 2
			case 'u':
				p += 2
				for range 4 {
					if !isHex(s.at(p)) {
						return s.fail(p, `invalid character %s in \u hexadecimal character escape`)
					}
					p++
				}
			default:
				return s.fail(p+1, "invalid character %s in string escape code")
			}
		default:
			return s.fail(p, "invalid character %s in string literal")
		}
		for m := special(s.word(p)); ; m = special(s.word(p)) {
			if m != 0 {
				p += bits.TrailingZeros64(m) / 8
				break
			}
			p += 8
		}
	}
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// blanks returns the position of the first byte from p on that is not blank.
func (s *Scanner) blanks(p Pos) Pos {
	for {
		switch s.at(p) {
		case '\n':
			p++ // and the blanks that indent the next line
			for w := s.word(p) ^ spaces; ; w = s.word(p) ^ spaces {
				if w != 0 {
					p += bits.TrailingZeros64(w) / 8
					break
				}
				p += 8
			}
		case ' ', '\t', '\r':
			p++
		default:
			return p
		}
	}
}

// scalar returns the position behind a number or a literal.
func (s *Scanner) scalar(p Pos) Pos {
	const (
		isTrue = 't' | 'r'<<8 | 'u'<<16 | 'e'<<24
		isNull = 'n' | 'u'<<8 | 'l'<<16 | 'l'<<24
		isFals = 'f' | 'a'<<8 | 'l'<<16 | 's'<<24
	)
	switch c := s.at(p); {
	case isDigit(c) || c == '-':
		return s.number(p)
	default:
		switch w := s.word(p); {
		case uint32(w) == isTrue, uint32(w) == isNull:
			return p + 4
		case uint32(w) == isFals && s.at(p+4) == 'e':
			return p + 5
		}
	}
	return s.wrongScalar(p)
}

func isDigit(c byte) bool { return c-'0' <= 9 }

// number returns the position behind the number at p.
func (s *Scanner) number(p Pos) Pos {
	if s.at(p) == '-' {
		p++
	}
	switch c := s.at(p); {
	case c == '0':
		p++
	case isDigit(c):
		p = s.digits(p)
	default:
		return s.fail(p, "invalid character %s in numeric literal")
	}
	if s.at(p) == '.' {
		if p++; !isDigit(s.at(p)) {
			return s.fail(p, "invalid character %s after decimal point in numeric literal")
		}
		p = s.digits(p)
	}
	if c := s.at(p); c == 'e' || c == 'E' {
		p++
		if c := s.at(p); c == '+' || c == '-' {
			p++
		}
		if !isDigit(s.at(p)) {
			return s.fail(p, "invalid character %s in exponent of numeric literal")
		}
		p = s.digits(p)
	}
	return p
}

func (s *Scanner) digits(p Pos) Pos {
	for isDigit(s.at(p)) {
		p++
	}
	return p
}

// container returns the position behind the object or the list at p. It does not recurse: the kinds of the brackets that
// are open are bits, of which the last 64 are at hand.
func (s *Scanner) container(p Pos) Pos {
	var objects uint64 // the innermost bracket is the lowest bit, which is set for an object
	var outer []uint64
	within := s.depth
	for {
		// A value begins at p.
		switch c := s.at(p); c {
		case '"':
			p = s.text(p)
		case '{', '[':
			if s.depth++; s.depth > prunert.MaxDepth {
				return s.tooDeep(p)
			}
			if n := s.depth - within - 1; n > 0 && n%64 == 0 {
				outer = append(outer, objects)
			}
			objects <<= 1
			if c == '{' {
				objects |= 1
			}
			p = s.blanks(p + 1)
			switch {
			case s.at(p) == c+2: // the closing bracket
			case c == '{':
				p = s.behindKey(p)
				continue
			default:
				continue
			}
		case ' ', '\n', '\t', '\r':
			p = s.blanks(p)
			continue
		default:
			if p = s.scalar(p); s.err != nil {
				return p
			}
		}
		// A value ends at p, or a container without any.
		for {
			switch c := s.at(p); c {
			case ',':
				p++
				if objects&1 != 0 {
					p = s.behindKey(s.blanks(p))
				}
			case '}', ']':
				if isObject := c == '}'; isObject != (objects&1 != 0) {
					return s.fail(p, closes(isObject))
				}
				p++
				if s.depth--; s.depth == within {
					return p
				}
				objects >>= 1
				if n := s.depth - within; n%64 == 0 {
					objects = outer[len(outer)-1]
					outer = outer[:len(outer)-1]
				}
				continue
			case ' ', '\n', '\t', '\r':
				p = s.blanks(p)
				continue
			default:
				return s.fail(p, closes(objects&1 == 0))
			}
			break
		}
	}
}

// closes returns the message for what should not be behind a value.
func closes(list bool) string {
	if list {
		return "invalid character %s after an element of a list"
	}
	return "invalid character %s after a value in an object"
}
