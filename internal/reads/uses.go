package reads

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/prune-gen/prune-gen/internal/reads/boundary"
)

const readsLength boundary.Effect = -1 // reads whether a pointer is nil, or how long a list is

// A use says what is done with a value.
type use struct {
	effect boundary.Effect
	what   string // "passed to reflect.DeepEqual"; "" for a field that is selected
	at     ssa.Instruction
	callee *types.Func // that is not followed
	fills  bool
	plain  bool // finds no methods by reflection
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// sink says that everything that a value holds is used.
func (a *analysis) sink(n *node, t types.Type, u *use) {
	if u.effect == boundary.ReadsAll || u.effect == boundary.Writes {
		a.escape(t, u, nil)
	}
	a.on(n, func(f *fact) {
		if f.label.isForeign() && !u.plain && u.effect == boundary.ReadsAll {
			a.reflectAll()
		}
		switch l := f.label; {
		case l.f != nil:
			if u.effect == boundary.ReadsAll || u.effect == boundary.Writes {
				a.mark(f, u)
			} else if u.effect == boundary.Fills || u.effect == boundary.Informs {
				a.get(a.kindOf(l.f.typ))
			}
		case l.memory != nil:
			a.fill(f, u)
		case l.code != nil:
			a.handOut(l.code, t, u)
		case l.boxed != nil:
			a.unbox(l.boxed, f, u)
		case (l == unknown || l == handed) && (u.effect == boundary.Fills || u.fills) && a.holdsObjects(t):
			a.fillForeign(l)
		}
	})
}

// fillForeign says that objects which code that knows no objects has are filled from a cache. If they are parameters of methods that
// reflection calls, they are those that the program gave that code, or the program calls methods by reflection itself.
func (a *analysis) fillForeign(l *label) {
	a.refilled = a.refilled || l == handed
	if a.refilled {
		for _, f := range a.given {
			a.add(f.label.memory, a.labelOf(a.kindOf(f.label.memory.typ).root), f, f.where)
		}
		a.given = nil
	}
	if a.filled || l == handed && !a.dispatches {
		return
	}
	a.filled = true
	for _, n := range a.unknown {
		a.source(n, n.typ)
	}
	a.boxed.Iterate(func(t types.Type, _ any) { a.fillStruct(t, &use{}, map[types.Type]bool{}) })
}

// handOut says that code which is not followed may call a function. What a function that lists, watches or changes objects before they are
// cached returns is cached.
func (a *analysis) handOut(f *ssa.Function, t types.Type, u *use) {
	switch {
	case boundary.GetsRequests(u.callee):
		a.reach(f)
	case boundary.FillsCache(typeName(t)):
		a.takes(f, a.source)
	default:
		a.fromOutside(f, u.plain)
	}
}

// fill says that a function may fill memory with an object.
func (a *analysis) fill(f *fact, u *use) {
	memory := f.label.memory
	k := a.kindOf(memory.typ)
	if u.effect == boundary.Informs || u.effect == boundary.Fills {
		a.get(k)
	}
	switch {
	case u.effect == boundary.Fills || u.effect == boundary.ReadsAll && (u.fills || a.refilled && !u.plain):
		a.add(memory, a.labelOf(k.root), nil, u.at)
	case u.effect == boundary.ReadsAll && !u.plain:
		a.given = append(a.given, f)
	}
}

// unbox is the use of a value in an interface: of its fields.
func (a *analysis) unbox(boxed types.Type, f *fact, u *use) {
	if item := itemsOf(pointee(boxed)); item != nil {
		k := a.kindOf(item)
		switch u.effect {
		case boundary.Fills, boundary.Informs:
			a.get(k)
		case boundary.ReadsAll, boundary.Writes:
			a.markField(k.root, f, u)
		}
		return
	}
	switch u.effect {
	case boundary.ReadsAll, boundary.Writes:
		a.escape(boxed, u, f)
	case boundary.Fills:
		a.fillStruct(boxed, u, map[types.Type]bool{})
	}
}

// objectsImplement reports whether all objects implement an interface with methods.
func (a *analysis) objectsImplement(t types.Type) bool {
	iface, ok := t.(*types.Interface)
	if !ok || iface.NumMethods() == 0 {
		return false
	}
	for _, pointer := range a.every {
		if types.Implements(pointer, iface) {
			return true
		}
	}
	return false
}

// fillStruct says that a function may fill the objects in a struct of the program.
func (a *analysis) fillStruct(t types.Type, u *use, seen map[types.Type]bool) {
	base := strip(t)
	if seen[base] {
		return
	}
	seen[base] = true
	if _, s := structOf(base); s != nil && !a.isAPI(base) {
		for i := range s.NumFields() {
			if k := a.kindOf(s.Field(i).Type()); k != nil {
				a.get(k)
				a.add(a.member(base, i), a.labelOf(k.root), nil, u.at)
			} else if s.Field(i).Embedded() {
				a.fillStruct(s.Field(i).Type(), u, seen)
			}
		}
	}
}

// escape says that everything that values of a type hold is used: fields of structs of the program, and what lists, maps and pointers hold.
func (a *analysis) escape(t types.Type, u *use, from *fact) {
	if !u.plain && isNamed(pointee(t), "reflect", "Value") {
		a.reflectAll()
	}
	for {
		w := width{u.effect, u.plain && !a.reflectsAll}
		if a.wide[w] == nil {
			a.wide[w] = &typeutil.Map{}
		}
		if a.wide[w].At(t) != nil {
			return
		}
		a.wide[w].Set(t, true)
		a.reflected(t, w.plain)
		held := content(t)
		if held == nil {
			break
		}
		a.sinkCell(held, u)
		t = held
	}
	owner, s := structOf(t)
	if s == nil {
		return
	}
	if a.isAPI(owner) {
		for f := range s.Fields() {
			a.escape(f.Type(), u, from)
		}
		return
	}
	if foreign, instance := a.isForeign(owner); foreign && !instance {
		return // what is stored in them was passed on
	}
	for i := range s.NumFields() {
		ft := s.Field(i).Type()
		if n := a.member(owner, i); n != nil {
			a.sink(n, ft, u)
		} else {
			a.escape(ft, u, from)
		}
	}
}

// storesIn says that what the program stores behind a pointer, or in a list or map, is used. What it stores in fields of structs that are not
// followed is passed on there.
func (a *analysis) storesIn(t types.Type, u *use) {
	for range 32 { // type T []T
		held := content(t)
		if held == nil {
			break
		}
		a.sinkCell(held, u)
		t = held
	}
	if foreign, _ := a.isForeign(types.Unalias(t)); !foreign {
		a.escape(t, u, nil)
	}
}

// sinkCell says that what pointers, lists, maps and channels of a type hold is used.
func (a *analysis) sinkCell(t types.Type, u *use) {
	if n := a.cell(t); n != nil {
		a.on(n, func(f *fact) {
			switch l := f.label; {
			case l.f != nil:
				a.mark(f, u)
			case l.code != nil:
				a.handOut(l.code, t, u)
			case l.boxed != nil:
				a.unbox(l.boxed, f, u)
			}
		})
	}
}

// mark records a use of the place that a fact names.
func (a *analysis) mark(f *fact, u *use) { a.markField(f.label.f, f, u) }

func (a *analysis) markField(place *field, f *fact, u *use) {
	e := a.found[place]
	if e == nil {
		e = &evidence{}
		a.found[place] = e
	}
	list := &e.reads
	switch u.effect {
	case boundary.Writes:
		list = &e.writes
	case readsLength:
		list = &e.lengths
	}
	*list = append(*list, witness{f, u})
}

// evidence is what is known about a place.
type evidence struct {
	reads, writes, lengths []witness
}

type witness struct {
	from *fact
	use  *use
}
