package reads

import (
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/prune-gen/prune-gen/internal/reads/boundary"
)

// call connects a call with the functions that it may call.
func (a *analysis) call(site ssa.CallInstruction) {
	call := site.Common()
	if b, ok := call.Value.(*ssa.Builtin); ok {
		a.builtin(site, b)
		return
	}
	if f := call.StaticCallee(); f != nil {
		a.connect(site, f)
		return
	}
	if call.IsInvoke() {
		a.invoked(site)
		return
	}
	a.on(a.value(call.Value), func(f *fact) {
		if f.label.code != nil {
			a.connect(site, f.label.code)
		}
	})
	a.onForeign(a.value(call.Value), func() { a.outside(site, nil, call.Args, boundary.ReadsAll) })
}

// onForeign calls do if n may be made by code that is not followed.
func (a *analysis) onForeign(n *node, do func()) {
	a.on(n, func(f *fact) {
		if f.label.isForeign() {
			do()
		}
	})
}

// invoked connects the call of a method of an interface.
func (a *analysis) invoked(site ssa.CallInstruction) {
	call := site.Common()
	name := call.Method.Name()
	receiver := a.value(call.Value)
	if (name == "DeepCopyObject" || name == "DeepCopy") && call.Signature().Params().Len() == 0 && call.Signature().Results().Len() == 1 {
		a.flow(receiver, a.resultOf(site, 0), site)
	}
	effect, known := boundary.Of(call.Method)
	pkg := call.Method.Pkg()
	switch {
	case a.objectsImplement(call.Method.Signature().Recv().Type().Underlying()): // the methods of objects are known from the objects
	case known || pkg != nil && !a.followed[pkg]:
		a.outside(site, call.Method, call.Args, effect)
	default:
		a.onForeign(receiver, func() { a.outside(site, call.Method, call.Args, effect) })
	}
	done := map[types.Type]bool{}
	a.on(receiver, func(f *fact) {
		if f.label.f == nil {
			return
		}
		t := f.label.f.base
		if !types.IsInterface(t) {
			t = types.NewPointer(t)
		}
		m := a.ssa.MethodSets.MethodSet(t).Lookup(pkg, name)
		if m == nil {
			return
		}
		callee := a.ssa.MethodValue(m)
		if callee == nil {
			return
		}
		if callee.Blocks == nil || isCopy(callee) {
			if !isCopy(callee) {
				a.mark(f, &use{effect: boundary.ReadsAll, what: "passed to " + funcName(callee), at: site})
			}
			return
		}
		a.add(a.value(callee.Params[0]), f.label, f, site)
		if !done[f.label.f.base] {
			done[f.label.f.base] = true
			a.connect(site, callee)
		}
	})
	a.invokes[name] = append(a.invokes[name], site)
	for _, t := range a.byMethod[name] {
		a.invoke(site, t)
	}
}

// isCopy reports whether f is a method that deepcopy-gen has written, or one in the API machinery that does the same.
func isCopy(f *ssa.Function) bool {
	if f.Signature.Recv() == nil {
		return false
	}
	switch f.Name() {
	case "DeepCopy", "DeepCopyInto", "DeepCopyObject":
	default:
		return false
	}
	return f.Blocks == nil || f.Object() == nil || f.Object().Pkg() != nil && boundary.Opened(f.Object().Pkg().Path())
}

// resultOf returns the node of a result of a call.
func (a *analysis) resultOf(site ssa.CallInstruction, i int) *node {
	v := site.Value()
	if v == nil { // go or defer
		return nil
	}
	results := site.Common().Signature().Results()
	if results.Len() == 1 {
		return a.value(v)
	}
	return a.part(v, i, results.At(i).Type())
}

