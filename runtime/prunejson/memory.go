//go:build !purego

package prunejson

import "unsafe"

// memory is the document in its buffer, read without bounds checks. Two invariants make that safe, and everything in this package keeps
// them:
//
//   - the buffer has padding zero bytes after the document;
//   - a position is never above the end of the document, because what moves it there is a byte that the document has.
//
// So whatever is read at a position, up to padding bytes, is in the buffer. Only move writes. Nothing else in this module is
// unsafe, except for find, which is assembly on some machines; the build tag purego leaves out both.
type memory struct {
	first unsafe.Pointer
}

func newMemory(buf []byte) memory { return memory{unsafe.Pointer(unsafe.SliceData(buf))} }

// at returns the byte at p.
func (m memory) at(p Pos) byte { return *(*byte)(unsafe.Add(m.first, p)) }

// word returns the eight bytes at p, the first of them lowest.
func (m memory) word(p Pos) uint64 {
	b := (*[8]byte)(unsafe.Add(m.first, p))
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// put writes eight bytes at p.
func (m memory) put(p Pos, w uint64) {
	b := (*[8]byte)(unsafe.Add(m.first, p))
	b[0], b[1], b[2], b[3] = byte(w), byte(w>>8), byte(w>>16), byte(w>>24)
	b[4], b[5], b[6], b[7] = byte(w>>32), byte(w>>40), byte(w>>48), byte(w>>56)
}

// move copies size bytes to the left, from a position up to the end of the document at most. Bytes after the copy may be overwritten up to
// free. If there is room, it copies whole blocks of 64 bytes, even if the last one is too long: that saves a branch on the size, which
// processors do not predict well. What it then reads after the end is padding. For many bytes, copy is faster.
func (m memory) move(to, from Pos, size int, free Pos) {
	const many = 256
	if free-(to+size) < padding || size > many {
		copy(unsafe.Slice((*byte)(unsafe.Add(m.first, to)), size), unsafe.Slice((*byte)(unsafe.Add(m.first, from)), size))
		return
	}
	for i := 0; i < size; i += padding {
		m.put(to+i, m.word(from+i))
		m.put(to+i+8, m.word(from+i+8))
		m.put(to+i+16, m.word(from+i+16))
		m.put(to+i+24, m.word(from+i+24))
		m.put(to+i+32, m.word(from+i+32))
		m.put(to+i+40, m.word(from+i+40))
		m.put(to+i+48, m.word(from+i+48))
		m.put(to+i+56, m.word(from+i+56))
	}
}

// window returns what the document says from p on.
func (m memory) window(p Pos) *Window { return (*Window)(unsafe.Add(m.first, p)) }

// shared says that values of a document share memory. The functions below make values of such memory. This is safe because memory that a
// value points to is never written again: slabs only grow, and a full one is not used again.
const shared = true

// textOf returns the bytes as a string.
func textOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// value is how Go lays out an any: what it is, and where. Of a string, where is the address of the header.
type value struct {
	what, where unsafe.Pointer
}

// textAt returns the string at s as a value, without a copy of its header.
func textAt(s *string) any {
	v := any("")
	(*value)(unsafe.Pointer(&v)).where = unsafe.Pointer(s)
	return v
}
