package manifest

import (
	"io"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// splitter splits a stream of JSON into values, without a look at what is in them.
type splitter struct {
	r     io.Reader
	limit int // how long a value can be

	buf      []byte
	pos, end int   // what is read and not yet taken is buf[pos:end]
	offset   int64 // of buf[0] in the stream
	ended    bool
}

// position returns the offset of the next byte in the stream.
func (s *splitter) position() int64 { return s.offset + int64(s.pos) }

// fill reads more. It reports whether there is more.
func (s *splitter) fill() (bool, error) {
	if s.ended {
		return false, nil
	}
	if s.end == len(s.buf) {
		if s.pos > 0 {
			copy(s.buf, s.buf[s.pos:s.end])
			s.offset += int64(s.pos)
			s.end -= s.pos
			s.pos = 0
		}
		if s.end == len(s.buf) {
			const first = 1 << 16
			grown := make([]byte, max(first, min(2*len(s.buf), s.limit+first)))
			copy(grown, s.buf)
			s.buf = grown
		}
	}
	n, err := s.r.Read(s.buf[s.end:])
	s.end += n
	if err == io.EOF {
		s.ended = true
		return n > 0, nil
	}
	return true, err
}

// peek returns the next byte, 0 at the end of the stream.
func (s *splitter) peek() (byte, error) {
	for s.pos == s.end {
		if more, err := s.fill(); err != nil || !more {
			return 0, err
		}
	}
	return s.buf[s.pos], nil
}

// next takes the next byte, which was looked at.
func (s *splitter) next() byte {
	c := s.buf[s.pos]
	s.pos++
	return c
}

// value takes the next value. It is valid until something else is read. If the value is too large, nothing is taken.
func (s *splitter) value() ([]byte, error) {
	var v valueEnd
	for n := 0; ; {
		n += v.scan(s.buf[s.pos+n : s.end])
		if n > s.limit {
			return nil, &prunert.ObjectSizeError{Offset: s.position(), Limit: s.limit}
		}
		if v.done {
			value := s.buf[s.pos : s.pos+n]
			s.pos += n
			return value, s.notEmpty(value)
		}
		more, err := s.fill()
		if err != nil {
			return nil, err
		}
		if !more {
			if !v.isScalar {
				return nil, &prunert.SyntaxError{Offset: s.offset + int64(s.end), Message: "unexpected end of JSON input"}
			}
			value := s.buf[s.pos : s.pos+n]
			s.pos += n
			return value, s.notEmpty(value)
		}
	}
}

func (s *splitter) notEmpty(value []byte) error {
	if len(value) == 0 {
		return &prunert.SyntaxError{Offset: s.position(), Message: "want a value"}
	}
	return nil
}

// valueEnd looks for the end of a value.
type valueEnd struct {
	depth             int
	inString, escaped bool
	isScalar          bool // neither a string nor a list nor an object
	done              bool
}

// scan goes on with the next bytes, and returns how many of them are a part of the value.
func (v *valueEnd) scan(text []byte) int {
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case v.inString:
			switch {
			case v.escaped:
				v.escaped = false
			case c == '\\':
				v.escaped = true
			case c == '"':
				v.inString = false
				if v.depth == 0 {
					v.done = true
					return i + 1
				}
			}
		case c == '"':
			if v.isScalar {
				v.done = true
				return i
			}
			v.inString = true
		case c == '{' || c == '[':
			if v.isScalar {
				v.done = true
				return i
			}
			v.depth++
		case c == '}' || c == ']':
			if v.depth == 0 {
				v.done = true
				return i
			}
			if v.depth--; v.depth == 0 {
				v.done = true
				return i + 1
			}
		case v.depth > 0:
		case isBlank(c) || c == ',' || c == ':':
			v.done = true
			return i
		default:
			v.isScalar = true
		}
	}
	return len(text)
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// identify returns what an object says that it is, and where its list of items begins and ends; both are 0 where it has none.
func identify(src []byte, offset int64) (is identity, items [2]int, err error) {
	if src[0] != '{' {
		return is, items, &prunert.SyntaxError{Offset: offset, Message: "want the { of an object"}
	}
	fail := func(at int, wanted string) error {
		return &prunert.SyntaxError{Offset: offset + int64(at), Message: "want " + wanted}
	}
	at := skipBlanks(src, 1)
	for first := true; src[at] != '}'; first = false {
		if !first {
			if src[at] != ',' {
				return is, items, fail(at, "a comma or the } of an object")
			}
			at = skipBlanks(src, at+1)
		}
		if src[at] != '"' {
			return is, items, fail(at, "the quoted key of a member")
		}
		begin := at
		at += valueLen(src[at:])
		key := src[begin:at]
		if at = skipBlanks(src, at); src[at] != ':' {
			return is, items, fail(at, "a colon after the key")
		}
		begin = skipBlanks(src, at+1)
		n := valueLen(src[begin:])
		if n == 0 {
			return is, items, fail(begin, "a value")
		}
		at = begin + n
		switch value := src[begin:at]; textOf(key) {
		case "apiVersion":
			is.apiVersion = textOf(value)
		case "kind":
			is.kind = textOf(value)
		case "items":
			if items = [2]int{}; value[0] == '[' {
				items = [2]int{begin, at}
			}
		}
		at = skipBlanks(src, at)
	}
	return is, items, nil
}

// skipBlanks returns the index of the first byte from at on that is not blank. In an object that is complete there always is one.
func skipBlanks(src []byte, at int) int {
	for at < len(src)-1 && isBlank(src[at]) {
		at++
	}
	return min(at, len(src)-1)
}

// valueLen returns the length of the value that text begins with.
func valueLen(text []byte) int {
	var v valueEnd
	return v.scan(text)
}

// eachElement calls visit with the beginning and the end of each element of a list, which is at an offset in the stream.
func eachElement(src []byte, offset int64, visit func(begin, end int) error) error {
	for at := skipBlanks(src, 1); src[at] != ']'; {
		n := valueLen(src[at:])
		if n == 0 {
			return &prunert.SyntaxError{Offset: offset + int64(at), Message: "want a value"}
		}
		if err := visit(at, at+n); err != nil {
			return err
		}
		switch at = skipBlanks(src, at+n); src[at] {
		case ',':
			if at = skipBlanks(src, at+1); src[at] == ']' {
				return &prunert.SyntaxError{Offset: offset + int64(at), Message: "want a value"}
			}
		case ']':
		default:
			return &prunert.SyntaxError{Offset: offset + int64(at), Message: "want a comma or the ] of the list"}
		}
	}
	return nil
}
