package interpretjson

import (
	"bufio"
	"errors"
	"io"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// stream prunes the documents of a stream.
func (p *jsonPruner) stream(to io.Writer, from io.Reader) error {
	s := jsonStream{jsonPruner: p, from: jsonReader{r: from, limit: prunert.MaxStreamObject()}, to: bufio.NewWriter(to)}
	err := s.documents()
	if failed := s.to.Flush(); err == nil {
		err = failed
	}
	return err
}

// jsonStream is the work on a stream. A write that fails makes all later ones fail, too.
type jsonStream struct {
	*jsonPruner
	from jsonReader
	to   *bufio.Writer
}

func (s *jsonStream) documents() error {
	for {
		c, err := s.blanks()
		if err != nil || c == 0 && s.from.ended() {
			return err
		}
		offset := s.from.offset()
		doc, err := s.from.value()
		switch tooLarge := (*prunert.ObjectSizeError)(nil); {
		case errors.As(err, &tooLarge):
			err = s.largeList(doc, tooLarge)
		case err == nil:
			err = s.document(doc, offset)
		}
		if err != nil {
			return err
		}
		if err := s.to.Flush(); err != nil {
			return err
		}
	}
}

// document prunes a document that is read.
func (s *jsonStream) document(doc []byte, offset int64) error {
	out, err := s.prune(nil, doc)
	if wrong := (*prunert.SyntaxError)(nil); errors.As(err, &wrong) {
		return &prunert.SyntaxError{Offset: wrong.Offset + offset, Message: wrong.Message}
	}
	s.to.Write(out)
	return err
}

// blanks copies blanks and returns the byte after them, 0 at the end of the stream.
func (s *jsonStream) blanks() (byte, error) {
	for {
		c, err := s.from.peek()
		if err != nil || !isBlank(c) {
			return c, err
		}
		s.copy(1)
	}
}

// copy copies the next n bytes, which have been looked at.
func (s *jsonStream) copy(n int) { s.to.Write(s.from.take(n)) }

// errItems says that the list of items begins.
var errItems = errors.New("items begin")

// largeList goes through a list that is too large to be held in memory. head is its beginning, as long as that may be.
func (s *jsonStream) largeList(head []byte, tooLarge error) error {
	l := largeList{jsonStream: s, tooLarge: tooLarge}
	t := jsonText{src: head, base: s.from.offset()}
	if t.peek() != '{' {
		return t.fail("the { of an object")
	}
	err := t.object(func(member jsonMember) error {
		if member.key == "items" && t.peek() == '[' {
			return errItems
		}
		begin := t.pos
		if err := t.skip(); err != nil {
			return err
		}
		l.note(member.key, head[begin:t.pos])
		return nil
	})
	switch wrong := (*prunert.SyntaxError)(nil); {
	case errors.As(err, &wrong) && t.pos == len(head):
		return tooLarge // it is the head that ends there
	case err != nil && err != errItems:
		return err
	case err == nil || l.isNoList():
		return tooLarge
	}
	l.all = s.listOf(l.is) == ownList
	s.copy(t.pos)
	if err := l.items(); err != nil {
		return err
	}
	if err := l.members(); err != nil {
		return err
	}
	return l.verdict()
}

// largeList is the work on a list that is not held in memory.
type largeList struct {
	*jsonStream
	tooLarge error // says that it would be, were it no list

	is                  jsonIdentity // by the members that have been read
	hasVersion, hasKind bool
	all                 bool  // prune all items, not only those of the kind
	others              bool  // there are items that do not say that they are of the kind
	firstOther          int64 // the offset of the first of them
}

// note takes notice of a member of the list.
func (l *largeList) note(key string, value []byte) {
	l.is.note(key, value)
	l.hasVersion = l.hasVersion || key == "apiVersion"
	l.hasKind = l.hasKind || key == "kind"
}

// isNoList reports whether what has been read rules out a list.
func (l *largeList) isNoList() bool {
	if l.listOf(l.is) != noList {
		return false
	}
	return l.hasKind && (l.is.kind != "List" || l.hasVersion)
}

// verdict says, when everything has been read, whether items were treated as they should have been.
func (l *largeList) verdict() error {
	switch list := l.listOf(l.is); {
	case list == noList:
		return l.tooLarge
	case l.others && l.all != (list == ownList):
		return &prunert.LateKindError{Offset: l.firstOther}
	}
	return nil
}

// items goes through the elements of items.
func (l *largeList) items() error {
	l.copy(1)
	c, err := l.blanks()
	if err != nil {
		return err
	}
	if c == ']' {
		l.copy(1)
		return nil
	}
	for {
		if _, err := l.blanks(); err != nil {
			return err
		}
		offset := l.from.offset()
		item, err := l.from.value()
		if err != nil {
			return err
		}
		if err := l.item(item, offset); err != nil {
			return err
		}
		switch c, err := l.blanks(); {
		case err != nil:
			return err
		case c == ',':
			l.copy(1)
		case c == ']':
			l.copy(1)
			return nil
		default:
			return l.fail("a comma or the ] of the list")
		}
	}
}

// item prunes an element that is read.
func (l *largeList) item(item []byte, offset int64) error {
	w := jsonWalk{jsonPruner: l.jsonPruner, jsonText: jsonText{src: item, base: offset, depth: 2}}
	if err := w.skip(); err != nil {
		return err
	}
	if err := w.end(); err != nil {
		return err
	}
	w.jsonText.pos = 0
	_, err := w.item(func(is jsonIdentity) bool {
		if l.matches(is) {
			return true
		}
		if !l.others {
			l.others, l.firstOther = true, offset
		}
		return l.all
	}, nil)
	if err != nil {
		return err
	}
	w.cut(len(item), len(item))
	_, err = l.to.Write(w.out)
	return err
}

// members goes through the members after items, up to the end of the list.
func (l *largeList) members() error {
	for {
		switch c, err := l.blanks(); {
		case err != nil:
			return err
		case c == '}':
			l.copy(1)
			return nil
		case c != ',':
			return l.fail("a comma or the } of the object")
		}
		l.copy(1)
		if err := l.member(); err != nil {
			return err
		}
	}
}

func (l *largeList) member() error {
	if c, err := l.blanks(); err != nil {
		return err
	} else if c != '"' {
		return l.fail("the quoted key of a member")
	}
	name, err := l.whole()
	if err != nil {
		return err
	}
	key := unquote(name)
	if c, err := l.blanks(); err != nil {
		return err
	} else if c != ':' {
		return l.fail("a colon after the key")
	}
	l.copy(1)
	if c, err := l.blanks(); err != nil {
		return err
	} else if c == '[' && key == "items" {
		return l.items()
	}
	value, err := l.whole()
	if err == nil {
		l.note(key, value)
	}
	return err
}

// whole copies a value as it is, and returns it until something else is read.
func (l *largeList) whole() ([]byte, error) {
	offset := l.from.offset()
	value, err := l.from.value()
	if err != nil {
		return nil, err
	}
	t := jsonText{src: value, base: offset, depth: 1}
	if err := t.skip(); err != nil {
		return nil, err
	}
	if err := t.end(); err != nil {
		return nil, err
	}
	l.to.Write(value)
	return value, nil
}

// fail returns an error about the next byte of the stream.
func (l *largeList) fail(wanted string) error {
	t := jsonText{src: l.from.rest(), base: l.from.offset()}
	return t.fail(wanted)
}
