package prunejson

import (
	"bytes"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// largeList is the work on a list that is larger than a document may be in memory.
type largeList struct {
	*stream
	tooLarge *prunert.ObjectSizeError // says that it is, should it be no list

	is                  identity // by what has been read
	hasVersion, hasKind bool
	// all says that all items are pruned, and not only those that say that they are of the kind.
	all        bool
	others     bool // there are others
	firstOther int64
}

// largeList goes through a list that begins with head, which is as long as an object may be.
func (s *stream) largeList(head []byte, tooLarge *prunert.ObjectSizeError) error {
	l := largeList{stream: s, tooLarge: tooLarge}
	size, err := l.head(head)
	if err != nil {
		return err
	}
	l.all = s.kind.listOf(l.is) == ownList
	for _, step := range []func() error{
		func() error { return l.copy(size) },
		l.items,
		l.members,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return l.verdict()
}

// head looks for the items and returns where they begin.
func (l *largeList) head(head []byte) (size int, err error) {
	l.load(head, 0)
	s := &l.scan
	w, p, _ := s.Object(0)
	for w[0] == '"' {
		key, value := s.KeyText(p)
		if p = s.blanks(value); string(key) == "items" && s.at(p) == '[' {
			if l.isNoList() {
				return 0, l.tooLarge
			}
			return p, nil
		}
		p = s.Keep(p)
		l.note(key, value)
		w, p = s.Next(p)
	}
	if s.err != nil && s.err.Offset < int64(len(head)) {
		return 0, l.inStream(s.err)
	}
	return 0, l.tooLarge
}

// note takes notice of a member of the list, whose value the scanner has at a position.
func (l *largeList) note(key []byte, value Pos) {
	switch string(key) {
	case "apiVersion":
		l.is.apiVersion, l.hasVersion = bytes.Clone(l.scan.stringAt(value)), true
	case "kind":
		l.is.kind, l.hasKind = bytes.Clone(l.scan.stringAt(value)), true
	}
}

// isNoList reports whether what has been read is enough to say that this is not a list.
func (l *largeList) isNoList() bool {
	return l.kind.listOf(l.is) == noList && l.hasKind && (l.hasVersion || string(l.is.kind) != "List")
}

// verdict says, when everything has been read, whether items were treated as they should have been.
func (l *largeList) verdict() error {
	switch list := l.kind.listOf(l.is); {
	case list == noList:
		return l.tooLarge
	case l.others && l.all != (list == ownList):
		return &prunert.LateKindError{Offset: l.firstOther}
	}
	return nil
}

// items goes through the list of items.
func (l *largeList) items() error {
	if err := l.copy(1); err != nil {
		return err
	}
	if c, err := l.blanks(); err != nil {
		return err
	} else if c == ']' {
		return l.copy(1)
	}
	for {
		if _, err := l.blanks(); err != nil {
			return err
		}
		item, err := l.in.value()
		if err != nil {
			return err
		}
		if err := l.item(item); err != nil {
			return err
		}
		switch c, err := l.blanks(); {
		case err != nil:
			return err
		case c == ']':
			return l.copy(1)
		case c != ',':
			return l.fail(closes(true))
		}
		if err := l.copy(1); err != nil {
			return err
		}
	}
}

// item prunes the item that is next.
func (l *largeList) item(item []byte) error {
	l.load(item, 2)
	s := &l.scan
	prune := false
	if s.at(0) == '{' {
		prune = l.kind.matches(s.identity(0))
		if !prune && !l.others {
			l.others, l.firstOther = true, l.in.offset()
		}
		prune = prune || l.all
	}
	if prune {
		l.whole(l.kind.Scan(s, 0))
	} else {
		l.whole(s.Keep(0))
	}
	return l.result(len(item))
}

// whole makes sure that the value that is next ends at p.
func (l *largeList) whole(p Pos) {
	if p != l.scan.end {
		l.scan.fail(p, closes(l.scan.depth == 2))
	}
}

// members goes through the members after the items, up to the end of the list.
func (l *largeList) members() error {
	for {
		switch c, err := l.blanks(); {
		case err != nil:
			return err
		case c == '}':
			return l.copy(1)
		case c != ',':
			return l.fail(closes(false))
		}
		if err := l.copy(1); err != nil {
			return err
		}
		if err := l.member(); err != nil {
			return err
		}
	}
}

// member goes through the member that is next.
func (l *largeList) member() error {
	if c, err := l.blanks(); err != nil {
		return err
	} else if c != '"' {
		return l.fail("invalid character %s looking for the beginning of a key")
	}
	var key []byte
	if err := l.keep(func() { key = bytes.Clone(l.scan.stringAt(0)) }); err != nil {
		return err
	}
	if c, err := l.blanks(); err != nil {
		return err
	} else if c != ':' {
		return l.fail("invalid character %s after a key")
	}
	if err := l.copy(1); err != nil {
		return err
	}
	if c, err := l.blanks(); err != nil {
		return err
	} else if c == '[' && string(key) == "items" {
		return l.items()
	}
	return l.keep(func() { l.note(key, 0) })
}

// keep copies the value that is next. It calls look when it is in the scanner, at 0.
func (l *largeList) keep(look func()) error {
	value, err := l.in.value()
	if err != nil {
		return err
	}
	l.load(value, 1)
	l.whole(l.scan.Keep(0))
	look()
	return l.result(len(value))
}
