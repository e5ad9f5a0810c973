package structural

import (
	"strconv"

	"github.com/prune-gen/prune-gen/structural/text"
)

// Position is a place in a file. Line and Column count from 1; Line is 0 where only the file is known.
type Position struct {
	File   string
	Line   int
	Column int
}

// Locator finds places in a CRD. It keeps an index of large maps: there can be many findings below one.
type Locator struct {
	crd   *CRD
	index map[*text.Node]map[string]*text.Entry
}

// NewLocator returns a Locator for c.
func NewLocator(c *CRD) *Locator {
	return &Locator{crd: c, index: map[*text.Node]map[string]*text.Entry{}}
}

// Locate returns where p is written: the key of a field, the start of an element. Where p is not written at all, it is
// the nearest place above it that is.
func (l *Locator) Locate(p *Path) Position {
	if l.crd.Node == nil {
		return Position{File: l.crd.File}
	}
	_, at, _ := findNode(l.crd.Node, p, l.get, nil)
	return Position{File: l.crd.File, Line: at.Line, Column: at.Column}
}

// Find returns the node at p with its place, or the nearest one above it that exists: whole is false then.
func (l *Locator) Find(p *Path) (found *text.Node, at text.Pos, whole bool) {
	return findNode(l.crd.Node, p, l.get, nil)
}

// Finding turns an error into a finding about a version of the CRD, with its place in the file and a hint.
func (l *Locator) Finding(version string, severity Severity, e *Error) Finding {
	return l.Place(Finding{Rule: e.Rule, Version: version, Severity: severity, Message: e.Error(), Hint: HintFor(e)}, e.Path)
}

// Place fills in what f is about: the CRD and the place of p.
func (l *Locator) Place(f Finding, p *Path) Finding {
	at := l.Locate(p)
	f.File, f.Line, f.Column, f.CRD, f.Path = at.File, at.Line, at.Column, l.crd.Name, p.String()
	if l.crd.Name == "" && l.crd.Node != nil {
		f.CRD = NameIn(l.crd.Node)
	}
	return f
}

// get finds the key of a large map by an index: there can be many findings below one.
func (l *Locator) get(n *text.Node, key string) *text.Entry {
	const few = 32
	if len(n.Entries) < few {
		return n.Get(key)
	}
	byKey, ok := l.index[n]
	if !ok {
		byKey = make(map[string]*text.Entry, len(n.Entries))
		for i := len(n.Entries) - 1; i >= 0; i-- { // of duplicate keys the first counts, as elsewhere
			byKey[n.Entries[i].Key] = &n.Entries[i]
		}
		l.index[n] = byKey
	}
	return byKey[key]
}

// FindNode returns the node at p, below n, with its place, or the nearest one above it that exists: whole is false then.
//
// It also finds what ParsePath could not tell apart: a key with dots in it, and a key that is a number in brackets.
func FindNode(n *text.Node, p *Path) (found *text.Node, at text.Pos, whole bool) {
	return findNode(n, p, (*text.Node).Get, nil)
}

// FollowNode is FindNode that calls visit for each step on the way: with the key of a map, or with nil for an element of a list.
func FollowNode(n *text.Node, p *Path, visit func(key *string)) (found *text.Node, at text.Pos, whole bool) {
	return findNode(n, p, (*text.Node).Get, visit)
}

// findNode is FollowNode with a function that looks up a key. The function visit may be nil.
func findNode(n *text.Node, p *Path, get func(*text.Node, string) *text.Entry, visit func(key *string)) (found *text.Node, at text.Pos, whole bool) {
	at = n.Pos
	for steps := p.steps(); len(steps) > 0; {
		s := steps[0]
		if s.step == stepIndex && n.Kind == text.List {
			if s.index < 0 || s.index >= len(n.List) {
				return n, at, false
			}
			n, steps = n.List[s.index], steps[1:]
			at = n.Pos
			if visit != nil {
				visit(nil)
			}
			continue
		}
		e, taken := entry(n, steps, get)
		if e == nil {
			return n, at, false
		}
		n, at, steps = e.Value, e.Pos, steps[taken:]
		if visit != nil {
			visit(&e.Key)
		}
	}
	return n, at, true
}

// entry returns the entry of a map that the first steps lead to, and how many of them are its key: as few as possible, but more
// where fewer lead to a scalar, which nothing is below.
func entry(n *text.Node, steps []*Path, get func(*text.Node, string) *text.Entry) (found *text.Entry, taken int) {
	key := steps[0].name
	if steps[0].step == stepIndex {
		key = strconv.Itoa(steps[0].index)
	}
	longest := -1 // of the keys, once it is needed
	for i := 1; ; i++ {
		if e := get(n, key); e != nil {
			found, taken = e, i
			if e.Value.Kind == text.Map || e.Value.Kind == text.List {
				return found, taken
			}
		}
		if i == len(steps) || steps[i].step != stepField {
			return found, taken
		}
		if key += "." + steps[i].name; longest < 0 {
			for j := range n.Entries {
				longest = max(longest, len(n.Entries[j].Key))
			}
		}
		if len(key) > longest {
			return found, taken
		}
	}
}
