package prunejson

import (
	"errors"
	"io"
	"slices"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Objects prunes the objects of a stream.
type Objects interface {
	// Document appends the pruned document src to dst. It is an object or a list that is in memory as a whole.
	Document(dst, src []byte) ([]byte, error)
	// List reports whether an object with this identity is a list of objects, and returns the identity of items that have none of their
	// own.
	List(is Identity) (items Identity, ok bool)
	// Item appends the pruned item src of a list that is not in memory. It reports whether items decided how.
	Item(dst, src []byte, items Identity) (out []byte, decided bool, err error)
	// Passed is called with the next part of the stream when that is done, or with the part before an error.
	Passed(text []byte)
}

// Identity is the apiVersion and kind that an object names: of duplicate keys the last one counts, and a value that is not a string is
// empty.
type Identity struct{ APIVersion, Kind string }

// PruneStream prunes the documents of a stream.
//
// It holds in memory the document, or the item of a large list, that is being read, and the pruned one. Pruned documents are written before
// the next read, which may block, or when there are enough of them.
func PruneStream(w io.Writer, r io.Reader, objects Objects) error {
	s := &stream{objects: objects, w: w}
	s.in = input{r: r, before: s.flush, limit: prunert.MaxStreamObject(r)}
	err := s.documents()
	if flushErr := s.flush(); err == nil {
		err = flushErr
	}
	return err
}

// stream is the work on a stream.
type stream struct {
	objects Objects
	in      input
	out     []byte // what is not written yet
	w       io.Writer
}

// writeSize is the size of the output from which on it is written in any case.
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
func (s *stream) copy(n int) error { return s.put(n, append(s.out, s.in.rest()[:n]...)) }

// put takes n bytes from the stream. The output is now out.
func (s *stream) put(n int, out []byte) error {
	s.out = out
	s.objects.Passed(s.in.take(n))
	if len(s.out) < writeSize {
		return nil
	}
	return s.flush()
}

// room makes room in the output for the value that is next.
func (s *stream) room(value []byte) []byte {
	s.out = slices.Grow(s.out, len(value)+padding)
	return s.out
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
			var out []byte
			if out, err = s.objects.Document(s.room(doc), doc); err == nil {
				err = s.put(len(doc), out)
			} else {
				err = s.wrong(doc, err)
			}
		case errors.As(err, &tooLarge):
			err = s.largeList(doc, tooLarge)
		}
		if err != nil {
			return err
		}
	}
}

// wrong converts an error about the next value to one about the stream. It calls Passed with the part before the error.
func (s *stream) wrong(value []byte, err error) error {
	var syntax *prunert.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	if size := len(value); syntax.Offset == int64(size) && size < len(s.in.rest()) { // a scalar, which ends too early
		syntax = newSyntaxError(s.in.rest(), size, "invalid character %s in a number or a literal")
	}
	s.objects.Passed(value[:min(int(syntax.Offset), len(value))])
	syntax.Offset += s.in.offset()
	return syntax
}

// fail returns an error about the next byte.
func (s *stream) fail(message string) error {
	err := newSyntaxError(s.in.rest(), 0, message)
	err.Offset += s.in.offset()
	return err
}
