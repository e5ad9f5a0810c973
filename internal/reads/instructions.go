package reads

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/prune-gen/prune-gen/internal/reads/boundary"
)

// function adds what the instructions of a function do.
func (a *analysis) function(f *ssa.Function) {
	for _, b := range f.Blocks {
		for _, instr := range b.Instrs {
			a.operands(instr)
			a.instruction(instr)
		}
	}
}

// operands finds the functions that are values.
func (a *analysis) operands(instr ssa.Instruction) {
	var callee ssa.Value
	if closure, ok := instr.(*ssa.MakeClosure); ok {
		for n, b := range closure.Bindings {
			a.bound[closure.Fn.(*ssa.Function).FreeVars[n]] = b
		}
	}
	if call, ok := instr.(ssa.CallInstruction); ok {
		callee = call.Common().Value
	}
	for _, op := range instr.Operands(nil) {
		if f, ok := (*op).(*ssa.Function); ok && *op != callee {
			a.reach(f)
		}
	}
}

func (a *analysis) instruction(instr ssa.Instruction) {
	switch i := instr.(type) {
	case *ssa.Alloc:
		a.mayFill(a.value(i), i.Type())
	case *ssa.Phi:
		for _, e := range i.Edges {
			a.flow(a.value(e), a.value(i), i)
		}
	case *ssa.ChangeInterface:
		a.flow(a.value(i.X), a.value(i), i)
	case *ssa.ChangeType:
		a.convert(i, i.X)
	case *ssa.Convert:
		a.convert(i, i.X)
	case *ssa.MultiConvert:
		a.convert(i, i.X)
	case *ssa.SliceToArrayPointer:
		a.flow(a.value(i.X), a.value(i), i)
	case *ssa.MakeInterface:
		a.makeInterface(i)
	case *ssa.TypeAssert:
		a.assert(i)
	case *ssa.Extract:
		a.flow(a.part(i.Tuple, i.Index, i.Type()), a.value(i), i)
	case *ssa.UnOp:
		a.unary(i)
	case *ssa.BinOp:
		a.compare(i)
	case *ssa.Field:
		a.fieldOf(i)
	case *ssa.FieldAddr:
		a.fieldAddr(i)
	case *ssa.IndexAddr:
		a.inside(i.X, a.value(i), i.Type(), i, false)
	case *ssa.Index:
		a.inside(i.X, a.value(i), i.Type(), i, true)
	case *ssa.Lookup:
		to, t := a.value(i), i.Type()
		if i.CommaOk {
			t = t.(*types.Tuple).At(0).Type()
			to = a.part(i, 0, t)
		}
		a.inside(i.X, to, t, i, true)
		a.key(i.Index, i)
	case *ssa.Next:
		if r, ok := i.Iter.(*ssa.Range); ok && !i.IsString {
			key, t := i.Type().(*types.Tuple).At(1).Type(), i.Type().(*types.Tuple).At(2).Type()
			if _, pointer := key.Underlying().(*types.Pointer); pointer {
				a.flow(a.cellIn(&a.keys, key), a.part(i, 1, key), i)
			}
			if b, ok := t.Underlying().(*types.Basic); !ok || b.Kind() != types.Invalid { // not left out
				a.inside(r.X, a.part(i, 2, t), t, i, true)
			}
		}
	case *ssa.Slice:
		a.slice(i)
	case *ssa.Store:
		a.store(i.Addr, a.value(i.Val), i.Val.Type(), i)
	case *ssa.MapUpdate:
		a.flow(a.value(i.Value), a.cell(i.Value.Type()), i)
		if _, pointer := i.Key.Type().Underlying().(*types.Pointer); pointer {
			a.flow(a.value(i.Key), a.cellIn(&a.keys, i.Key.Type()), i)
		} else {
			a.key(i.Key, i)
		}
	case *ssa.Send:
		a.flow(a.value(i.X), a.cell(i.X.Type()), i)
	case *ssa.Select:
		a.choose(i)
	case *ssa.MakeClosure:
		f := i.Fn.(*ssa.Function)
		for n, b := range i.Bindings {
			a.flow(a.value(b), a.value(f.FreeVars[n]), i)
		}
		a.add(a.value(i), a.intern(f, label{code: f}), nil, i)
	case *ssa.Return:
		for n, v := range i.Results {
			a.flow(a.value(v), a.result(i.Parent(), n), i)
		}
	case *ssa.Panic:
		a.sink(a.value(i.X), i.X.Type(), &use{effect: boundary.ReadsAll, what: "passed to panic", at: i, plain: true})
	case ssa.CallInstruction:
		a.call(i)
	}
}

