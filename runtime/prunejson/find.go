package prunejson

import "math/bits"

// stops says where find stops. It has the bits that find flips in each byte before it compares them. A quote then follows the
// control characters, and one comparison finds both: those bytes are the smallest, alone or together with what is not ASCII.
type stops uint64

const (
	// endOfText stops at quotes, backslashes and control characters, which are below a space.
	endOfText stops = 0x02 * ones
	// endOfASCII also stops at what is not ASCII.
	endOfASCII stops = 0x82 * ones
)

// findByWords is find in Go. It is used where find is not written in assembly.
func (m memory) findByWords(p Pos, stop stops) Pos {
	high := uint64(stop) & highBits
	for {
		p = m.plainASCII(p)
		for range 4 {
			w := m.word(p)
			if x := special(w) | w&high; x != 0 {
				return p + bits.TrailingZeros64(x)/8
			}
			p += 8
		}
	}
}

// findBlockByWords is findBlock in Go. It is used where findBlock is not written in assembly.
func (m memory) findBlockByWords(p Pos, stop stops) (at Pos, marks uint64) {
	for ; ; p += 64 {
		for i := 0; i < 64; i += 8 {
			marks |= marksOf(m.word(p+i), stop) << i
		}
		if marks != 0 {
			return p, marks
		}
	}
}

// marksOf returns a bit for each byte in w, which is set for stops.
func marksOf(w uint64, stop stops) uint64 {
	const low = ^uint64(highBits)
	// Sums of seven bits do not carry into the next byte. Their highest bit is clear for stops.
	text := ((w^0x02*ones)&low + (0x7f-' ')*ones) & ((w^'\\'*ones)&low + low)
	x := (^text&^w | w&uint64(stop)) & highBits
	return x >> 7 * 0x0102040810204080 >> 56 // puts the highest bits of all bytes next to each other
}

// plainASCII returns the position of the next 32 bytes from p on of which one ends text or is not ASCII. Stopping at both takes
// fewer instructions than telling them apart.
func (m memory) plainASCII(p Pos) Pos {
	one, two, aboveSpace, backslash := each.one, each.two, each.aboveSpace, each.backslash // in registers
	for {
		a, b, c, d := m.word(p), m.word(p+8), m.word(p+16), m.word(p+24)
		suspects := ((a ^ two) - aboveSpace) | ((a ^ backslash) - one) | ((b ^ two) - aboveSpace) | ((b ^ backslash) - one) |
			((c ^ two) - aboveSpace) | ((c ^ backslash) - one) | ((d ^ two) - aboveSpace) | ((d ^ backslash) - one)
		if suspects&highBits != 0 {
			return p
		}
		p += 32
	}
}
