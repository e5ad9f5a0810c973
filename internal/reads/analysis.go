package reads

import (
	"context"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/prune-gen/prune-gen/internal/reads/boundary"
)

// analysis finds what the functions that the program can reach do with the objects that it gets.
type analysis struct {
	*program
	flows

	values   map[ssa.Value]*node
	parts    map[part]*node // of values that are several
	bound    map[*ssa.FreeVar]ssa.Value
	cells    typeutil.Map // content types: what pointers, lists, maps and channels of a type hold
	grown    typeutil.Map // content types: what was appended to lists
	keys     typeutil.Map // types of pointers: the keys of maps
	elements typeutil.Map // types of objects in lists, which functions may fill
	members  typeutil.Map // structs of the program: []*node of their fields
	api      typeutil.Map // structs that objects consist of
	known    map[types.Type]bool

	queue    []*ssa.Function
	live     map[*ssa.Function]bool
	outer    map[entry]bool // functions that code which is not followed may call
	boxed    typeutil.Map   // types that become interfaces
	byMethod map[string][]types.Type
	invokes  map[string][]ssa.CallInstruction
	fulfils  map[fulfilment]bool
	called   map[string][]*types.Named // interfaces of code that is not followed, by the names of their methods
	wired    map[wire]bool

	kinds       map[*types.TypeName]*kind
	order       []*kind
	every       []types.Type            // pointers to all types of objects, whether the program gets them or not
	any         []*node                 // values that may be objects of any kind, from a cache
	unknown     []*node                 // values from code that knows no objects
	filled      bool                    // one of these is filled from a cache
	given       []*fact                 // memory for objects that was passed to such code, and
	refilled    bool                    // it may have a method of the program fill that
	dispatches  bool                    // the program calls functions by reflection
	pointed     typeutil.Map            // types of fields of objects to which the program has pointers
	wide        map[width]*typeutil.Map // types whose contents are read or written by what is not followed
	escaped     []types.Type            // of these, those with methods that reflection does not find
	reflectsAll bool                    // reflection may find the methods of these
	found       map[*field]*evidence
}

type width struct {
	effect boundary.Effect
	plain  bool
}

type entry struct {
	f     *ssa.Function
	plain bool
}

type part struct {
	of ssa.Value
	i  int
}

type fulfilment struct {
	t     types.Type
	iface *types.Interface
}

type wire struct {
	site   ssa.CallInstruction
	callee *ssa.Function
}

// analyse finds everything that the program reads.
func analyse(ctx context.Context, p *program, c Config) (*analysis, error) {
	a := &analysis{
		program: p, flows: flows{labels: map[any]*label{}},
		values: map[ssa.Value]*node{}, parts: map[part]*node{}, bound: map[*ssa.FreeVar]ssa.Value{}, known: map[types.Type]bool{},
		live: map[*ssa.Function]bool{}, outer: map[entry]bool{}, byMethod: map[string][]types.Type{},
		invokes: map[string][]ssa.CallInstruction{}, fulfils: map[fulfilment]bool{}, called: map[string][]*types.Named{},
		wired: map[wire]bool{}, kinds: map[*types.TypeName]*kind{}, found: map[*field]*evidence{}, wide: map[width]*typeutil.Map{},
	}
	a.survey()
	for _, name := range c.Types {
		named, err := p.findType(name)
		if err != nil {
			return nil, err
		}
		a.get(a.kindOf(named))
	}
	a.start()
	for len(a.queue) > 0 || len(a.pending) > 0 {
		for len(a.queue) > 0 {
			f := a.queue[len(a.queue)-1]
			a.queue = a.queue[:len(a.queue)-1]
			a.function(f)
			if len(a.live)%256 == 0 {
				c.Progress("analysing: %d functions", len(a.live))
				if err := ctx.Err(); err != nil {
					return nil, err
				}
			}
		}
		a.solve()
	}
	return a, nil
}

// survey finds the structs that objects consist of, and the names of the methods that code which is not followed may call.
func (a *analysis) survey() {
	for _, pkg := range sorted(a.all) {
		for _, name := range pkg.Scope().Names() {
			t, ok := pkg.Scope().Lookup(name).(*types.TypeName)
			if !ok {
				continue
			}
			named, ok := t.Type().(*types.Named)
			if !ok {
				continue
			}
			if iface, ok := named.Underlying().(*types.Interface); ok && !a.followed[pkg] {
				for m := range iface.Methods() {
					a.called[m.Name()] = append(a.called[m.Name()], named)
				}
			}
			if named.TypeParams() == nil && isKind(named) {
				a.addAPI(named)
				a.every = append(a.every, types.NewPointer(named))
			}
		}
	}
}

