package yamltext

import (
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Finder finds nodes by their paths. It keeps an index of large maps: there can be many findings below one.
type Finder struct {
	root  *Node
	index map[*Node]map[string]*Entry
}

// NewFinder returns a Finder for what is below root.
func NewFinder(root *Node) *Finder {
	return &Finder{root: root}
}

// Find returns the node at p with its place, or the nearest one above it that exists: whole is false then.
func (f *Finder) Find(p prunert.Path) (found *Node, at Pos, whole bool) {
	return f.Follow(p, func(prunert.Step) {})
}

// Follow is Find that calls visit for each step on the way.
func (f *Finder) Follow(p prunert.Path, visit func(prunert.Step)) (found *Node, at Pos, whole bool) {
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
func (f *Finder) get(n *Node, key string) *Entry {
	const few = 32
	if len(n.Entries) < few {
		return n.Get(key)
	}
	if f.index == nil {
		f.index = map[*Node]map[string]*Entry{}
	}
	if f.index[n] == nil {
		f.index[n] = make(map[string]*Entry, len(n.Entries))
		for i := range n.Entries {
			f.index[n][n.Entries[i].Key] = &n.Entries[i]
		}
	}
	return f.index[n][key]
}
