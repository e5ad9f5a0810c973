//go:build (amd64 || arm64) && !purego

package prunejson

// find returns the position of the first stop from p on. It reads 64 bytes at a time. The zero after the document is a stop, so
// no 64 bytes begin after the end of the document, and all are in the buffer with its padding.
func (m memory) find(p Pos, stop stops) Pos { return p + find(m.window(p), stop) }

// find returns how many bytes come before the first stop. It uses SSE2 on amd64 and NEON on arm64, which every processor of
// the architecture has.
//
//go:noescape
func find(from *Window, stop stops) int
