package reads

import (
	"context"
	"fmt"
	"go/types"
	"reflect"
	"strings"

	"github.com/prune-gen/prune-gen/internal/reads/boundary"
)

// A field is a place in the objects of a Go type: the object itself, a field, the elements of a list or the values of a map.
type field struct {
	parent *field
	path   string     // as the function Fields of generated code lists it: spec.containers[].image
	typ    types.Type // as declared
	base   types.Type // what remains of typ without pointers, lists and maps
	leaf   bool       // nothing below it is told apart

	below []*field // by the index of the field, or the elements; nil where they are not made yet
	none  []bool   // fields that are not part of the JSON form
}

// kind is a Go type of Kubernetes objects.
type kind struct {
	typ  *types.Named
	root *field
	got  bool // the program gets such objects
}

// strip returns the type without pointers, lists, arrays, channels, and maps: the type of what they hold.
func strip(t types.Type) types.Type {
	for range 32 { // type T []T
		switch u := t.Underlying().(type) {
		case *types.Pointer:
			t = u.Elem()
		case *types.Slice:
			t = u.Elem()
		case *types.Array:
			t = u.Elem()
		case *types.Chan:
			t = u.Elem()
		case *types.Map:
			t = u.Elem()
		default:
			return types.Unalias(t)
		}
	}
	return types.Unalias(t)
}

// pointee returns the type without pointers.
func pointee(t types.Type) types.Type {
	for range 32 {
		p, ok := t.Underlying().(*types.Pointer)
		if !ok {
			break
		}
		t = p.Elem()
	}
	return types.Unalias(t)
}

// content returns the type of what a pointer, list, array, map or channel holds.
func content(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		if a, ok := u.Elem().Underlying().(*types.Array); ok {
			return a.Elem()
		}
		return u.Elem()
	case *types.Slice:
		return u.Elem()
	case *types.Array:
		return u.Elem()
	case *types.Chan:
		return u.Elem()
	case *types.Map:
		return u.Elem()
	}
	return nil
}

func isNamed(t types.Type, path, name string) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == name && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == path
}

// embeds reports whether t is a named struct that embeds a type of the API machinery.
func embeds(t types.Type, name string) bool {
	s, ok := t.Underlying().(*types.Struct)
	if _, named := types.Unalias(t).(*types.Named); !named || !ok {
		return false
	}
	for f := range s.Fields() {
		if f.Embedded() && isNamed(f.Type(), boundary.MetaPath, name) {
			return true
		}
	}
	return false
}

// isKind reports whether t is a type of objects.
func isKind(t types.Type) bool {
	return embeds(t, "ObjectMeta") && embeds(t, "TypeMeta") || isNamed(t, boundary.UnstructuredPath, "Unstructured")
}

// itemsOf returns the type of the objects in a list, nil if t is not a type of lists.
func itemsOf(t types.Type) types.Type {
	if isNamed(t, boundary.UnstructuredPath, "UnstructuredList") || embeds(t, "ListMeta") {
		s := t.Underlying().(*types.Struct)
		for f := range s.Fields() {
			if f.Name() == "Items" && isKind(strip(f.Type())) {
				return strip(f.Type())
			}
		}
	}
	return nil
}

// newField returns the place with a path and a type below parent.
func newField(parent *field, path string, t types.Type) *field {
	f := &field{parent: parent, path: path, typ: t, base: strip(t)}
	held := pointee(t)
	switch u := held.Underlying().(type) {
	case *types.Struct:
		f.leaf = marshals(held) || isNamed(held, boundary.UnstructuredPath, "Unstructured")
		for p := parent; p != nil; p = p.parent {
			f.leaf = f.leaf || types.Identical(pointee(p.typ), held) // a recursive type
		}
		f.below, f.none = make([]*field, u.NumFields()), make([]bool, u.NumFields())
	case *types.Slice, *types.Array, *types.Map:
		_, basic := f.base.Underlying().(*types.Struct)
		f.leaf = !basic || marshals(f.base) || marshals(held)
		f.below = make([]*field, 1)
	default:
		f.leaf = true
	}
	return f
}

// marshals reports whether a type writes its own JSON.
func marshals(t types.Type) bool {
	for _, t := range []types.Type{t, types.NewPointer(t)} {
		if m := types.NewMethodSet(t).Lookup(nil, "MarshalJSON"); m != nil {
			return true
		}
	}
	return false
}

// field returns the place of a field of a struct, nil if it is not part of the JSON form.
func (f *field) field(i int) *field {
	if f.leaf {
		return f
	}
	s, ok := pointee(f.typ).Underlying().(*types.Struct)
	if !ok || i >= s.NumFields() {
		return f
	}
	if f.below[i] == nil && !f.none[i] {
		name, inline, has := jsonName(s.Field(i), s.Tag(i))
		switch {
		case !has:
			f.none[i] = true
		case inline:
			f.below[i] = newField(f, f.path, s.Field(i).Type())
		default:
			f.below[i] = newField(f, join(f.path, name), s.Field(i).Type())
		}
	}
	return f.below[i]
}

// elem returns the place of the elements of a list or the values of a map.
func (f *field) elem() *field {
	if f.leaf {
		return f
	}
	suffix := "[]"
	switch pointee(f.typ).Underlying().(type) {
	case *types.Map:
		suffix = "[*]"
	case *types.Slice, *types.Array:
	default:
		return f
	}
	if f.below[0] == nil {
		f.below[0] = newField(f, f.path+suffix, content(pointee(f.typ)))
	}
	return f.below[0]
}

// isList reports whether f has elements, and they are places of their own.
func (f *field) isList() bool {
	_, isStruct := pointee(f.typ).Underlying().(*types.Struct)
	return !f.leaf && !isStruct
}

// children returns the fields of a struct that are part of the JSON form, or the elements of a list.
func (f *field) children() (all []*field) {
	switch {
	case f.leaf:
	case f.isList():
		all = append(all, f.elem())
	default:
		for i := range f.below {
			if b := f.field(i); b != nil {
				all = append(all, b)
			}
		}
	}
	return all
}

// maxPlaces is how many places a type may have. Kubernetes' largest have thousands.
const maxPlaces = 100_000

// places returns f and all places below it that are told apart.
func (f *field) places(ctx context.Context) ([]*field, error) {
	all := []*field{f}
	for i := 0; i < len(all); i++ {
		if len(all) > maxPlaces {
			return nil, fmt.Errorf("%s has more than %d fields", typeName(f.typ), maxPlaces)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		all = append(all, all[i].children()...)
	}
	return all, nil
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// jsonName returns the name of a field as encoding/json writes it; inline reports whether its own fields stand in its place.
func jsonName(f *types.Var, tag string) (name string, inline, has bool) {
	name, options, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
	if name == "-" && options == "" || !f.Exported() && !f.Embedded() {
		return "", false, false
	}
	if _, isStruct := pointee(f.Type()).Underlying().(*types.Struct); name == "" && isStruct && (f.Embedded() || strings.Contains(options, "inline")) {
		return "", true, true
	}
	if name == "" {
		name = f.Name()
	}
	return name, false, true
}
