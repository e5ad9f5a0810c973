package reads

import (
	"context"
	"fmt"
	"go/types"
)

// Place is a place in the objects of a Go type: the object itself, a field, the elements of a list or the values of a map.
type Place struct{ f *field }

// Objects returns the place of whole objects of a type, and whether the places with these paths are leaves.
func Objects(ctx context.Context, t types.Type) (root Place, isLeaf map[string]bool, err error) {
	if !embeds(t, "ObjectMeta") || !embeds(t, "TypeMeta") {
		return Place{}, nil, fmt.Errorf("%s is not a type of Kubernetes objects: it does not embed TypeMeta and ObjectMeta", typeName(t))
	}
	root = Place{newField(nil, "", t)}
	all, err := root.f.places(ctx)
	isLeaf = map[string]bool{}
	for _, f := range all {
		isLeaf[f.path] = f.leaf
	}
	return root, isLeaf, err
}

// Path returns the path of p. Fields of an embedded struct have the paths of fields of the struct around it.
func (p Place) Path() string { return p.f.path }

// IsLeaf reports whether nothing below p is told apart.
func (p Place) IsLeaf() bool { return p.f.leaf }

// Field returns the place of a field of a struct. It is false if the field is not part of the JSON form.
func (p Place) Field(i int) (Place, bool) {
	f := p.f.field(i)
	return Place{f}, f != nil
}

// Elem returns the place of the elements of a list or the values of a map.
func (p Place) Elem() Place { return Place{p.f.elem()} }

// Covers reports whether a path is another one, or the beginning of it.
func Covers(path, of string) bool { return covers(path, of) }
