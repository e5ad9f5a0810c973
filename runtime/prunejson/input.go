package prunejson

import (
	"encoding/binary"
	"io"
	"math/bits"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// input cuts a stream into values. It only looks for where they end: errors in a value are left to the caller.
type input struct {
	r      io.Reader
	before func() error // called before each read, which may take long
	limit  int          // how many bytes a value may have

	buf   []byte
	next  int   // how much of buf has been taken
	base  int64 // where in the stream buf begins
	err   error // of the last read
	empty int   // reads in a row that gave nothing
}

// How much is read at a time, and how many reads in a row may give nothing.
const (
	readSize      = 64 << 10
	maxEmptyReads = 100
)

// offset returns where in the stream the next byte is.
func (in *input) offset() int64 { return in.base + int64(in.next) }

// rest returns what has been read and not taken.
func (in *input) rest() []byte { return in.buf[in.next:] }

// take returns the next n bytes, which have been read. They are good until more is read.
func (in *input) take(n int) []byte {
	taken := in.buf[in.next : in.next+n]
	in.next += n
	return taken
}

// more reads until there are more than n bytes that are not taken. ok is false if the stream ends before that; the error is never io.EOF.
func (in *input) more(n int) (ok bool, err error) {
	for len(in.rest()) <= n {
		switch in.err {
		case nil:
		case io.EOF:
			return false, nil
		default:
			return false, in.err
		}
		if err := in.before(); err != nil {
			return false, err
		}
		in.read()
	}
	return true, nil
}

// read reads some more.
func (in *input) read() {
	// Taken bytes make room. Moving the rest there early, if it is small, stays in the part of a large buffer that is in the processor's
	// caches.
	if in.next > 0 && (in.next >= len(in.rest()) || cap(in.buf)-len(in.buf) < readSize) {
		in.base += int64(in.next)
		in.buf = in.buf[:copy(in.buf, in.rest())]
		in.next = 0
	}
	if cap(in.buf)-len(in.buf) < readSize {
		// No value needs more than the limit, and one byte to see that it ends there.
		size := max(len(in.buf)+readSize, min(2*cap(in.buf)-2*readSize, in.limit)+2*readSize) // a limit may be any number
		in.buf = append(make([]byte, 0, size), in.buf...)
	}
	n, err := in.r.Read(in.buf[len(in.buf) : len(in.buf)+readSize])
	in.buf = in.buf[:len(in.buf)+n]
	if in.empty++; n > 0 {
		in.empty = 0
	} else if in.empty > maxEmptyReads && err == nil {
		err = io.ErrNoProgress
	}
	in.err = err
}

// peek returns the next byte, 0 at the end of the stream.
func (in *input) peek() (byte, error) {
	if ok, err := in.more(0); !ok {
		return 0, err
	}
	return in.buf[in.next], nil
}

// value returns the value that begins at the next byte, without taking it. For an invalid value, it returns a part that is invalid as well.
// If the value is too large, it returns the beginning with an *prunert.ObjectSizeError.
func (in *input) value() ([]byte, error) {
	var c cutter
	for {
		known := in.rest()
		known = known[:min(len(known), in.limit)]
		if end, ok := c.end(known); ok {
			return known[:end], nil
		}
		more, err := in.more(len(known))
		switch {
		case err != nil:
			return nil, err
		case !more:
			return in.rest(), nil
		case len(known) < in.limit:
		case !c.isContainer && !c.inString && isBehindScalar(in.rest()[in.limit]):
			return in.rest()[:in.limit], nil
		default:
			return in.rest()[:in.limit], &prunert.ObjectSizeError{Offset: in.offset(), Limit: in.limit}
		}
	}
}

// cutter finds the end of a value that is read piece by piece.
type cutter struct {
	seen        int // how many bytes
	isContainer bool
	depth       int // how many brackets are open
	inString    bool
}

// end returns where the value at the beginning of b ends, and reports whether that is in b.
func (c *cutter) end(b []byte) (end int, ok bool) {
	if c.seen == 0 && len(b) > 0 {
		switch {
		case b[0] == '{' || b[0] == '[':
			c.isContainer, c.depth = true, 1
		case b[0] == '"':
			c.inString = true
		case isBehindScalar(b[0]):
			return 1, true // no value begins so
		}
		c.seen = 1
	}
	i := c.seen
	if !c.isContainer && !c.inString {
		for ; i < len(b); i++ {
			if isBehindScalar(b[i]) {
				return i, true
			}
		}
	}
	for ; i < len(b); i++ {
		if c.inString {
			if i = nextQuote(b, i); i >= len(b) {
				break
			}
			if c.inString = false; !c.isContainer {
				return i + 1, true
			}
			continue
		}
		switch b[i] {
		case '"':
			c.inString = true
		case '{', '[':
			c.depth++
		case '}', ']':
			if c.depth--; c.depth == 0 {
				return i + 1, true
			}
		}
	}
	c.seen = i
	return 0, false
}

// isBehindScalar reports whether c ends a number or a literal. Any other byte right after one is an error, also as a part of it.
func isBehindScalar(c byte) bool { return isBlank(c) || c == ',' || c == ':' || c == '}' || c == ']' }

// nextQuote returns where in b, which is in a string from i on, the string ends. Where it does not, the index is that of
// the first byte after b that may end it.
func nextQuote(b []byte, i int) int {
	for i < len(b) {
		if i+8 <= len(b) {
			m := special(binary.LittleEndian.Uint64(b[i:]))
			if m == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(m) / 8
		}
		switch b[i] {
		case '"':
			return i
		case '\\':
			i += 2
		default:
			i++
		}
	}
	return i
}
