package specimen

import (
	"fmt"
	"maps"
	"slices"

	"github.com/prune-gen/prune-gen/structural"
)

// Node is a value while it is made: it knows its schema and stays in place while others grow.
type Node struct {
	// Schema is what the value was made from, nil inside of preserved subtrees and unknown fields.
	Schema *structural.Schema
	Role   Role
	Form   Form

	Scalar any
	List   []*Node
	Fields []Field // in the order in which they were added, keys unique
	// keys are those of the elements of a list, if they must differ.
	keys map[string]bool
}

// Field is a field of a map.
type Field struct {
	Key   string
	Value *Node
}

// Form is the JSON type that a node has at the moment.
type Form uint8

// Null is a scalar, too.
const (
	ScalarForm Form = iota
	ListForm
	MapForm
)

// Role is what a node is apart from its schema.
type Role uint8

// What a node can be.
const (
	Plain    Role = iota
	Resource      // has apiVersion, kind and metadata
	Metadata      // is the metadata of a resource, or below it
	TypeMeta      // is apiVersion or kind of a resource
	Free          // is inside of a preserved subtree or an unknown field
)

func (n *Node) index(key string) int {
	return slices.IndexFunc(n.Fields, func(f Field) bool { return f.Key == key })
}

// Get returns a field, nil if there is none.
func (n *Node) Get(key string) *Node {
	if i := n.index(key); i >= 0 {
		return n.Fields[i].Value
	}
	return nil
}

// Set adds a field or replaces the one of that name.
func (n *Node) Set(key string, value *Node) {
	if i := n.index(key); i >= 0 {
		n.Fields[i].Value = value
	} else {
		n.Fields = append(n.Fields, Field{key, value})
	}
}

// Remove removes a field, if there is one.
func (n *Node) Remove(key string) {
	n.Fields = slices.DeleteFunc(n.Fields, func(f Field) bool { return f.Key == key })
}

// repeats reports whether the list n already has an element that e must not repeat.
func (n *Node) repeats(e *Node) bool {
	if n.Schema == nil || n.Schema.XListType == nil || *n.Schema.XListType == "atomic" {
		return false
	}
	if n.keys == nil {
		n.keys = map[string]bool{}
	}
	key := any(e.Value())
	if fields, ok := key.(map[string]any); ok && *n.Schema.XListType == "map" {
		maps.DeleteFunc(fields, func(k string, _ any) bool { return !slices.Contains(n.Schema.XListMapKeys, k) })
	}
	text := fmt.Sprintf("%#v", key)
	has := n.keys[text]
	n.keys[text] = true
	return has
}

// reset makes n an empty list or map, unless it has that form already.
func (n *Node) reset(f Form) {
	if n.Form != f {
		n.Form, n.List, n.Fields = f, nil, nil
	}
}

// Become makes n the scalar v.
func (n *Node) Become(v any) {
	n.Form, n.Scalar, n.List, n.Fields = ScalarForm, v, nil, nil
}

// Value returns what n stands for.
func (n *Node) Value() any {
	switch n.Form {
	case ListForm:
		list := make([]any, len(n.List))
		for i, e := range n.List {
			list[i] = e.Value()
		}
		return list
	case MapForm:
		m := make(map[string]any, len(n.Fields))
		for _, f := range n.Fields {
			m[f.Key] = f.Value.Value()
		}
		return m
	}
	return n.Scalar
}

// Object returns what the root of an object stands for.
func (n *Node) Object() map[string]any {
	obj, ok := n.Value().(map[string]any)
	if !ok {
		panic("specimen: the root is no longer a map")
	}
	return obj
}

// size returns about how many bytes n has as JSON.
func (n *Node) size() int {
	total := 2
	for _, e := range n.List {
		total += e.size() + 1
	}
	for _, f := range n.Fields {
		total += len(f.Key) + 4 + f.Value.size()
	}
	if n.Form != ScalarForm {
		return total
	}
	switch v := n.Scalar.(type) {
	case string:
		return len(v) + 2
	case bool, nil:
		return 4
	}
	return len(fmt.Sprint(n.Scalar))
}
