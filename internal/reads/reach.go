package reads

import (
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/prune-gen/prune-gen/internal/reads/boundary"
)

// start makes what runs first reachable: the initialization of packages and main; in packages without main, everything.
func (a *analysis) start() {
	for _, pkg := range sorted(a.all) {
		if a.followed[pkg] {
			made := a.ssa.Package(pkg)
			a.reach(made.Func("init"))
			for _, name := range slices.Sorted(maps.Keys(a.links)) {
				a.fromOutside(made.Func(name), false)
			}
		}
	}
	for _, pkg := range a.main {
		if f := pkg.Func("main"); f != nil && pkg.Pkg.Name() == "main" {
			a.reach(f)
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(pkg.Members)) {
			switch m := pkg.Members[name].(type) {
			case *ssa.Function:
				a.fromOutside(m, false)
			case *ssa.Type:
				a.exported(m.Type())
			}
		}
	}
}

// exported makes the methods of a type reachable from outside.
func (a *analysis) exported(t types.Type) {
	if _, generic := t.(*types.Named); !generic || t.(*types.Named).TypeParams() != nil || types.IsInterface(t) {
		return
	}
	set := a.ssa.MethodSets.MethodSet(types.NewPointer(t))
	for i := range set.Len() {
		if m := set.At(i); len(m.Index()) == 1 {
			a.fromOutside(a.ssa.MethodValue(m), false)
		}
	}
}

// reach queues a function that the program can call.
func (a *analysis) reach(f *ssa.Function) {
	if f != nil && !a.live[f] && f.Blocks != nil && f.TypeParams().Len() == len(f.TypeArgs()) {
		a.live[f] = true
		a.queue = append(a.queue, f)
	}
}

// fromOutside says that what is not followed may call f, with any object, and uses what f returns. It finds no methods by reflection if plain
// is set.
func (a *analysis) fromOutside(f *ssa.Function, plain bool) {
	key := entry{f, plain}
	if f != nil && !a.outer[key] {
		a.outer[key] = true
		a.enter(f, plain, a.source)
	}
}

// enter says that code which is not followed may call f, with values that come from there, and uses what f returns.
func (a *analysis) enter(f *ssa.Function, plain bool, comes func(*node, types.Type)) {
	if a.takes(f, comes) {
		results := f.Signature.Results()
		for i := range results.Len() {
			u := &use{effect: boundary.ReadsAll, what: "returned to code that is not followed", plain: plain}
			a.sink(a.result(f, i), results.At(i).Type(), u)
		}
	}
}

// takes says where the parameters of f come from. It reports whether f is followed.
func (a *analysis) takes(f *ssa.Function, comes func(*node, types.Type)) bool {
	a.reach(f)
	if f.Blocks == nil || f.Pkg != nil && boundary.Opened(f.Pkg.Pkg.Path()) {
		return false
	}
	for _, p := range f.Params {
		comes(a.value(p), p.Type())
	}
	return true
}

// reflected says that everything that values of a type hold is used. Unless plain is set, reflection may call their exported methods. The code
// that does so has no objects but those that the program gave it: packages that know objects and are not followed do not.
func (a *analysis) reflected(t types.Type, plain bool) {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || types.IsInterface(t) || named.Obj().Pkg() == nil || !a.followed[named.Obj().Pkg()] {
		return
	}
	a.box(t)
	a.box(types.NewPointer(t))
	if plain {
		a.escaped = append(a.escaped, t)
		return
	}
	for m := range a.ssa.MethodSets.MethodSet(types.NewPointer(t)).Methods() {
		name, pkg := m.Obj().Name(), m.Obj().Pkg()
		if m.Obj().Exported() && pkg != nil && !boundary.Opened(pkg.Path()) && !a.admits(types.NewPointer(t), name) {
			if f := a.ssa.MethodValue(m); f != nil && !a.outer[entry{f, false}] {
				a.enter(f, false, func(n *node, t types.Type) { a.returns(n, t, handed) })
			}
		}
	}
}

