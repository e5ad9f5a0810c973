//go:build !purego

package prunejson

import "unsafe"

// memory is the document in its buffer, read without bounds checks. Two things make that safe, and everything in this
// package sees to them:
//
//   - the buffer has padding zero bytes behind the document;
//   - a position is never above the end of the document, because what moves it there is a byte that the document has.
//
// So whatever is read at a position, up to padding bytes, is in the buffer. Nothing else in this module is unsafe; the
// build tag purego leaves it out.
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

// move copies size bytes to the left. What is between the two ends, up to free, is not needed any more.
func (m memory) move(to, from Pos, size int, free Pos) {
	if free-(to+size) < padding {
		copy(unsafe.Slice((*byte)(unsafe.Add(m.first, to)), size), unsafe.Slice((*byte)(unsafe.Add(m.first, from)), size))
		return
	}
	// There is room for some bytes more, which saves asking how many there are: processors do not guess that well.
	for i := 0; i < size; i += 8 * 8 {
		there, here := (*[8]uint64)(unsafe.Add(m.first, to+i)), (*[8]uint64)(unsafe.Add(m.first, from+i))
		there[0] = here[0]
		there[1] = here[1]
		there[2] = here[2]
		there[3] = here[3]
		there[4] = here[4]
		there[5] = here[5]
		there[6] = here[6]
		there[7] = here[7]
	}
}

// window returns what the document says from p on.
func (m memory) window(p Pos) *Window { return (*Window)(unsafe.Add(m.first, p)) }

// shared says that values of a document share memory. What is below makes values of such memory. It is right because memory
// that a value points to is never written again: slabs only grow, and what has no room left is given up and not used again.
const shared = true

// textOf returns the bytes as a string.
func textOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// value is how Go lays out an any: what it is, and where. Of a string and a list, where is the address of the header.
type value struct {
	what, where unsafe.Pointer
}

// textAt returns the string at s as a value, without a copy of its header.
func textAt(s *string) any {
	v := any("")
	(*value)(unsafe.Pointer(&v)).where = unsafe.Pointer(s)
	return v
}

// listAt is textAt for a list.
func listAt(l *[]any) any {
	v := any([]any(nil))
	(*value)(unsafe.Pointer(&v)).where = unsafe.Pointer(l)
	return v
}
