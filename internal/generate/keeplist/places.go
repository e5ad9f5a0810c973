package keeplist

import (
	"context"
	"fmt"
	"go/types"
	"reflect"
	"strings"
)

// Place is a place in the objects of a Go type: the object itself, a field, the elements of a list or the values of a map.
type Place struct {
	path   string // spec.containers[].image, as the function Fields of generated code lists it
	parent *Place
	typ    types.Type // as declared
	leaf   bool
	below  []*Place // by the index of the field, or the elements; nil where they are not made yet
	none   []bool   // fields that are not part of the JSON form
}

// Path returns the path of p. Fields of an embedded struct have the paths of fields of the struct around it.
func (p *Place) Path() string { return p.path }

// IsLeaf reports whether p is kept or dropped whole.
func (p *Place) IsLeaf() bool { return p.leaf }

// metaPath is the import path of the types that objects embed.
const metaPath = "k8s.io/apimachinery/pkg/apis/meta/v1"

// Objects returns the place of whole objects of a type, and whether the places with these paths are leaves.
func Objects(ctx context.Context, t types.Type) (root *Place, isLeaf map[string]bool, err error) {
	if !embeds(t, "ObjectMeta") || !embeds(t, "TypeMeta") {
		return nil, nil, fmt.Errorf("%s is not a type of Kubernetes objects: it does not embed TypeMeta and ObjectMeta", t)
	}
	root, isLeaf = newPlace(nil, "", t), map[string]bool{}
	for all := []*Place{root}; len(all) > 0; all = all[1:] {
		if len(isLeaf) > maxPlaces {
			return nil, nil, fmt.Errorf("%s has more than %d fields", t, maxPlaces)
		}
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		isLeaf[all[0].path] = all[0].leaf
		all = append(all, all[0].Children()...)
	}
	return root, isLeaf, nil
}

// maxPlaces is how many places a type may have. Kubernetes' largest have thousands.
const maxPlaces = 100_000

// embeds reports whether t is a named struct that embeds a type of the API machinery.
func embeds(t types.Type, name string) bool {
	s, ok := t.Underlying().(*types.Struct)
	if _, named := types.Unalias(t).(*types.Named); !named || !ok {
		return false
	}
	for f := range s.Fields() {
		n, ok := types.Unalias(f.Type()).(*types.Named)
		if ok && f.Embedded() && n.Obj().Name() == name && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == metaPath {
			return true
		}
	}
	return false
}

// Strip returns the type without pointers, lists, arrays and maps: the type of what they hold.
func Strip(t types.Type) types.Type {
	for range 32 { // type T []T
		e := pointee(t)
		if c := content(e); c != nil {
			e = c
		}
		if e == t {
			break
		}
		t = e
	}
	return t
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

// content returns the type of the elements of a list or the values of a map, nil for other types.
func content(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return u.Elem()
	case *types.Array:
		return u.Elem()
	case *types.Map:
		return u.Elem()
	}
	return nil
}

// newPlace returns the place with a path and a type below parent.
func newPlace(parent *Place, path string, t types.Type) *Place {
	p := &Place{parent: parent, path: path, typ: t}
	held := pointee(t)
	switch u := held.Underlying().(type) {
	case *types.Struct:
		p.leaf = marshals(held)
		for above := parent; above != nil; above = above.parent {
			p.leaf = p.leaf || types.Identical(pointee(above.typ), held) // a recursive type
		}
		p.below, p.none = make([]*Place, u.NumFields()), make([]bool, u.NumFields())
	case *types.Slice, *types.Array, *types.Map:
		base := Strip(t)
		_, isStruct := base.Underlying().(*types.Struct)
		p.leaf = !isStruct || marshals(base) || marshals(held)
		p.below = make([]*Place, 1)
	default:
		p.leaf = true
	}
	return p
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

// Field returns the place of a field of a struct. It is false if the field is not part of the JSON form. Fields of a leaf are the leaf itself.
func (p *Place) Field(i int) (*Place, bool) {
	if p.leaf {
		return p, true
	}
	s, ok := pointee(p.typ).Underlying().(*types.Struct)
	if !ok || i >= s.NumFields() {
		return p, true
	}
	if p.below[i] == nil && !p.none[i] {
		name, inline, has := jsonName(s.Field(i), s.Tag(i))
		switch {
		case !has:
			p.none[i] = true
		case inline:
			p.below[i] = newPlace(p, p.path, s.Field(i).Type())
		default:
			p.below[i] = newPlace(p, strings.TrimPrefix(p.path+"."+name, "."), s.Field(i).Type())
		}
	}
	return p.below[i], !p.none[i]
}

// Elem returns the place of the elements of a list or the values of a map. Elements of a leaf are the leaf itself.
func (p *Place) Elem() *Place {
	list := pointee(p.typ)
	elem := content(list)
	if p.leaf || elem == nil {
		return p
	}
	if p.below[0] == nil {
		suffix := "[]"
		if _, isMap := list.Underlying().(*types.Map); isMap {
			suffix = "[*]"
		}
		p.below[0] = newPlace(p, p.path+suffix, elem)
	}
	return p.below[0]
}

// Children returns the fields of a struct that are part of the JSON form, or the elements of a list.
func (p *Place) Children() (all []*Place) {
	if p.leaf {
		return nil
	}
	if content(pointee(p.typ)) != nil {
		return []*Place{p.Elem()}
	}
	for i := range p.below {
		if b, ok := p.Field(i); ok {
			all = append(all, b)
		}
	}
	return all
}

// jsonName returns the name of a field as encoding/json writes it; inline reports whether its own fields stand in its place.
func jsonName(f *types.Var, tag string) (name string, inline, has bool) {
	tag = reflect.StructTag(tag).Get("json")
	name, options, _ := strings.Cut(tag, ",")
	if tag == "-" || !f.Exported() && !f.Embedded() {
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
