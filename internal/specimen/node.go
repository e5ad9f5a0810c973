package specimen

import (
	"fmt"
	"maps"
	"slices"

	"github.com/prune-gen/prune-gen/structural"
)

// node is a value while it is made: it knows its schema and stays in place while others grow.
type node struct {
	// schema is what the value was made from, nil inside of preserved subtrees and unknown fields.
	schema *structural.Schema
	role   role
	form   form

	scalar any
	list   []*node
	fields []field // in the order in which they were added, keys unique
	// keys are those of the elements of a list in which they must differ.
	keys map[string]bool
}

type field struct {
	key   string
	value *node
}

// form is the JSON type that a node has at the moment.
type form uint8

const (
	scalarForm form = iota
	listForm
	mapForm
)

// role is what a node is beyond its schema.
type role uint8

const (
	plain    role = iota
	resource      // has apiVersion, kind and metadata
	metadata      // is the metadata of a resource, or below it
	typeMeta      // is apiVersion or kind of a resource
	free          // is inside of a preserved subtree or an unknown field
)

func (n *node) index(key string) int {
	return slices.IndexFunc(n.fields, func(f field) bool { return f.key == key })
}

func (n *node) get(key string) *node {
	if i := n.index(key); i >= 0 {
		return n.fields[i].value
	}
	return nil
}

// set adds a field or replaces the one of that name.
func (n *node) set(key string, value *node) {
	if i := n.index(key); i >= 0 {
		n.fields[i].value = value
	} else {
		n.fields = append(n.fields, field{key, value})
	}
}

func (n *node) remove(key string) {
	n.fields = slices.DeleteFunc(n.fields, func(f field) bool { return f.key == key })
}

// repeats reports whether the list n has an element already that must not stand in it beside e.
func (n *node) repeats(e *node) bool {
	if n.schema == nil || n.schema.XListType == nil || *n.schema.XListType == "atomic" {
		return false
	}
	if n.keys == nil {
		n.keys = map[string]bool{}
	}
	key := any(e.value())
	if fields, ok := key.(map[string]any); ok && *n.schema.XListType == "map" {
		maps.DeleteFunc(fields, func(k string, _ any) bool { return !slices.Contains(n.schema.XListMapKeys, k) })
	}
	text := fmt.Sprintf("%#v", key)
	has := n.keys[text]
	n.keys[text] = true
	return has
}

// reset makes n an empty list or map, unless it has that form already.
func (n *node) reset(f form) {
	if n.form != f {
		n.form, n.list, n.fields = f, nil, nil
	}
}

// become makes n the scalar v.
func (n *node) become(v any) {
	n.form, n.scalar, n.list, n.fields = scalarForm, v, nil, nil
}

// value returns what n stands for.
func (n *node) value() any {
	switch n.form {
	case listForm:
		list := make([]any, len(n.list))
		for i, e := range n.list {
			list[i] = e.value()
		}
		return list
	case mapForm:
		m := make(map[string]any, len(n.fields))
		for _, f := range n.fields {
			m[f.key] = f.value.value()
		}
		return m
	}
	return n.scalar
}

// object returns what the root of an object stands for.
func (n *node) object() map[string]any {
	obj, ok := n.value().(map[string]any)
	if !ok {
		panic("specimen: the root is no longer a map")
	}
	return obj
}

// size returns about how many bytes n has as JSON.
func (n *node) size() int {
	total := 2
	for _, e := range n.list {
		total += e.size() + 1
	}
	for _, f := range n.fields {
		total += len(f.key) + 4 + f.value.size()
	}
	if n.form != scalarForm {
		return total
	}
	switch v := n.scalar.(type) {
	case string:
		return len(v) + 2
	case bool, nil:
		return 4
	}
	return len(fmt.Sprint(n.scalar))
}
