package interpretjson

import (
	"github.com/prune-gen/prune-gen/structural"
)

// jsonIdentity is what an object says that it is: its last apiVersion and kind, empty unless they are strings.
type jsonIdentity struct{ apiVersion, kind string }

// note takes notice of a member, whose value text holds.
func (is *jsonIdentity) note(key string, value []byte) {
	var s string
	if value[0] == '"' {
		s = unquote(value)
	}
	switch key {
	case "apiVersion":
		is.apiVersion = s
	case "kind":
		is.kind = s
	}
}

// jsonList says what kind of list a document is.
type jsonList uint8

const (
	noList  jsonList = iota // it is an object of the kind
	ownList                 // a list of the kind
	anyList                 // a list of anything: kind List of version v1
)

// listOf says what a document is that says it is this.
func (p *jsonPruner) listOf(is jsonIdentity) jsonList {
	switch {
	case is.kind == p.listKind && p.listKind != p.kind:
		return ownList
	case is == jsonIdentity{"v1", "List"}:
		return anyList
	}
	return noList
}

// matches reports whether something that says it is this is of the kind.
func (p *jsonPruner) matches(is jsonIdentity) bool {
	return is == jsonIdentity{p.apiVersion, p.kind}
}

// survey reads the whole document and says what it is.
func (w *jsonWalk) survey() (jsonIdentity, error) {
	if w.blanks(); w.peek() != '{' {
		return jsonIdentity{}, w.fail("the { of an object")
	}
	is, err := w.identity(nil)
	if err != nil {
		return jsonIdentity{}, err
	}
	return is, w.end()
}

// identity reads an object and returns what it says that it is. The duplicate keys in it are reported.
func (w *jsonWalk) identity(at *structural.Path) (is jsonIdentity, err error) {
	seen := map[string]bool{}
	err = w.object(func(member jsonMember) error {
		begin := w.pos
		if err := w.member(seen, member.key, at); err != nil {
			return err
		}
		is.note(member.key, w.src[begin:w.pos])
		return nil
	})
	return is, err
}

// member reads the value of a member of the object at a path. It reports the key where the object has it already, and the
// duplicate keys below it.
func (w *jsonWalk) member(seen map[string]bool, key string, at *structural.Path) error {
	if w.report == nil {
		return w.skip()
	}
	at = at.Child(key)
	if seen[key] {
		w.report.twice(at)
	}
	seen[key] = true
	return w.duplicates(at)
}

// duplicates reads a value and reports the duplicate keys in it.
func (w *jsonWalk) duplicates(at *structural.Path) error {
	switch w.peek() {
	case '{':
		seen := map[string]bool{}
		return w.object(func(member jsonMember) error { return w.member(seen, member.key, at) })
	case '[':
		return w.list(func(i int) error { return w.duplicates(at.Index(i)) })
	}
	return w.scalar()
}

// walkItemsOf reads a document that is a list and prunes those of its items that are chosen by what they say they are.
func (w *jsonWalk) walkItemsOf(chosen func(jsonIdentity) bool) (any, error) {
	m := map[string]any{}
	err := w.object(func(member jsonMember) (err error) {
		var v any
		if member.key == "items" && w.peek() == '[' {
			v, err = w.items(chosen)
		} else {
			v, err = w.keep()
		}
		m[member.key] = v
		return err
	})
	return m, err
}

func (w *jsonWalk) items(chosen func(jsonIdentity) bool) (any, error) {
	l := []any{}
	at := structural.NewPath("items")
	err := w.list(func(i int) error {
		v, err := w.item(chosen, at.Index(i))
		l = append(l, v)
		return err
	})
	return l, err
}

// item reads an element of items.
func (w *jsonWalk) item(chosen func(jsonIdentity) bool, at *structural.Path) (any, error) {
	if w.peek() != '{' {
		return w.keep()
	}
	ahead := jsonWalk{jsonText: w.jsonText}
	if is, err := ahead.identity(nil); err != nil {
		return nil, err
	} else if !chosen(is) {
		return w.keep()
	}
	return w.walkValue(w.resource(at))
}