// result returns the node of a result of a function.
func (a *analysis) result(f *ssa.Function, i int) *node {
	return a.part(f, i, f.Signature.Results().At(i).Type())
}

// key is the use of a key of a map, which is compared with others. Of pointers, that is no more than the identity.
func (a *analysis) key(k ssa.Value, at ssa.Instruction) {
	if _, pointer := k.Type().Underlying().(*types.Pointer); !pointer {
		a.sink(a.value(k), k.Type(), &use{effect: boundary.ReadsAll, what: "used as a key of a map", at: at, plain: true})
	}
}

// mayFill labels memory for objects: functions may fill it.
func (a *analysis) mayFill(n *node, t types.Type) {
	if n != nil && isKind(strip(t)) {
		a.add(n, a.intern(n, label{memory: n}), nil, nil)
	}
}

// convert passes labels on to a value of another type, if both consist of the same types.
func (a *analysis) convert(v ssa.Value, x ssa.Value) {
	from, to := strip(x.Type()), strip(v.Type())
	_, s := structOf(from)
	_, other := structOf(to)
	switch {
	case isUnsafe(from) || isUnsafe(to):
		u := &use{effect: boundary.ReadsAll, fills: true, what: "converted to " + typeName(v.Type()), at: v.(ssa.Instruction)}
		a.sink(a.value(x), x.Type(), u)
		a.source(a.value(v), v.Type())
		a.on(a.value(x), func(f *fact) { // arithmetic on pointers leads to neighbours
			if place := f.label.f; place != nil {
				for place.parent != nil {
					place = place.parent
				}
				a.markField(place, f, u)
			}
		})
	case s == nil && types.Identical(from.Underlying(), to.Underlying()) || types.Identical(from, to) || isBasic(from) && isBasic(to):
		a.flow(a.value(x), a.value(v), v.(ssa.Instruction))
	case s != nil && other != nil && !a.isAPI(from) && !a.isAPI(to):
		a.join(from, to, v.(ssa.Instruction))
	default:
		a.sink(a.value(x), x.Type(), &use{effect: boundary.ReadsAll, what: "converted to " + typeName(v.Type()), at: v.(ssa.Instruction)})
	}
}

func isUnsafe(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.UnsafePointer
}

// join makes the fields of two structs one. They have the same fields, but the tags of these, and of structs without a name in them, may differ.
func (a *analysis) join(x, y types.Type, i ssa.Instruction) {
	_, s := structOf(x)
	_, other := structOf(y)
	if s == nil || other == nil || types.Identical(x, y) {
		return
	}
	for n := range min(s.NumFields(), other.NumFields()) {
		a.flow(a.member(x, n), a.member(y, n), i)
		a.flow(a.member(y, n), a.member(x, n), i)
		a.join(strip(s.Field(n).Type()), strip(other.Field(n).Type()), i)
	}
}

// makeInterface passes labels on to an interface, which knows the type of its value.
func (a *analysis) makeInterface(i *ssa.MakeInterface) {
	t := i.X.Type()
	a.box(t)
	to := a.value(i)
	a.flow(a.value(i.X), to, i)
	if isBasic(t) {
		return
	}
	a.add(to, a.intern(t, label{boxed: t}), nil, i)
	if named, ok := pointee(t).(*types.Named); ok && named.Obj().Pkg() != nil && a.objects[named.Obj().Pkg()] && !a.followed[named.Obj().Pkg()] && a.api.At(named) == nil {
		a.add(to, foreign, nil, i)
	}
}