// connect passes labels from the arguments of a call to a function, and from its results back.
func (a *analysis) connect(site ssa.CallInstruction, f *ssa.Function) {
	if f == nil || a.wired[wire{site, f}] {
		return
	}
	a.wired[wire{site, f}] = true
	call := site.Common()
	args := call.Args
	if call.IsInvoke() {
		args = append([]ssa.Value{call.Value}, args...)
	}
	obj, _ := f.Object().(*types.Func)
	effect, known := boundary.Of(obj)
	if isCopy(f) && len(args) > 0 {
		if f.Name() != "DeepCopyInto" {
			a.flow(a.value(args[0]), a.resultOf(site, 0), site)
		} else if len(args) > 1 {
			a.store(args[1], a.value(args[0]), content(args[1].Type()), site)
		}
		return
	}
	if known || f.Blocks == nil {
		if obj != nil && call.IsInvoke() {
			args = args[1:] // the receiver is known from the interface
			if recv := f.Signature.Recv(); recv != nil && !known {
				a.escape(recv.Type(), &use{effect: boundary.ReadsAll, what: "passed to " + funcName(f), at: site, callee: obj, plain: a.isPlain(site, obj)}, nil)
			}
		}
		a.outside(site, obj, args, effect)
		return
	}
	a.reach(f)
	params := f.Params
	if !call.IsInvoke() && len(params) == len(args)+1 { // a method that is a value elsewhere
		params = params[1:]
	}
	for n, arg := range args {
		if n < len(params) {
			a.flow(a.value(arg), a.value(params[n]), site)
		}
	}
	for n := range f.Signature.Results().Len() {
		a.flow(a.result(f, n), a.resultOf(site, n), site)
	}
}

// outside passes the arguments of a call to a function that is not followed. f is nil if it is not known.
func (a *analysis) outside(site ssa.CallInstruction, f *types.Func, args []ssa.Value, effect boundary.Effect) {
	name := "a function that is not known"
	if f != nil {
		name = shortName(f)
	}
	if f != nil && f.Pkg() != nil && f.Pkg().Path() == "fmt" && printsTypes(args) {
		return
	}
	if name == "reflect.Value.Call" || name == "reflect.Value.CallSlice" {
		a.dispatches = true
		if a.refilled {
			a.fillForeign(handed)
		}
	}
	plain := a.isPlain(site, f)
	givesObjects := f == nil || f.Pkg() == nil || a.objects[f.Pkg()]
	objects := slices.ContainsFunc(args, a.isObject)
	for i, arg := range args {
		effect := effect
		receiver := i == 0 && len(args) > site.Common().Signature().Params().Len()
		sends := effect == boundary.ReadsKept || effect == boundary.Fills || effect == boundary.Writes
		_, isMap := arg.Type().Underlying().(*types.Map)
		if sends && objects && !receiver && !a.isObject(arg) || isMap {
			effect = boundary.ReadsAll // options, what is printed, and functions by name
		}
		switch effect {
		case boundary.Passes:
			for n := range site.Common().Signature().Results().Len() {
				a.flow(a.value(arg), a.resultOf(site, n), site)
			}
		case boundary.Calls:
			if m, ok := arg.(*ssa.MakeInterface); ok {
				a.callMethods(site, m, arg)
				continue
			}
			a.sink(a.value(arg), arg.Type(), &use{effect: boundary.ReadsAll, what: "passed to " + name, at: site, callee: f, plain: plain})
		default:
			u := &use{effect: effect, what: "passed to " + name, at: site, callee: f, plain: plain}
			u.fills = givesObjects
			a.sink(a.value(arg), arg.Type(), u)
		}
	}
	results := site.Common().Signature().Results()
	for n := range results.Len() {
		to := a.resultOf(site, n)
		if effect == boundary.Passes {
			a.add(to, foreign, nil, site) // functions may come back
			continue
		}
		if !boundary.ReturnsCopies(f) {
			a.storesIn(results.At(n).Type(), &use{effect: boundary.ReadsAll, what: "stored in what " + name + " returns", at: site, callee: f, plain: plain})
		}
		if !givesObjects {
			a.comesFrom(f.Pkg(), to, results.At(n).Type())
			continue
		}
		if isJSON(results.At(n).Type()) {
			continue
		}
		a.source(to, results.At(n).Type())
		if k := a.kindOf(results.At(n).Type()); to != nil && k != nil {
			a.get(k)
		}
		if item := itemsOf(strip(results.At(n).Type())); item != nil {
			a.get(a.kindOf(item))
		}
	}
}

// isJSON reports whether a type is that of JSON objects. These hold no objects of Go types.
func isJSON(t types.Type) bool {
	m, ok := t.Underlying().(*types.Map)
	return ok && isBasic(m.Key()) && types.Identical(m.Elem().Underlying(), types.NewInterfaceType(nil, nil))
}

