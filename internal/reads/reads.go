// Package reads finds the fields of Kubernetes objects that a Go program can read.
//
// It follows objects from where the program gets them, through all functions that it can reach: each value has labels, the places of
// objects that it may be. Selecting a field leads to the place of the field; loading a string or a number reads it. Copies, closures,
// interfaces and calls pass labels on, whichever objects they have been made from. What comes from code that is not followed, such as
// client-go, is an object from a cache, and what goes there is read whole, unless a row of the table knows better. So the result may have
// too many fields, and not too few.
package reads

import (
	"cmp"
	"context"
	"fmt"
	"go/types"
	"iter"
	"maps"
	"slices"
	"strings"
)

// Result is what a program reads.
type Result struct {
	Types []Type `json:"types"`
}

// Type is a Go type of objects.
type Type struct {
	Name   string `json:"type"`   // k8s.io/api/core/v1.Pod
	Fields int    `json:"fields"` // how many it has
	Read   int    `json:"read"`   // of them, with those that are always kept
	Kept   int    `json:"kept"`   // of them, with those that are written
	Reads  []Read `json:"reads"`
	Writes []Read `json:"writes"`
}

// Read is a field that the program reads, or that it sends to the server together with all others.
type Read struct {
	Path  string `json:"path"`            // everything below it is read, too; "" is the object
	Why   string `json:"why,omitempty"`   // the object or the part is passed on; "" if the field is selected
	Place string `json:"place"`           // file and line
	Via   string `json:"via,omitempty"`   // where the program passes it on, if the place is in another module
	Hint  string `json:"hint,omitempty"`  // whether a patch would do
	Patch bool   `json:"patch,omitempty"` // a patch is sent, with lists whole
}

// Always are the fields that are always kept.
var Always = []string{
	"apiVersion", "kind", "metadata.creationTimestamp", "metadata.deletionTimestamp", "metadata.finalizers", "metadata.generation", "metadata.labels",
	"metadata.name", "metadata.namespace", "metadata.ownerReferences", "metadata.resourceVersion", "metadata.uid",
}

// Find loads a program and returns what it reads.
func Find(ctx context.Context, c Config) (*Result, error) {
	if c.Progress == nil {
		c.Progress = func(string, ...any) {}
	}
	p, err := load(ctx, c)
	if err != nil {
		return nil, err
	}
	a, err := analyse(ctx, p, c)
	if err != nil {
		return nil, err
	}
	result := &Result{}
	named := map[*kind]bool{}
	for _, name := range c.Types {
		t, err := p.findType(name)
		if err != nil {
			return nil, err
		}
		named[a.kindOf(t)] = true
	}
	for _, k := range a.order {
		if k.got && (len(named) == 0 || named[k]) {
			r, err := a.report(ctx, k)
			if err != nil {
				return nil, err
			}
			result.Types = append(result.Types, r)
		}
	}
	slices.SortFunc(result.Types, func(x, y Type) int { return cmp.Compare(x.Name, y.Name) })
	return result, nil
}

// findType returns the type of objects with a name, which may leave out the path of the package or its beginning.
func (p *program) findType(name string) (*types.Named, error) {
	var found []*types.Named
	dot := strings.LastIndex(name, ".")
	for _, pkg := range sorted(p.all) {
		path := name[:max(dot, 0)]
		if path != "" && pkg.Path() != path && !strings.HasSuffix(pkg.Path(), "/"+path) {
			continue
		}
		if t, ok := pkg.Scope().Lookup(name[dot+1:]).(*types.TypeName); ok {
			if named, ok := t.Type().(*types.Named); ok && isKind(named) {
				found = append(found, named)
			}
		}
	}
	switch len(found) {
	case 0:
		return nil, fmt.Errorf("the program has no type %s of Kubernetes objects", name)
	case 1:
		return found[0], nil
	}
	return nil, fmt.Errorf("%s is ambiguous: %s and %s", name, typeName(found[0]), typeName(found[1]))
}

// sorted returns the values of a map, ordered by key.
func sorted[V any](m map[string]V) iter.Seq2[int, V] {
	return func(yield func(int, V) bool) {
		for i, key := range slices.Sorted(maps.Keys(m)) {
			if !yield(i, m[key]) {
				return
			}
		}
	}
}