func (a *analysis) addAPI(t types.Type) {
	t = strip(t)
	s, ok := t.Underlying().(*types.Struct)
	if !ok || a.api.At(t) != nil {
		return
	}
	a.api.Set(t, true)
	for f := range s.Fields() {
		a.addAPI(f.Type())
	}
}

// carries reports whether values of a type can have labels.
func (a *analysis) carries(t types.Type) bool {
	if answer, known := a.known[t]; known {
		return answer
	}
	base := strip(t)
	answer := false
	switch u := base.Underlying().(type) {
	case *types.Interface:
		answer = true
	case *types.Struct:
		answer = a.api.At(base) != nil
	case *types.Basic:
		answer = u.Kind() != types.UnsafePointer && !isBasic(t)
	case *types.Signature:
		answer = true
	}
	a.known[t] = answer
	return answer
}

func isBasic(t types.Type) bool {
	_, basic := t.Underlying().(*types.Basic)
	return basic
}

// value returns the node of a value, nil if it cannot have labels.
func (a *analysis) value(v ssa.Value) *node {
	if v == nil || !a.carries(v.Type()) {
		return nil
	}
	if n, ok := a.values[v]; ok {
		return n
	}
	if f, ok := v.(*ssa.FieldAddr); ok && !a.isAPI(f.X.Type()) {
		n := a.member(f.X.Type(), f.Field)
		a.values[v] = n
		return n
	}
	switch v := v.(type) {
	case *ssa.Const, *ssa.Builtin:
		return nil
	case *ssa.Alloc:
		if isBasic(content(v.Type())) {
			a.values[v] = nil
			return nil
		}
	case *ssa.Global:
		if isBasic(content(v.Type())) {
			a.values[v] = nil
			return nil
		}
	}
	if alloc := a.captured(v); alloc != nil {
		n := a.value(alloc)
		a.values[v] = n
		return n
	}
	n := &node{typ: v.Type()}
	a.values[v] = n
	switch v := v.(type) {
	case *ssa.Alloc:
		if !private(v) {
			a.flow(a.cell(content(v.Type())), n, nil)
		}
	case *ssa.FieldAddr:
	case *ssa.Function:
		a.add(n, a.intern(v, label{code: v}), nil, nil)
	case *ssa.Global:
		a.flow(a.cell(content(v.Type())), n, nil)
		a.mayFill(n, v.Type())
		if pkg := v.Pkg.Pkg; !a.followed[pkg] {
			a.comesFrom(pkg, n, v.Type())
			a.escape(v.Type(), &use{effect: boundary.ReadsAll, what: "stored in " + pkg.Path() + "." + v.Name(), plain: !a.finds[pkg]}, nil)
		}
	default:
		if p, ok := v.Type().Underlying().(*types.Pointer); ok {
			a.flow(a.cell(p.Elem()), n, nil)
		}
	}
	return n
}

// captured returns the variable that v is in a closure, if nothing but the functions that mention it uses it.
func (a *analysis) captured(v ssa.Value) *ssa.Alloc {
	free, ok := v.(*ssa.FreeVar)
	if !ok {
		return nil
	}
	bound := a.bound[free]
	if alloc, ok := bound.(*ssa.Alloc); ok && private(alloc) {
		return alloc
	}
	return a.captured(bound)
}

