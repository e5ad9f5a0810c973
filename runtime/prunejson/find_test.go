package prunejson

import (
	"bytes"
	"testing"
)

// The ways to find stops: assembly and its Go twin. They are the same where there is no assembly.
var (
	finders = map[string]func(m memory, p Pos, stop stops) Pos{
		"find":        memory.find,
		"findByWords": memory.findByWords,
	}
	blockFinders = map[string]func(m memory, p Pos, stop stops) (Pos, uint64){
		"findBlock":        memory.findBlock,
		"findBlockByWords": memory.findBlockByWords,
	}
)

func isStop(c byte, stop stops) bool {
	return c == '"' || c == '\\' || c < ' ' || c > 0x7f && stop == endOfASCII
}

// findByBytes is find and findBlock, one byte at a time.
func findByBytes(buf []byte, p Pos, stop stops) (first, block Pos, marks uint64) {
	for first = p; !isStop(buf[first], stop); {
		first++
	}
	block = first - (first-p)%64
	for i := range 64 {
		if isStop(buf[block+i], stop) {
			marks |= 1 << i
		}
	}
	return first, block, marks
}

// padded returns a document in its buffer.
func padded(doc []byte) []byte { return append(bytes.Clone(doc), make([]byte, padding)...) }

// expectFound fails the test unless everything finds what findByBytes finds.
func expectFound(t *testing.T, buf []byte, p Pos) {
	t.Helper()
	for _, stop := range []stops{endOfText, endOfASCII} {
		first, block, marks := findByBytes(buf, p, stop)
		for name, find := range finders {
			if at := find(newMemory(buf), p, stop); at != first {
				t.Fatalf("%s(%d, %#x) in %q: %d, want %d", name, p, uint64(stop), buf, at, first)
			}
		}
		for name, find := range blockFinders {
			if at, found := find(newMemory(buf), p, stop); at != block || found != marks {
				t.Fatalf("%s(%d, %#x) in %q: %d, %#x, want %d, %#x", name, p, uint64(stop), buf, at, found, block, marks)
			}
		}
	}
}

// plainBytes returns bytes that do not end text, of all kinds or only ASCII.
func plainBytes(size int, ascii bool) []byte {
	b := make([]byte, size)
	for i, c := 0, byte(' '); i < size; c++ {
		if c != '"' && c != '\\' && c >= ' ' && !(ascii && c > 0x7f) {
			b[i] = c
			i++
		}
	}
	return b
}

// Texts of all lengths and alignments end with all kinds of stops, with and without other stops after them.
func TestFindStopsAtTheFirstStop(t *testing.T) {
	const longest = 200
	for _, ascii := range []bool{true, false} {
		for begin := range 16 { // a vector has 16 bytes
			plain := plainBytes(begin+longest+4, ascii)
			copy(plain, bytes.Repeat([]byte(`"`), begin)) // what is before the beginning does not matter
			buf := padded(plain)
			for at := begin; at <= begin+longest; at++ {
				for _, c := range []byte{'"', '\\', 0, '\n', 0x1f, 0x80, 0xff} {
					buf[at] = c
					expectFound(t, buf, begin)
					copy(buf[at+1:], "\"\\\n")
					expectFound(t, buf, begin)
					copy(buf[at:], plain[at:at+4])
				}
			}
		}
	}
}

// Whether find stops depends on the byte alone, wherever it is.
func TestFindKnowsEveryByte(t *testing.T) {
	for at := range 2 * 64 {
		buf := padded(bytes.Repeat([]byte("a"), 3*64))
		for c := range 256 {
			buf[at] = byte(c)
			expectFound(t, buf, 0)
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add([]byte(""), uint(0))
	f.Add(plainBytes(300, true), uint(7))
	f.Add(append(plainBytes(100, false), "\\\"\n\x80"...), uint(40))
	f.Fuzz(func(t *testing.T, doc []byte, p uint) {
		expectFound(t, padded(doc), int(p%uint(len(doc)+1)))
	})
}