// reflectAll says that reflection finds methods of values that are not known: they may be any that code which is not followed has.
func (a *analysis) reflectAll() {
	if !a.reflectsAll {
		a.reflectsAll = true
		for _, t := range a.escaped {
			a.reflected(t, false)
		}
	}
}

// box says that values of a type become interfaces: their methods can be called.
func (a *analysis) box(t types.Type) {
	if a.boxed.At(t) != nil {
		return
	}
	a.boxed.Set(t, true)
	if a.filled {
		a.fillStruct(t, &use{}, map[types.Type]bool{})
	}
	set := a.ssa.MethodSets.MethodSet(t)
	for i := range set.Len() {
		m := set.At(i)
		if boundary.IsGetter(m.Obj().(*types.Func)) && a.isAPI(t) {
			continue // it reads the objects that it is called on: invoked connects it with these
		}
		if pkg := m.Obj().Pkg(); a.followed[pkg] {
			f := a.ssa.MethodValue(m)
			a.reach(f)
			if f != nil && !boundary.Opened(pkg.Path()) && !a.admits(t, m.Obj().Name()) {
				for caller := range a.callers(t, m.Obj().Name()) {
					a.fromOutside(f, !a.finds[caller])
				}
			}
		}
		name := m.Obj().Name()
		a.byMethod[name] = append(a.byMethod[name], t)
		for _, site := range a.invokes[name] {
			a.invoke(site, t)
		}
	}
}

// callers returns the packages that are not followed and know an interface with the method that t implements. Generic
// interfaces are compared by those parts of their methods that are not generic.
func (a *analysis) callers(t types.Type, method string) map[*types.Package]bool {
	all := map[*types.Package]bool{}
	for _, named := range a.called[method] {
		iface := named.Underlying().(*types.Interface)
		implements := named.TypeParams().Len() > 0 || types.Implements(t, iface)
		if named.TypeParams().Len() > 0 {
			set := a.ssa.MethodSets.MethodSet(t)
			for m := range iface.Methods() {
				own := set.Lookup(m.Pkg(), m.Name())
				implements = implements && own != nil && mayBe(own.Obj().Type().(*types.Signature).Params(), m.Signature().Params()) &&
					mayBe(own.Obj().Type().(*types.Signature).Results(), m.Signature().Results())
			}
		}
		if implements {
			all[named.Obj().Pkg()] = true
		}
	}
	return all
}

// mayBe reports whether parameters can be those of an instance of generic ones.
func mayBe(have, generic *types.Tuple) bool {
	if have.Len() != generic.Len() {
		return false
	}
	for i := range have.Len() {
		t := generic.At(i).Type()
		switch base := strip(t).(type) {
		case *types.Basic:
		case *types.Named:
			if base.TypeArgs().Len() > 0 {
				continue
			}
		default:
			continue
		}
		if !types.Identical(have.At(i).Type(), t) {
			return false
		}
	}
	return true
}

// admits reports whether a method is one of a webhook. Its objects come from requests.
func (a *analysis) admits(t types.Type, method string) bool {
	return slices.ContainsFunc(a.called[method], func(named *types.Named) bool {
		return boundary.IsWebhook(typeName(named)) && named.TypeParams().Len() == 0 && types.Implements(t, named.Underlying().(*types.Interface))
	})
}

// invoke connects a call of a method of an interface with the method of a type, if the type implements the interface.
func (a *analysis) invoke(site ssa.CallInstruction, t types.Type) {
	call := site.Common()
	iface, ok := call.Value.Type().Underlying().(*types.Interface)
	if !ok {
		return
	}
	key := fulfilment{t, iface}
	implements, known := a.fulfils[key]
	if !known {
		implements = types.Implements(t, iface)
		a.fulfils[key] = implements
	}
	if implements {
		if m := a.ssa.MethodSets.MethodSet(t).Lookup(call.Method.Pkg(), call.Method.Name()); m != nil {
			a.connect(site, a.ssa.MethodValue(m))
		}
	}
}