// isPlain reports whether a function that is not followed finds no methods by reflection. Methods of interfaces may be those of any package,
// except for interfaces of the standard library and of packages that know objects.
func (a *analysis) isPlain(site ssa.CallInstruction, f *types.Func) bool {
	if f == nil || f.Pkg() == nil || a.finds[f.Pkg()] {
		return f != nil && f.Pkg() == nil // error
	}
	first, _, _ := strings.Cut(f.Pkg().Path(), "/")
	return !site.Common().IsInvoke() || !strings.Contains(first, ".") || a.objects[f.Pkg()]
}

// isObject reports whether a function knows an argument as an object or a list of objects.
func (a *analysis) isObject(arg ssa.Value) bool { return a.holdsObjects(arg.Type()) }

func (a *analysis) holdsObjects(t types.Type) bool {
	t = strip(t)
	if iface, ok := t.Underlying().(*types.Interface); ok {
		for m := range iface.Methods() {
			if m.Name() == "DeepCopyObject" {
				return true
			}
		}
		return a.objectsImplement(iface)
	}
	return isKind(t) || itemsOf(t) != nil
}

// printsTypes reports whether the constant format among the arguments of a function of package fmt has %T for each operand, and nothing else.
func printsTypes(args []ssa.Value) bool {
	for i, arg := range args[:max(len(args)-1, 0)] {
		if c, ok := arg.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.String {
			text := constant.StringVal(c.Value)
			n := strings.Count(text, "%")
			operands, ok := args[i+1].(*ssa.Slice)
			if !ok || n != strings.Count(text, "%T") {
				return false
			}
			array, ok := operands.X.Type().Underlying().(*types.Pointer)
			if !ok {
				return false
			}
			list, ok := array.Elem().Underlying().(*types.Array)
			return ok && list.Len() == int64(n)
		}
	}
	return false
}

// callMethods passes a value to its own methods.
func (a *analysis) callMethods(site ssa.CallInstruction, m *ssa.MakeInterface, arg ssa.Value) {
	iface, ok := arg.Type().Underlying().(*types.Interface)
	if !ok {
		return
	}
	set := a.ssa.MethodSets.MethodSet(m.X.Type())
	for method := range iface.Methods() {
		if s := set.Lookup(method.Pkg(), method.Name()); s != nil {
			if f := a.ssa.MethodValue(s); f != nil && f.Blocks != nil {
				a.reach(f)
				a.flow(a.value(m.X), a.value(f.Params[0]), site)
			} else {
				a.sink(a.value(m.X), m.X.Type(), &use{effect: boundary.ReadsAll, what: "passed to " + shortName(s.Obj().(*types.Func)), at: site})
			}
		}
	}
}

func (a *analysis) builtin(site ssa.CallInstruction, b *ssa.Builtin) {
	args := site.Common().Args
	switch b.Name() {
	case "append":
		if len(args) < 2 || site.Value() == nil {
			return
		}
		to := a.value(site.Value())
		a.flow(a.value(args[0]), to, site)
		a.flow(a.value(args[1]), to, site)
		if held := content(args[0].Type()); !isBasic(args[1].Type()) {
			a.step(a.value(args[1]), a.cellIn(&a.grown, held), site, func(f *field) *field { return f.elem() })
		}
	case "copy":
		if held := content(args[0].Type()); !isBasic(args[1].Type()) {
			a.step(a.value(args[1]), a.cell(held), site, func(f *field) *field { return f.elem() })
			a.read(a.value(args[1]), held, site)
		}
	case "delete":
		a.key(args[1], site)
	case "ssa:wrapnilchk":
		a.flow(a.value(args[0]), a.value(site.Value()), site)
	case "len", "cap", "clear", "close", "print", "println", "min", "max", "complex", "real", "imag", "recover", "ssa:deferstack":
	default: // of package unsafe
		for _, arg := range args {
			a.sink(a.value(arg), arg.Type(), &use{effect: boundary.ReadsAll, what: "passed to unsafe." + b.Name(), at: site})
		}
	}
}

// read marks the elements of a list of numbers or strings as read.
func (a *analysis) read(n *node, t types.Type, i ssa.Instruction) {
	if isBasic(t) {
		a.sink(n, t, &use{effect: boundary.ReadsAll, at: i})
	}
}
