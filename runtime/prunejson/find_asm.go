//go:build (amd64 || arm64) && !purego

package prunejson

import "math/bits"

// find returns the position of the first stop from p on.
func (m memory) find(p Pos, stop stops) Pos {
	p, marks := m.findBlock(p, stop)
	return p + bits.TrailingZeros64(marks)
}

// findBlock goes from p on by 64 bytes until there is a stop among them. It returns their position and a bit for each of them,
// the first one lowest, which is set for stops. The zero after the document is a stop, so no block begins after the end of the
// document, and all are in the buffer with its padding.
func (m memory) findBlock(p Pos, stop stops) (at Pos, marks uint64) {
	offset, marks := findBlock(m.window(p), stop)
	return p + offset, marks
}

// findBlock is written with SSE2 on amd64 and with NEON on arm64, which every processor of the architecture has.
//
//go:noescape
func findBlock(from *Window, stop stops) (offset int, marks uint64)
