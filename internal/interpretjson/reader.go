package interpretjson

import (
	"io"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// jsonReader cuts a stream into values, which it does not look into further than that takes.
type jsonReader struct {
	r     io.Reader
	limit int // how many bytes a value may have

	buf   []byte
	next  int   // what of buf has been taken
	base  int64 // where in the stream buf begins
	err   error // of the last read
	empty int   // reads in a row that gave nothing
}

// offset returns where in the stream the next byte is.
func (r *jsonReader) offset() int64 { return r.base + int64(r.next) }

// rest returns what has been read and not taken.
func (r *jsonReader) rest() []byte { return r.buf[r.next:] }

// ended reports whether everything has been read and taken.
func (r *jsonReader) ended() bool { return r.err == io.EOF && len(r.rest()) == 0 }

// peek returns the next byte, 0 at the end of the stream.
func (r *jsonReader) peek() (byte, error) {
	if ok, err := r.has(1); !ok {
		return 0, err
	}
	return r.buf[r.next], nil
}

// take returns the next n bytes, which have been read. They are good until more is read.
func (r *jsonReader) take(n int) []byte {
	taken := r.buf[r.next : r.next+n]
	r.next += n
	return taken
}

// has reports whether there are n bytes more, which it reads. The error is never io.EOF.
func (r *jsonReader) has(n int) (bool, error) {
	for len(r.rest()) < n {
		if r.err != nil {
			if r.err == io.EOF {
				return false, nil
			}
			return false, r.err
		}
		r.read()
	}
	return true, nil
}

// read reads some more.
func (r *jsonReader) read() {
	if r.next > 0 { // room is at the front
		r.base += int64(r.next)
		r.buf = r.buf[:copy(r.buf, r.rest())]
		r.next = 0
	}
	if len(r.buf) == cap(r.buf) {
		grown := make([]byte, len(r.buf), max(4096, min(2*cap(r.buf), cap(r.buf)+r.limit)))
		copy(grown, r.buf)
		r.buf = grown
	}
	n, err := r.r.Read(r.buf[len(r.buf):cap(r.buf)])
	r.buf = r.buf[:len(r.buf)+n]
	if r.empty++; n > 0 {
		r.empty = 0
	} else if r.empty > 100 && err == nil {
		err = io.ErrNoProgress
	}
	r.err = err
}

// value takes a value, which begins at the next byte. Of one that is wrong it takes a part that is wrong, too. Where the
// value is too large, it takes nothing, and returns the beginning with an *prunert.ObjectSizeError.
func (r *jsonReader) value() ([]byte, error) {
	depth, inString, escaped, word := 0, false, false, false
	for n := 0; ; n++ {
		more, err := r.has(n + 1)
		if err != nil {
			return nil, err
		}
		if !more {
			return r.take(n), nil
		}
		c := r.rest()[n]
		if n == 0 {
			word = c != '"' && c != '{' && c != '['
		}
		if word && (isBlank(c) || c == ',' || c == ':' || c == '}' || c == ']') {
			return r.take(max(n, 1)), nil // a number or a word ends before such a byte, and no value begins with one
		}
		if n == r.limit {
			return r.rest()[:n], &prunert.ObjectSizeError{Offset: r.offset(), Limit: r.limit}
		}
		switch {
		case word:
		case escaped:
			escaped = false
		case inString && c == '\\':
			escaped = true
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
		if !word && depth <= 0 && !inString && (c == '"' || c == '}' || c == ']') {
			return r.take(n + 1), nil
		}
	}
}
