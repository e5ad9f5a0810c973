//go:build purego

package prunejson

import "encoding/binary"

// memory is the document in its buffer, with the padding after it.
type memory struct {
	buf []byte
}

func newMemory(buf []byte) memory { return memory{buf} }

// at returns the byte at p.
func (m memory) at(p Pos) byte { return m.buf[p] }

// word returns the eight bytes at p, the first of them lowest.
func (m memory) word(p Pos) uint64 { return binary.LittleEndian.Uint64(m.buf[p:]) }

// window returns what the document says from p on.
func (m memory) window(p Pos) *Window { return (*Window)(m.buf[p:]) }

// move copies size bytes to the left.
func (m memory) move(to, from Pos, size int, _ Pos) { copy(m.buf[to:], m.buf[from:from+size]) }

// shared says that values of a document share memory: here, each has its own.
const shared = false

func textOf(b []byte) string { return string(b) }
func textAt(s *string) any   { return *s }