// assert passes labels on to the type that an interface holds. An object in an interface may come from a cache.
func (a *analysis) assert(i *ssa.TypeAssert) {
	to := a.value(i)
	if i.CommaOk {
		to = a.part(i, 0, i.AssertedType)
	}
	from := a.value(i.X)
	iface, _ := i.AssertedType.Underlying().(*types.Interface)
	k := a.kindOf(i.AssertedType)
	a.on(from, func(f *fact) {
		switch l := f.label; {
		case l.isForeign() && k == nil && iface == nil:
			a.escape(i.AssertedType, &use{effect: boundary.ReadsAll, what: "stored in what comes from code that is not followed", at: i}, f)
		case l.isForeign() && k != nil:
			if pkg := i.Parent().Pkg; pkg != nil && a.own[pkg.Pkg] {
				a.get(k)
			}
			a.add(to, a.labelOf(k.root), f, i)
			return
		case l.f != nil && types.IsInterface(l.f.base):
			a.mark(f, &use{effect: boundary.ReadsAll, at: i})
		case l.f != nil && iface != nil && !implements(l.f.base, iface):
			return
		case l.boxed != nil && iface != nil:
			if !types.Implements(l.boxed, iface) {
				return
			}
			if _, s := structOf(l.boxed); s == nil { // a list with methods: its labels are those of elements
				a.flow(from, to, i)
			}
		}
		a.add(to, f.label, f, i)
	})
}

// implements reports whether a type or pointers to it implement an interface.
func implements(t types.Type, iface *types.Interface) bool {
	return types.Implements(t, iface) || !types.IsInterface(t) && types.Implements(types.NewPointer(t), iface)
}

func (a *analysis) unary(i *ssa.UnOp) {
	switch i.Op {
	case token.MUL:
		a.loaded(a.value(i.X), a.value(i), i.Type(), i)
	case token.ARROW:
		to, t := a.value(i), i.Type()
		if i.CommaOk {
			t = t.(*types.Tuple).At(0).Type()
			to = a.part(i, 0, t)
		}
		a.loaded(a.value(i.X), to, t, i)
		a.flow(a.cell(t), to, i)
	}
}

// loaded passes the labels of memory on to the value in it, and marks what that reads.
func (a *analysis) loaded(from, to *node, t types.Type, i ssa.Instruction) {
	if to != nil {
		a.flow(from, to, i)
	}
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return
	}
	basic := isBasic(t)
	a.on(from, func(f *fact) {
		if f.label.f != nil {
			effect := readsLength
			if basic {
				effect = boundary.ReadsAll
			}
			a.mark(f, &use{effect: effect, at: i})
		}
	})
}

// compare marks structs that are compared whole. Comparing with nil, or the identity of pointers, reads no more than a load does.
func (a *analysis) compare(i *ssa.BinOp) {
	if i.Op != token.EQL && i.Op != token.NEQ {
		return
	}
	for _, pair := range [][2]ssa.Value{{i.X, i.Y}, {i.Y, i.X}} {
		if c, ok := pair[1].(*ssa.Const); ok && c.IsNil() {
			continue
		}
		switch pair[0].Type().Underlying().(type) {
		case *types.Struct, *types.Array, *types.Interface:
			a.sink(a.value(pair[0]), pair[0].Type(), &use{effect: boundary.ReadsAll, what: "compared", at: i, plain: true})
		}
	}
}

// fieldOf is the field of a struct that is no variable.
func (a *analysis) fieldOf(i *ssa.Field) {
	if !a.isAPI(i.X.Type()) {
		a.flow(a.member(i.X.Type(), i.Field), a.value(i), i)
		return
	}
	middle := &node{typ: i.Type()}
	a.below(a.value(i.X), middle, i, func(f *field) *field { return f.field(i.Field) })
	a.loaded(middle, a.value(i), i.Type(), i)
}

// below passes on the places that step leads to. What is inside of a type with a JSON form of its own is not told apart.
func (a *analysis) below(from, to *node, i ssa.Instruction, step func(*field) *field) {
	a.on(from, func(f *fact) {
		if f.label.f != nil && f.label.f.leaf {
			a.mark(f, &use{effect: boundary.ReadsAll, at: i})
		}
	})
	a.step(from, to, i, step)
}

