package prunejson

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// Kind is what the runtime needs to know about a kind.
type Kind struct {
	APIVersion, Kind, ListKind string
	// Scan prunes the object at a position and returns the position after it.
	Scan func(*Scanner, Pos) Pos
	// Build decodes the object at a position, prunes it, puts it on the stack and returns the position after it.
	Build func(d *Decoder, key string, p Pos) Pos
}

// IsList reports whether the document, whose object is at p, may be a list of objects: one of listKind, or a List. It looks at
// the first kind that is spelled as usual. If a later kind in the document differs, End reports that it is not sure.
func (s *Scanner) IsList(p Pos, listKind string) bool {
	ahead := *s
	k, p, ok := ahead.Object(p)
	if !ok {
		return false
	}
	for k[0] == '"' {
		if string(k[:7]) == `"kind":` {
			return ahead.maySay(p+7, listKind, "List")
		}
		k, p = ahead.Next(ahead.Keep(ahead.behindKey(p)))
	}
	return false
}

// maySay reports whether the value at p is one of two strings, or a string that has to be decoded to see whether it is.
func (s *Scanner) maySay(p Pos, one, other string) bool {
	p = s.blanks(p)
	if s.at(p) != '"' {
		return false
	}
	end := s.text(p)
	if s.err != nil {
		return false
	}
	text := s.buf[p+1 : end-1]
	return string(text) == one || string(text) == other || !isPlain(text)
}

// KeepKind is Keep for the kind of a resource. In the document's own object it counts: once, and once more where IsList
// did not recognize the key.
func (s *Scanner) KeepKind(p Pos) Pos {
	if s.depth == 1 {
		s.kinds++
		if string(s.buf[max(p-7, 0):p]) != `"kind":` {
			s.kinds++
		}
	}
	return s.Keep(p)
}

// Prune prunes a document that may be a list.
func (k Kind) Prune(dst, src []byte) ([]byte, error) {
	var s Scanner
	s.End(k.scan(&s, s.Begin(dst, src)))
	return s.Result()
}

// scan prunes the document whose object is at p, which may be a list.
func (k Kind) scan(s *Scanner, p Pos) Pos {
	items, ok := k.listOf(s.identity(p))
	if !ok {
		return k.Scan(s, p)
	}
	w, p, _ := s.Object(p)
	for w[0] == '"' {
		key, value := s.KeyText(p)
		if string(key) == "items" {
			p = k.scanItems(s, value, items)
		} else {
			p = s.Keep(value)
		}
		w, p = s.Next(p)
	}
	return s.Close(p)
}

// scanItems prunes the items of a list, whose value is at p.
func (k Kind) scanItems(s *Scanner, p Pos, items Identity) Pos {
	p, more, ok := s.List(p)
	if !ok {
		return s.Keep(p)
	}
	for more {
		if s.IsAt(p, '{') && k.prunes(s, p, items) {
			p = k.Scan(s, p)
		} else {
			p = s.Keep(p)
		}
		p, more = s.Element(p)
	}
	return p
}

// listOf reports whether a document with this identity is a list, and returns the identity of all its items: that of the kind in a list of
// the kind, and none in a List.
func (k Kind) listOf(is identity) (items Identity, ok bool) {
	switch {
	case string(is.kind) == k.ListKind && k.ListKind != k.Kind:
		return Identity{k.APIVersion, k.Kind}, true
	case string(is.kind) == "List" && string(is.apiVersion) == "v1":
		return Identity{}, true
	}
	return Identity{}, false
}

// prunes reports whether the item at p is pruned.
func (k Kind) prunes(s *Scanner, p Pos, items Identity) bool {
	return items != Identity{} || k.matches(s.identity(p))
}

// matches reports whether an object with this identity is of the kind.
func (k Kind) matches(is identity) bool {
	return string(is.kind) == k.Kind && string(is.apiVersion) == k.APIVersion
}

// PruneStream prunes the documents of a stream, which are objects of the kind or lists.
func (k Kind) PruneStream(w io.Writer, r io.Reader) error { return PruneStream(w, r, &ofKind{Kind: k}) }

