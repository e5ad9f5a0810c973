package prunejson

import (
	"bytes"
	"math/bits"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// oddKey is a key that is not spelled as generated code expects it: with escapes, with bytes that are not UTF-8, with blanks
// before the colon, or too long for a window.
type oddKey struct {
	// spelling is the key as generated code expects it, with quotes and colon, and zeros after it. If the key itself has a colon after a
	// quote, that is replaced by a zero, so that no case matches the beginning of a key.
	spelling []byte
	size     int // of the spelling without the zeros; 0 if there is no such key
	at       Pos // where the key is in the document
}

// Drop drops the field at p, whose key no case has matched, and returns the next key. Where the key is only spelled oddly
// it returns the same key in the spelling that the cases expect, with the position that makes p plus the length of
// the spelling the position of the value.
func (s *Scanner) Drop(k *Window, p Pos) (*Window, Pos) {
	key, value := p, p
	if s.isRespelled(k) {
		key, value = s.odd.at, p+s.odd.size
	} else {
		var plain bool
		if value, plain = s.scanKey(p); !plain && s.err == nil {
			return s.respell(p, value)
		}
	}
	return s.DropMember(key, value)
}

// Rest is Drop for a field that is kept.
func (s *Scanner) Rest(k *Window, p Pos) (*Window, Pos) {
	if s.depth == 1 && string(k[:7]) == `"kind":` {
		return s.Next(s.KeepKind(p + 7))
	}
	value := p
	if s.isRespelled(k) {
		value = p + s.odd.size
	} else {
		var plain bool
		if value, plain = s.scanKey(p); !plain && s.err == nil {
			return s.respell(p, value)
		}
	}
	return s.Next(s.Keep(value))
}

// OtherKey returns the position of the value of a field whose key no case has matched. Where the key is only spelled oddly
// it returns the spelling that the cases expect, and the position as Drop does.
func (s *Scanner) OtherKey(k *Window, p Pos) (value Pos, odd *Window) {
	if s.isRespelled(k) {
		if s.report != nil {
			s.report.mapKey(s.odd.at)
		}
		return p + s.odd.size, nil
	}
	value, plain := s.scanKey(p)
	if !plain && s.err == nil {
		odd, p = s.respell(p, value)
		return p, odd
	}
	if s.report != nil {
		s.report.mapKey(p)
	}
	return value, nil
}

// Key returns the position of the value in a map whose key is at p.
func (s *Scanner) Key(p Pos) Pos {
	if s.report != nil {
		s.report.mapKey(p)
	}
	return s.behindKey(p)
}

// IsOdd reports whether the key k is this one, which cases do not compare because the document cannot have it in a window.
func (s *Scanner) IsOdd(k *Window, name string) bool {
	return s.isRespelled(k) && string(s.oddKeyText()) == name
}

// oddKeyText returns the key that was respelled last, decoded.
func (s *Scanner) oddKeyText() []byte {
	key, _ := s.KeyText(s.odd.at)
	return key
}

// isRespelled reports whether k is not in the document.
func (s *Scanner) isRespelled(k *Window) bool {
	return s.odd.size > 0 && k == (*Window)(s.odd.spelling)
}

// DropMember drops the member whose key is at key and whose value is at value, and returns the next key. It drops one of the commas
// around it: the one before it if something before it stays, else the one after it.
func (s *Scanner) DropMember(key, value Pos) (*Window, Pos) {
	end := s.Keep(value)
	if s.err != nil {
		return s.window(s.end), s.end
	}
	if s.report != nil {
		s.report.drop(key)
	}
	if key != s.from {
		comma := key - 1
		if isBlank(s.at(comma)) {
			comma = s.before(comma)
		}
		if s.at(comma) == ',' {
			s.drop(comma, end)
			return s.Next(end)
		}
	}
	k, p := s.next(end)
	if k[0] == '"' {
		s.drop(key, p)
	} else {
		s.drop(key, end)
	}
	return k, p
}

// before returns the position before the blanks that end at p, or s.from.
func (s *Scanner) before(p Pos) Pos {
	if line := p - s.unit*s.depth; line > s.from && s.at(line) == '\n' && s.indent(line+1) == p+1 {
		p = line
	}
	for isBlank(s.at(p)) && p > s.from {
		p--
	}
	return p
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// behindKey returns the position of the value whose key is at p.
func (s *Scanner) behindKey(p Pos) Pos {
	m := s.memory
	if m.at(p) != '"' {
		return s.fail(p, "invalid character %s looking for the beginning of a key")
	}
	if x, n := either(special(m.word(p+1)), special(m.word(p+9))); x != 0 {
		p = s.endText(p + 1 + n + bits.TrailingZeros64(x)/8)
	} else {
		p = s.endText(m.find(p+17, endOfText))
	}
	if m.at(p) != ':' {
		if p = s.blanks(p); s.at(p) != ':' {
			return s.fail(p, "invalid character %s after a key")
		}
	}
	return p + 1
}

// scanKey is behindKey, and reports whether the key is spelled as generated code expects it.
func (s *Scanner) scanKey(p Pos) (value Pos, plain bool) {
	key := p
	p++
	a, b := s.word(p), s.word(p+8)
	x, n := either(special(a), special(b))
	second := -uint64(n / 8) // all bits where the key reaches into the second word
	before := x&-x - 1
	high := a&(second|before) | b&second&before
	if x == 0 {
		for p += 16; x == 0; p += 8 {
			w := s.word(p)
			x = special(w)
			high |= w & (x&-x - 1)
		}
		n = -8
	}
	p += n + bits.TrailingZeros64(x)/8
	plain = high&highBits == 0
	if s.at(p) == '"' {
		p++
	} else {
		p, plain = s.escaped(p), false
	}
	if s.at(p) != ':' {
		if p, plain = s.blanks(p), false; s.at(p) != ':' {
			return s.fail(p, "invalid character %s after a key"), false
		}
	}
	return p + 1, plain && p-key < padding
}

// respell returns the key at p as generated code expects it.
func (s *Scanner) respell(p, value Pos) (*Window, Pos) {
	raw := s.buf[p:value]
	spelling := append(slices.Grow(s.odd.spelling[:0], len(raw)+padding), '"')
	spelling = appendText(spelling, raw[1:bytes.LastIndexByte(raw, '"')])
	for i := 2; i < len(spelling); i++ {
		if spelling[i] == ':' && spelling[i-1] == '"' {
			spelling[i] = 0 // cases must not take it for the end of a key
		}
	}
	spelling = append(spelling, '"', ':')
	size := len(spelling)
	spelling = append(spelling, make([]byte, padding)...)
	s.odd = oddKey{spelling, size, p}
	return (*Window)(spelling), value - size
}

// appendText appends what a decoder makes of the inside of a string.
func appendText(b, raw []byte) []byte {
	for i := 0; i < len(raw); {
		switch c := raw[i]; {
		case c == '\\':
			i++
			switch c := raw[i]; c {
			case 'b':
				b = append(b, '\b')
			case 'f':
				b = append(b, '\f')
			case 'n':
				b = append(b, '\n')
			case 'r':
				b = append(b, '\r')
			case 't':
				b = append(b, '\t')
			case 'u':
				r := hexRune(raw[i+1:])
				i += 4
				if utf16.IsSurrogate(r) {
					low := rune(-1)
					if len(raw) > i+6 && raw[i+1] == '\\' && raw[i+2] == 'u' {
						low = hexRune(raw[i+3:])
					}
					if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
						i += 6
					}
				}
				b = utf8.AppendRune(b, r)
			default:
				b = append(b, c)
			}
			i++
		case c < utf8.RuneSelf:
			plain := i
			for i++; i < len(raw) && raw[i] != '\\' && raw[i] < utf8.RuneSelf; i++ {
			}
			b = append(b, raw[plain:i]...)
		default:
			r, size := utf8.DecodeRune(raw[i:])
			b = utf8.AppendRune(b, r)
			i += size
		}
	}
	return b
}

// hexRune returns the number that four hexadecimal digits write.
func hexRune(digits []byte) rune {
	var r rune
	for _, c := range digits[:4] {
		switch {
		case c >= 'a':
			c -= 'a' - 10
		case c >= 'A':
			c -= 'A' - 10
		default:
			c -= '0'
		}
		r = r<<4 | rune(c)
	}
	return r
}
