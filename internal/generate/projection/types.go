package projection

import (
	"context"
	"fmt"
	"go/format"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/internal/base/sorted"
	"github.com/prune-gen/prune-gen/internal/generate/keeplist"
	"github.com/prune-gen/prune-gen/internal/generate/target"
)

// Function returns the file with a function called name that sets to zero, in objects of a Go type, what a list does not keep. The package called pkg,
// which it becomes a part of, has the import path own.
func Function(ctx context.Context, t types.Type, l *keeplist.List, name, pkg, own string) (generator.File, error) {
	file := generator.File{Name: generator.ProjectionFile(name)}
	root, isLeaf, err := keeplist.Objects(ctx, t)
	if err != nil {
		return file, err
	}
	if err := l.Check(isLeaf); err != nil {
		return file, err
	}
	w := &writer{list: l, own: own, imports: map[string]string{}, taken: map[string]bool{name: true}}
	param := w.name(t)
	w.object(root, t, "obj", "*obj", 1)
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\npackage %s\n\nimport (\n", generator.GeneratedBy, pkg)
	for _, p := range sorted.Keys(w.imports) {
		fmt.Fprintf(&b, "%s %q\n", w.imports[p], p)
	}
	fmt.Fprintf(&b, `)

// %[1]s sets to zero, in place, what the list %[2]s does not keep of obj. It writes to what pointers, lists and
// maps in obj hold, too: nothing else may use them meanwhile. In the transform of a cache, nothing does.
func %[1]s(obj *%[3]s) {
%[4]s}
`, name, path.Base(l.File), param, w.body.String())
	file.Content, err = format.Source([]byte(b.String()))
	return file, err
}

// writer writes the statements of a function.
type writer struct {
	list    *keeplist.List
	own     string            // the package that the function is in
	imports map[string]string // names by path
	taken   map[string]bool
	body    strings.Builder
}

func (w *writer) line(text string, args ...any) { fmt.Fprintf(&w.body, text+"\n", args...) }

// keep returns what is kept of a field of type t, whose place is c, in a struct at another place. The path of an embedded struct is that of the struct
// around it, so its fields decide.
func (w *writer) keep(c, around *keeplist.Place, t types.Type) keeplist.Keep {
	k := w.list.Keep(c.Path())
	s, ok := pointee(t).Underlying().(*types.Struct)
	if !ok || c.Path() != around.Path() || k == keeplist.All || k == keeplist.None {
		return k
	}
	if c.IsLeaf() {
		return keeplist.All
	}
	all, some := true, false
	for i := range s.NumFields() {
		if f, ok := c.Field(i); ok {
			below := w.keep(f, c, s.Field(i).Type())
			all, some = all && below == keeplist.All, some || below != keeplist.None
		}
	}
	switch {
	case !some && (k == keeplist.Some || !all):
		return keeplist.None
	case all:
		return keeplist.All
	}
	return k
}

// names reports whether the fields of a struct that are set to zero are named. Otherwise those that are kept are, in a composite literal, which a
// struct with a lock must not be copied into.
func names(keep keeplist.Keep, t types.Type) bool { return keep == keeplist.Most || hasLock(t) }

// object writes the statements for a struct that is not kept whole. The expression target is what it is assigned to.
func (w *writer) object(p *keeplist.Place, t types.Type, expr, target string, depth int) {
	if !names(w.list.Keep(p.Path()), t) {
		w.line("%s = %s", target, w.literal(p, t, expr))
	}
	w.fields(p, t, expr, depth)
}

// literal returns a struct with what is kept of the one in an expression. Below pointers, in lists and in maps, everything is.
func (w *writer) literal(p *keeplist.Place, t types.Type, expr string) string {
	var b strings.Builder
	s := t.Underlying().(*types.Struct)
	b.WriteString(w.name(t) + "{\n")
	for i := range s.NumFields() {
		f := s.Field(i)
		c, ok := p.Field(i)
		if !ok {
			continue
		}
		switch keep := w.keep(c, p, f.Type()); {
		case keep == keeplist.None:
			continue
		case keep == keeplist.Some && isStruct(f.Type()) && !names(keep, f.Type()):
			fmt.Fprintf(&b, "%s: %s,\n", f.Name(), w.literal(c, f.Type(), expr+"."+f.Name()))
		default:
			fmt.Fprintf(&b, "%[1]s: %s.%[1]s,\n", f.Name(), expr)
		}
	}
	return b.String() + "}"
}

// fields writes the statements for the fields of a struct, after what its literal does.
func (w *writer) fields(p *keeplist.Place, t types.Type, expr string, depth int) {
	named := names(w.list.Keep(p.Path()), t)
	s := t.Underlying().(*types.Struct)
	for i := range s.NumFields() {
		f := s.Field(i)
		c, ok := p.Field(i)
		if !ok {
			continue
		}
		keep := w.keep(c, p, f.Type())
		if keep == keeplist.All || keep == keeplist.None && !named {
			continue
		}
		at := expr + "." + f.Name()
		switch {
		case keep == keeplist.None:
			w.line("%s = %s", at, w.zero(f.Type()))
		case !isStruct(f.Type()):
			w.below(c, f.Type(), at, depth)
		case named && !names(keep, f.Type()):
			w.line("%s = %s", at, w.literal(c, f.Type(), at))
			fallthrough
		default:
			w.fields(c, f.Type(), at, depth)
		}
	}
}

// below writes the statements for what a pointer, list or map holds.
func (w *writer) below(p *keeplist.Place, t types.Type, expr string, depth int) {
	v, i := variable("v", depth), variable("i", depth)
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		if isStruct(u.Elem()) {
			w.line("if %s := %s; %[1]s != nil {", v, expr)
			w.object(p, u.Elem(), v, "*"+v, depth+1)
		} else {
			w.line("if %s != nil {", expr)
			w.below(p, u.Elem(), "(*"+expr+")", depth)
		}
		w.line("}")
	case *types.Slice:
		w.elements(p.Elem(), u.Elem(), expr, v, i, depth)
	case *types.Array:
		w.elements(p.Elem(), u.Elem(), expr, v, i, depth)
	case *types.Map:
		elem, k := p.Elem(), variable("k", depth)
		_, isArray := u.Elem().Underlying().(*types.Array)
		switch {
		case isStruct(u.Elem()):
			w.line("for %s, %s := range %s {", k, v, expr)
			w.object(elem, u.Elem(), v, v, depth+1)
			w.line("%s[%s] = %s", expr, k, v)
		case isArray:
			w.line("for %s, %s := range %s {", k, v, expr)
			w.below(elem, u.Elem(), v, depth+1)
			w.line("%s[%s] = %s", expr, k, v)
		default:
			w.line("for _, %s := range %s {", v, expr)
			w.below(elem, u.Elem(), v, depth+1)
		}
		w.line("}")
	}
}