// private reports whether nothing but the instructions that mention an address, in closures too, uses it.
func private(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if r.Val == v {
				return false
			}
		case *ssa.FieldAddr:
			if !private(r) {
				return false
			}
		case *ssa.IndexAddr:
			if !private(r) {
				return false
			}
		case *ssa.Slice:
			if r.X != v {
				return false
			}
		case *ssa.MakeClosure:
			for n, b := range r.Bindings {
				if b == v && !private(r.Fn.(*ssa.Function).FreeVars[n]) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// part returns the node of one of several results.
func (a *analysis) part(v ssa.Value, i int, t types.Type) *node {
	if !a.carries(t) {
		return nil
	}
	key := part{v, i}
	if a.parts[key] == nil {
		a.parts[key] = &node{typ: t}
		if p, ok := t.Underlying().(*types.Pointer); ok {
			a.flow(a.cell(p.Elem()), a.parts[key], nil)
		}
	}
	return a.parts[key]
}

// cell returns the node of what pointers, lists, maps and channels hold.
func (a *analysis) cell(t types.Type) *node { return a.cellIn(&a.cells, t) }

func (a *analysis) cellIn(m *typeutil.Map, t types.Type) *node {
	if !a.carries(t) {
		return nil
	}
	if n := m.At(t); n != nil {
		return n.(*node)
	}
	n := &node{typ: t}
	m.Set(t, n)
	return n
}

// structOf returns the struct that a value is or points to, and its type.
func structOf(t types.Type) (types.Type, *types.Struct) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, _ := t.Underlying().(*types.Struct)
	return types.Unalias(t), s
}

// isAPI reports whether a value is a part of an object, or points to one.
func (a *analysis) isAPI(t types.Type) bool {
	t, _ = structOf(t)
	return a.api.At(t) != nil
}

// isForeign reports whether a struct is declared by code that is not followed, and whether it is an instance of a generic type: functions
// of such types are followed.
func (a *analysis) isForeign(t types.Type) (foreign, instance bool) {
	named, ok := t.(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false, false
	}
	return !a.followed[named.Obj().Pkg()], named.TypeArgs().Len() > 0
}

// member returns the node of a field of a struct that is no part of an object.
func (a *analysis) member(t types.Type, i int) *node {
	t, s := structOf(t)
	if s == nil || isBasic(s.Field(i).Type()) || !a.carries(s.Field(i).Type()) {
		return nil
	}
	all, _ := a.members.At(t).([]*node)
	if all == nil {
		all = make([]*node, s.NumFields())
		a.members.Set(t, all)
	}
	if all[i] == nil {
		all[i] = &node{typ: s.Field(i).Type()}
		if item := itemsOf(t); item != nil && s.Field(i).Name() == "Items" {
			a.source(all[i], item)
		}
		if foreign, instance := a.isForeign(t); foreign && (!instance || a.objects[t.(*types.Named).Obj().Pkg()]) {
			a.comesFrom(t.(*types.Named).Obj().Pkg(), all[i], s.Field(i).Type())
		}
	}
	return all[i]
}

// kindOf returns the kind of a type of objects, nil for other types.
func (a *analysis) kindOf(t types.Type) *kind {
	named, ok := strip(t).(*types.Named)
	if !ok || !isKind(named) {
		return nil
	}
	k := a.kinds[named.Obj()]
	if k == nil {
		k = &kind{typ: named, root: newField(nil, "", named)}
		a.kinds[named.Obj()] = k
		a.order = append(a.order, k)
	}
	return k
}

// get says that the program gets objects of a kind.
func (a *analysis) get(k *kind) {
	if k == nil || k.got {
		return
	}
	k.got = true
	for _, n := range a.any {
		a.offer(n, k)
	}
}

// offer adds the label of a kind to a value that may be any object.
func (a *analysis) offer(n *node, k *kind) {
	iface, ok := strip(n.typ).Underlying().(*types.Interface)
	if ok && implements(k.typ, iface) {
		a.add(n, a.labelOf(k.root), nil, nil)
	}
}

// comesFrom says that a value comes from a package that is not followed. If that knows no objects, it may give back what it was given.
func (a *analysis) comesFrom(pkg *types.Package, n *node, t types.Type) {
	if pkg == nil || a.objects[pkg] {
		a.source(n, t)
		return
	}
	a.returns(n, t, unknown)
}

// returns says that a value comes from code that knows no objects: it may be one that was given to it.
func (a *analysis) returns(n *node, t types.Type, l *label) {
	if n == nil {
		return
	}
	a.add(n, l, nil, nil)
	a.unknown = append(a.unknown, n)
	if a.filled {
		a.source(n, t)
	}
}

// source says that a value comes from code that is not followed and knows objects: it may be one from a cache.
func (a *analysis) source(n *node, t types.Type) {
	if n == nil {
		return
	}
	switch strip(t).Underlying().(type) {
	case *types.Struct:
		if k := a.kindOf(t); k != nil {
			a.add(n, a.labelOf(k.root), nil, nil)
		}
	case *types.Interface:
		if isError(strip(t)) {
			return
		}
		a.add(n, foreign, nil, nil)
		if !slices.Contains(a.any, n) {
			a.any = append(a.any, n)
			for _, k := range a.order {
				if k.got {
					a.offer(n, k)
				}
			}
		}
	case *types.Signature:
		a.add(n, foreign, nil, nil)
	}
}