func (a *analysis) fieldAddr(i *ssa.FieldAddr) {
	held := content(i.Type())
	if a.isAPI(i.X.Type()) {
		a.below(a.value(i.X), a.value(i), i, func(f *field) *field { return f.field(i.Field) })
		if !private(i) {
			a.point(held)
		}
	} else if !private(i) {
		a.flow(a.cell(held), a.value(i), i)
	}
	if !a.isAPI(i.X.Type()) {
		a.mayFill(a.value(i), i.Type())
	}
}

// point says that the program has pointers to fields of a type in objects: what is stored by such pointers may become part of an object.
func (a *analysis) point(t types.Type) {
	if a.pointed.At(t) == nil {
		a.pointed.Set(t, true)
		a.sinkCell(t, &use{effect: boundary.ReadsAll, what: "stored in a part of an object, by a pointer", plain: true})
	}
}

// inside passes the labels of a list or map on to its elements. load says that to is the element, not its address.
func (a *analysis) inside(x ssa.Value, to *node, t types.Type, i ssa.Instruction, load bool) {
	from := a.value(x)
	held := t
	if !load {
		held = content(t)
	}
	if to != nil {
		a.flow(a.cell(held), to, i)
		if isKind(strip(held)) {
			elements := a.cellIn(&a.elements, held)
			a.mayFill(elements, held)
			a.flow(elements, to, i)
		}
	}
	step := func(f *field) *field { return f.elem() }
	if !load {
		a.step(from, to, i, step)
		return
	}
	middle := &node{typ: t}
	if isBasic(t) {
		middle.typ = types.NewPointer(t)
	}
	a.step(from, middle, i, step)
	a.loaded(middle, to, t, i)
}

// slice passes labels on. What was appended to a list can be seen by those who extend a shorter one. Package slices does not show it.
func (a *analysis) slice(i *ssa.Slice) {
	a.flow(a.value(i.X), a.value(i), i)
	if generic := i.Parent().Origin(); generic != nil && generic.Pkg.Pkg.Path() == "slices" {
		return
	}
	if held := content(i.Type()); i.High != nil && held != nil {
		a.flow(a.cellIn(&a.grown, held), a.cell(held), i)
	}
}

// store passes labels on to memory. What becomes part of an object counts as read: the object may be encoded.
func (a *analysis) store(addr ssa.Value, v *node, t types.Type, i ssa.Instruction) {
	if alloc := a.captured(addr); alloc != nil {
		addr = alloc
	}
	switch addr := addr.(type) {
	case *ssa.Alloc:
		a.flow(v, a.value(addr), i)
	case *ssa.Global:
		a.flow(v, a.value(addr), i)
		if !a.followed[addr.Pkg.Pkg] {
			a.sink(v, t, &use{effect: boundary.ReadsAll, what: "passed to " + addr.Pkg.Pkg.Path() + "." + addr.Name(), at: i, plain: !a.finds[addr.Pkg.Pkg]})
		}
	case *ssa.FieldAddr:
		owner, s := structOf(addr.X.Type())
		if a.isAPI(owner) {
			a.sink(v, t, &use{effect: boundary.ReadsAll, what: "copied into " + typeName(owner) + "." + s.Field(addr.Field).Name(), at: i, plain: true})
			return
		}
		a.flow(v, a.value(addr), i)
		if foreign, instance := a.isForeign(owner); foreign && !instance && itemsOf(owner) == nil {
			plain := !a.finds[owner.(*types.Named).Obj().Pkg()]
			what := "passed to " + typeName(owner) + "." + s.Field(addr.Field).Name()
			a.sink(v, t, &use{effect: boundary.ReadsAll, what: what, at: i, plain: plain})
		}
	case *ssa.IndexAddr:
		if base, ok := addr.X.(*ssa.Alloc); ok {
			a.flow(v, a.value(base), i)
			return
		}
		a.flow(v, a.cell(t), i)
	default:
		a.flow(v, a.cell(t), i)
	}
}

func (a *analysis) choose(i *ssa.Select) {
	n := 2
	for _, s := range i.States {
		held := content(s.Chan.Type())
		if s.Dir == types.SendOnly {
			a.flow(a.value(s.Send), a.cell(held), i)
			continue
		}
		to := a.part(i, n, held)
		a.loaded(a.value(s.Chan), to, held, i)
		a.flow(a.cell(held), to, i)
		n++
	}
}