// ofKind prunes the objects of a stream by their kind.
type ofKind struct {
	Kind
	scanner Scanner // reused
}

func (k *ofKind) Document(dst, src []byte) ([]byte, error) {
	s := &k.scanner
	*s = Scanner{}
	p := s.Begin(dst, src)
	if !s.IsList(p, k.ListKind) && s.End(k.Scan(s, p)) {
		return s.Result()
	}
	*s = Scanner{}
	s.End(k.scan(s, s.Begin(dst, src)))
	return s.Result()
}

func (k *ofKind) List(is Identity) (items Identity, ok bool) {
	return k.listOf(identity{apiVersion: []byte(is.APIVersion), kind: []byte(is.Kind)})
}

func (k *ofKind) Item(dst, src []byte, items Identity) (out []byte, decided bool, err error) {
	s := &k.scanner
	*s = Scanner{depth: 2}
	s.load(dst, src)
	isObject := s.at(0) == '{'
	matches := isObject && k.matches(s.identity(0))
	scan := (*Scanner).Keep
	if matches || isObject && items != (Identity{}) {
		scan = k.Scan
	}
	s.whole(scan(s, 0), closes(true))
	out, err = s.Result()
	return out, isObject && !matches, err
}

func (k *ofKind) Passed([]byte) {}

// identity is Identity without copies. It is good until something is dropped.
type identity struct {
	apiVersion, kind []byte
	items            Pos // of the list of items, or of null; 0 for none
}

// identity returns the apiVersion and kind that the object at p names.
func (s *Scanner) identity(p Pos) identity {
	ahead := *s
	is, _ := ahead.identify(p)
	return is
}

// identify is identity, and goes to the end of the object.
func (s *Scanner) identify(p Pos) (is identity, end Pos) {
	w, p, ok := s.Object(p)
	for ok && w[0] == '"' {
		key, value := s.KeyText(p)
		p = s.Keep(value)
		switch string(key) {
		case "apiVersion":
			is.apiVersion = s.stringAt(value)
		case "kind":
			is.kind = s.stringAt(value)
		case "items":
			if is.items = s.blanks(value); s.at(is.items) != '[' && s.at(is.items) != 'n' {
				is.items = 0
			}
		}
		w, p = s.Next(p)
	}
	return is, s.Close(p)
}

// Object is an object that may be a list.
type Object struct {
	Identity
	HasItems bool // a list of them, or null
	scan     Scanner
	items    Pos
}

// Read reads an object.
func (o *Object) Read(src []byte) error {
	is, end := o.scan.identify(o.scan.Begin(nil, src))
	o.scan.End(end)
	o.Identity = Identity{string(is.apiVersion), string(is.kind)}
	o.HasItems, o.items = is.items > 0, is.items
	_, err := o.scan.Result()
	return err
}

// Items calls yield with where each item begins and ends.
func (o *Object) Items(yield func(begin, end Pos) bool) {
	s := &o.scan
	p, more, _ := s.List(o.items)
	for more {
		begin := s.blanks(p)
		end := s.Keep(begin)
		if !yield(begin, end) {
			return
		}
		p, more = s.Element(end)
	}
}

// KeyText returns the key at p, decoded, and the position of its value.
func (s *Scanner) KeyText(p Pos) (key []byte, value Pos) {
	if value = s.behindKey(p); s.err != nil {
		return nil, value
	}
	raw := s.buf[p+1 : value]
	return decoded(raw[:bytes.LastIndexByte(raw, '"')]), value
}

// stringAt returns the string at p, decoded, and nil where there is another value.
func (s *Scanner) stringAt(p Pos) []byte {
	if p = s.blanks(p); s.at(p) != '"' {
		return nil
	}
	end := s.text(p)
	if s.err != nil {
		return nil
	}
	return decoded(s.buf[p+1 : end-1])
}

// decoded returns what a decoder makes of the inside of a string.
func decoded(raw []byte) []byte {
	if isPlain(raw) {
		return raw
	}
	return appendText(nil, raw)
}

// isPlain reports whether a decoder leaves the inside of a string as it is, as far as that can be seen at a glance.
func isPlain(raw []byte) bool {
	for _, c := range raw {
		if c == '\\' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
