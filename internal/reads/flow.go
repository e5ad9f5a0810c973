package reads

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A label says what a value may be, or hold: the place of an object that a cache holds (f); memory of the program for an object, which
// may be filled from a cache (memory); a value of a type of the program in an interface (boxed); a function of the program (code); or a
// function or an interface that comes from code which is not followed (foreign).
type label struct {
	f      *field
	memory *node
	boxed  types.Type
	code   *ssa.Function
	outer  int
}

// unknown is like foreign, for values from code that knows no objects, and handed, for what such code calls methods with by reflection.
var foreign, unknown, handed = &label{outer: 1}, &label{outer: 2}, &label{outer: 3}

func (l *label) isForeign() bool { return l.outer > 0 }

// A fact is that a value may have a label. from is the fact that it follows from, at the instruction where.
type fact struct {
	at    *node
	label *label
	from  *fact
	where ssa.Instruction
}

// A node is a value, or memory that can be reached in many ways: a field of a type of the program, whichever struct has it, or what
// pointers, lists and maps of a type hold.
type node struct {
	typ   types.Type // nil for any
	facts map[*label]*fact
	order []*fact
	then  []func(*fact)
	sent  map[*node]bool // the nodes that all labels are passed on to
}

// flows is the graph that the labels flow through.
type flows struct {
	pending []*fact
	labels  map[any]*label
	facts   int
}

func (g *flows) labelOf(f *field) *label {
	return g.intern(f, label{f: f})
}

func (g *flows) intern(key any, l label) *label {
	made := g.labels[key]
	if made == nil {
		made = &l
		g.labels[key] = made
	}
	return made
}

// add records that n may have a label.
func (g *flows) add(n *node, l *label, from *fact, where ssa.Instruction) {
	if n == nil || l == nil || n.facts[l] != nil || !fits(l, n.typ) {
		return
	}
	if n.facts == nil {
		n.facts = map[*label]*fact{}
	}
	made := &fact{n, l, from, where}
	n.facts[l], n.order = made, append(n.order, made)
	g.facts++
	g.pending = append(g.pending, made)
}

// on calls do with the facts of n, now and later.
func (g *flows) on(n *node, do func(*fact)) {
	if n == nil {
		return
	}
	n.then = append(n.then, do)
	for _, f := range n.order[:len(n.order):len(n.order)] {
		do(f)
	}
}

// flow passes the labels of a node on to another one.
func (g *flows) flow(from, to *node, where ssa.Instruction) {
	if from == nil || to == nil || from == to || from.sent[to] {
		return
	}
	if from.sent == nil {
		from.sent = map[*node]bool{}
	}
	from.sent[to] = true
	g.on(from, func(f *fact) { g.add(to, f.label, f, where) })
}

// step passes on what step makes of the places that the labels of a node name.
func (g *flows) step(from, to *node, where ssa.Instruction, step func(*field) *field) {
	if to == nil {
		return
	}
	g.on(from, func(f *fact) {
		if f.label.f == nil {
			g.add(to, f.label, f, where)
		} else if below := step(f.label.f); below != nil {
			g.add(to, g.labelOf(below), f, where)
		}
	})
}

// solve passes all labels on until nothing changes.
func (g *flows) solve() {
	for len(g.pending) > 0 {
		f := g.pending[len(g.pending)-1]
		g.pending = g.pending[:len(g.pending)-1]
		for i := 0; i < len(f.at.then); i++ {
			f.at.then[i](f)
		}
	}
}

// fits reports whether a value of a type can have a label: it is what the label names, a pointer to it, a list of it, or an interface
// that may hold one of these.
func fits(l *label, t types.Type) bool {
	if t == nil {
		return true
	}
	base := strip(t)
	if _, ok := base.Underlying().(*types.Interface); ok {
		return true
	}
	switch {
	case l.isForeign() || l.code != nil:
		_, ok := base.Underlying().(*types.Signature)
		return ok
	case l.boxed != nil:
		return false
	case l.memory != nil:
		return types.Identical(base, strip(l.memory.typ))
	}
	if types.Identical(base, l.f.base) {
		return true
	}
	_, basic := base.Underlying().(*types.Basic)
	_, other := l.f.base.Underlying().(*types.Basic)
	return basic && other
}
