package prunejson

import (
	"errors"
	"io"
	"slices"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// PruneStream prunes the documents of a stream.
//
// What is in memory is the document, or the item of a large list, that is being read, and the pruned one. What is pruned is
// written before anything else is read, which may have to be waited for, or when there is enough of it.
func (k Kind) PruneStream(w io.Writer, r io.Reader) error {
	s := &stream{kind: k, w: w}
	s.in = input{r: r, before: s.flush, limit: prunert.MaxStreamObject()}
	err := s.documents()
	if flushErr := s.flush(); err == nil {
		err = flushErr
	}
	return err
}

// stream is the work on a stream.
type stream struct {
	kind Kind
	in   input
	scan Scanner
	out  []byte // what is not written yet
	w    io.Writer
}

// writeSize is how much there is to be before it is written in any case.
const writeSize = 64 << 10

// flush writes what is not written yet.
func (s *stream) flush() error {
	if len(s.out) == 0 {
		return nil
	}
	out := s.out
	s.out = out[:0]
	n, err := s.w.Write(out)
	if err == nil && n < len(out) {
		err = io.ErrShortWrite
	}
	return err
}

// flushSome is flush if there is enough to be written.
func (s *stream) flushSome() error {
	if len(s.out) < writeSize {
		return nil
	}
	return s.flush()
}

// blanks copies blanks and returns the byte after them, 0 at the end of the stream.
func (s *stream) blanks() (byte, error) {
	for {
		c, err := s.in.peek()
		if err != nil || !isBlank(c) {
			return c, err
		}
		rest := s.in.rest()
		rest = rest[:min(len(rest), writeSize)]
		n := 1
		for n < len(rest) && isBlank(rest[n]) {
			n++
		}
		if err := s.copy(n); err != nil {
			return 0, err
		}
	}
}

// copy copies the next n bytes, which have been read.
func (s *stream) copy(n int) error {
	s.out = append(s.out, s.in.take(n)...)
	return s.flushSome()
}

// documents prunes all documents.
func (s *stream) documents() error {
	for {
		c, err := s.blanks()
		switch {
		case err != nil:
			return err
		case c == '{':
		case len(s.in.rest()) == 0:
			return nil
		default:
			return s.fail("the document is not an object")
		}
		doc, err := s.in.value()
		switch tooLarge := (*prunert.ObjectSizeError)(nil); {
		case err == nil:
			err = s.document(doc)
		case errors.As(err, &tooLarge):
			err = s.largeList(doc, tooLarge)
		}
		if err != nil {
			return err
		}
	}
}

// document prunes the document that is next.
func (s *stream) document(doc []byte) error {
	s.load(doc, 0)
	k := s.kind
	sure := false
	if !s.scan.IsList(0, k.ListKind) {
		sure = s.scan.End(k.Scan(&s.scan, 0))
	}
	if !sure {
		s.load(doc, 0)
		s.scan.End(k.scan(&s.scan, 0))
	}
	return s.result(len(doc))
}

// load begins to scan the value that is next, which is this deep in the document.
func (s *stream) load(value []byte, depth int) {
	s.out = slices.Grow(s.out, len(value)+padding)
	s.scan = Scanner{depth: depth}
	s.scan.load(s.out, value)
}

// result takes the value that has been scanned from the stream, and puts to the output what is left of it.
func (s *stream) result(size int) error {
	out, err := s.scan.Result()
	switch {
	case err == nil:
	case s.scan.err.Offset == int64(size) && size < len(s.in.rest()): // a scalar, which ends too early
		return s.inStream(newSyntaxError(s.in.rest(), size, "invalid character %s in a number or a literal"))
	default:
		return s.inStream(s.scan.err)
	}
	s.out = out
	s.in.take(size)
	return s.flushSome()
}

// inStream makes an error about the value that is next one about the stream.
func (s *stream) inStream(err *prunert.SyntaxError) error {
	err.Offset += s.in.offset()
	return err
}

// fail returns an error about the next byte.
func (s *stream) fail(message string) error {
	return s.inStream(newSyntaxError(s.in.rest(), 0, message))
}