// elements writes the loop over the elements of a list.
func (w *writer) elements(p *keeplist.Place, t types.Type, expr, v, i string, depth int) {
	at := expr + "[" + i + "]"
	w.line("for %s := range %s {", i, expr)
	if isStruct(t) {
		w.line("%s := &%s", v, at)
		w.object(p, t, v, "*"+v, depth+1)
	} else {
		w.below(p, t, at, depth+1)
	}
	w.line("}")
}

// variable returns the name of a variable in so many loops.
func variable(name string, depth int) string {
	if depth == 1 {
		return name
	}
	return name + strconv.Itoa(depth)
}

// zero returns the zero value of a type.
func (w *writer) zero(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return w.name(t) + "{}"
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsString != 0:
			return `""`
		case info&types.IsBoolean != 0:
			return "false"
		case info&types.IsNumeric != 0:
			return "0"
		}
	}
	return "nil"
}

// name returns the name of a type. Whether the function can use it is left to the compiler.
func (w *writer) name(t types.Type) string {
	return types.TypeString(types.Unalias(t), func(p *types.Package) string {
		if p.Path() == w.own {
			return ""
		}
		return w.importName(p)
	})
}

// importName returns the name of an import: that of the package or, for a version, with the name of its directory before it, as in corev1.
func (w *writer) importName(p *types.Package) string {
	if name := w.imports[p.Path()]; name != "" {
		return name
	}
	name := p.Name()
	if target.IsVersionName(name) {
		name = strings.Map(func(r rune) rune {
			if r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				return -1
			}
			return unicode.ToLower(r)
		}, path.Base(path.Dir(p.Path()))) + name
	}
	name = strings.TrimLeft(name, "0123456789")
	used := slices.Contains([]string{"obj", "v", "i", "k"}, strings.TrimRight(name, "0123456789")) || types.Universe.Lookup(name) != nil || !generator.IsPackageName(name)
	for base, n := name, 2; used || w.taken[name]; n++ {
		name, used = fmt.Sprintf("%s_%d", base, n), false
	}
	w.taken[name], w.imports[p.Path()] = true, name
	return name
}

func isStruct(t types.Type) bool { _, ok := t.Underlying().(*types.Struct); return ok }

func pointee(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// hasLock reports whether values of a type must not be copied, by what go vet says.
func hasLock(t types.Type) bool {
	if types.NewMethodSet(types.NewPointer(t)).Lookup(nil, "Lock") != nil && !types.IsInterface(t) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return hasLock(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if hasLock(f.Type()) {
				return true
			}
		}
	}
	return false
}
