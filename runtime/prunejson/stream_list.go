package prunejson

import (
	"bytes"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// largeList prunes a list that is too large to be in memory as a whole.
type largeList struct {
	*stream
	scan     Scanner
	tooLarge *prunert.ObjectSizeError // the error if it is not a list

	is                  Identity // by what has been read
	hasVersion, hasKind bool
	itemsAre            Identity // what items are that do not say it
	decided             bool     // that decided how an item is pruned
	firstDecided        int64
}

// largeList goes through a list that begins with head, which is as long as an object may be.
func (s *stream) largeList(head []byte, tooLarge *prunert.ObjectSizeError) error {
	l := largeList{stream: s, tooLarge: tooLarge}
	size, err := l.head(head)
	if err != nil {
		return err
	}
	l.itemsAre, _ = s.objects.List(l.is)
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

// load begins to scan the value that is next, which is this deep in the document.
func (l *largeList) load(value []byte, depth int) {
	l.scan = Scanner{depth: depth}
	l.scan.load(l.room(value), value)
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
		return 0, l.wrong(head, s.err)
	}
	return 0, l.tooLarge
}

// note records a member of the list whose value the scanner has at a position.
func (l *largeList) note(key []byte, value Pos) {
	switch string(key) {
	case "apiVersion":
		l.is.APIVersion, l.hasVersion = string(l.scan.stringAt(value)), true
	case "kind":
		l.is.Kind, l.hasKind = string(l.scan.stringAt(value)), true
	}
}

// isNoList reports whether what has been read is enough to say that this is not a list.
func (l *largeList) isNoList() bool {
	_, ok := l.objects.List(l.is)
	return !ok && l.hasKind && (l.hasVersion || l.is.Kind != "List")
}

// verdict returns an error if an item, now that everything has been read, should have been pruned differently.
func (l *largeList) verdict() error {
	switch items, ok := l.objects.List(l.is); {
	case !ok:
		return l.tooLarge
	case l.decided && items != l.itemsAre:
		return &prunert.LateKindError{Offset: l.firstDecided}
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
		if err := l.item(); err != nil {
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
func (l *largeList) item() error {
	item, err := l.in.value()
	if err != nil {
		return err
	}
	out, decided, err := l.objects.Item(l.room(item), item, l.itemsAre)
	if err != nil {
		return l.wrong(item, err)
	}
	if decided && !l.decided {
		l.decided, l.firstDecided = true, l.in.offset()
	}
	return l.put(len(item), out)
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
	l.scan.whole(l.scan.Keep(0), closes(false))
	look()
	out, err := l.scan.Result()
	if err != nil {
		return l.wrong(value, err)
	}
	return l.put(len(value), out)
}
