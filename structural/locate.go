package structural

import (
	"github.com/prune-gen/prune-gen/internal/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Position is a place in a file. Line and Column count from 1; Line is 0 where only the file is known.
type Position struct {
	File   string
	Line   int
	Column int
}

// Locate returns where p is written: the key of a field, the start of an element. Where p is not written at all, it is
// the nearest place above it that is.
func (c *CRD) Locate(p *Path) Position {
	if c.Node == nil {
		return Position{File: c.File}
	}
	_, at, _ := c.Find(p)
	return Position{File: c.File, Line: at.Line, Column: at.Column}
}

// Find returns the node at p with its place, or the nearest one above it that exists: whole is false then. c was read from a text.
func (c *CRD) Find(p *Path) (found *yamltext.Node, at yamltext.Pos, whole bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.places == nil {
		c.places = NewFinder(c.Node)
	}
	return c.places.Find(p.Steps())
}

// Finding turns an error into a finding about a version of c, with its place in the file and a hint.
func (c *CRD) Finding(version string, severity Severity, e *Error) Finding {
	return c.Place(Finding{Rule: e.Rule, Version: version, Severity: severity, Message: e.Error(), Hint: hintFor(e)}, e.Path)
}

// Place fills in what f is about: the CRD and the place of p.
func (c *CRD) Place(f Finding, p *Path) Finding {
	at := c.Locate(p)
	f.File, f.Line, f.Column, f.CRD, f.Path = at.File, at.Line, at.Column, c.Name, p.String()
	if c.Name == "" && c.Node != nil {
		f.CRD = NameIn(c.Node)
	}
	return f
}

// EachFlaw calls visit for the flaws of the maps below n in a document, with the paths of their keys. An alias is not followed a second time.
func EachFlaw(doc *yamltext.Document, n *yamltext.Node, visit func(yamltext.Flaw, *Path)) {
	if len(doc.Flaws) == 0 {
		return
	}
	seen := map[*yamltext.Node]bool{}
	var walk func(*yamltext.Node, *Path)
	walk = func(n *yamltext.Node, at *Path) {
		if n == nil || seen[n] {
			return
		}
		seen[n] = true
		for _, f := range doc.Flaws[n] {
			visit(f, at.Child(f.Key))
			walk(f.Value, at.Child(f.Key))
		}
		for i := range n.Entries {
			walk(n.Entries[i].Value, at.Child(n.Entries[i].Key))
		}
		for i, e := range n.List {
			walk(e, at.Index(i))
		}
	}
	walk(n, nil)
}

// Finder finds nodes by their paths. It keeps an index of large maps: there can be many findings below one.
type Finder struct {
	root  *yamltext.Node
	index map[*yamltext.Node]map[string]*yamltext.Entry
}

// NewFinder returns a Finder for what is below root.
func NewFinder(root *yamltext.Node) *Finder {
	return &Finder{root: root, index: map[*yamltext.Node]map[string]*yamltext.Entry{}}
}

// Find returns the node at p with its place, or the nearest one above it that exists: whole is false then.
func (f *Finder) Find(p prunert.Path) (found *yamltext.Node, at yamltext.Pos, whole bool) {
	return f.Follow(p, func(prunert.Step) {})
}

// Follow is Find that calls visit for each step on the way.
func (f *Finder) Follow(p prunert.Path, visit func(prunert.Step)) (found *yamltext.Node, at yamltext.Pos, whole bool) {
	n := f.root
	at = n.Pos
	for _, s := range p {
		if s.Index >= 0 {
			if s.Index >= len(n.List) {
				return n, at, false
			}
			n = n.List[s.Index]
			at = n.Pos
		} else {
			e := f.get(n, s.Name)
			if e == nil {
				return n, at, false
			}
			n, at = e.Value, e.Pos
		}
		visit(s)
	}
	return n, at, true
}

// get returns the entry of a map for a key.
func (f *Finder) get(n *yamltext.Node, key string) *yamltext.Entry {
	const few = 32
	if len(n.Entries) < few {
		return n.Get(key)
	}
	if f.index[n] == nil {
		f.index[n] = make(map[string]*yamltext.Entry, len(n.Entries))
		for i := range n.Entries {
			f.index[n][n.Entries[i].Key] = &n.Entries[i]
		}
	}
	return f.index[n][key]
}
