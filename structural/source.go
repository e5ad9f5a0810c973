package structural

import (
	"fmt"
	"unicode/utf8"
)

// kind is what a node is, in the terms of JSON, with integers and other numbers apart as Kubernetes keeps them.
type kind uint8

const (
	kindNull kind = iota
	kindBool
	kindInt
	kindFloat
	kindString
	kindList
	kindMap
)

// node is one value of a document together with its place. Nodes are never changed once they are parsed: a YAML alias
// and its anchor share one, so that a tree takes memory for what is written and not for what it stands for.
type node struct {
	kind    kind
	boolean bool
	pos     pos
	integer int64
	float   float64
	text    string
	list    []*node
	entries []entry // in the order of the document

	// size and height count the nodes and levels of the tree below and including this one, aliases followed.
	size   int
	height int
}

// entry is one key of a map with its value.
type entry struct {
	key   string
	pos   pos // of the key
	value *node
}

// pos is a place in a document; line and column count from 1, columns in characters.
type pos struct {
	line, column int
}

// get returns the entry for key, nil where n is no map or has no such key.
func (n *node) get(key string) *entry {
	if n == nil {
		return nil
	}
	for i := range n.entries {
		if n.entries[i].key == key {
			return &n.entries[i]
		}
	}
	return nil
}

// child returns the value for key, nil where n is no map or has no such key.
func (n *node) child(key string) *node {
	if e := n.get(key); e != nil {
		return e.value
	}
	return nil
}

// str returns the string that n is, "" for anything else.
func (n *node) str() string {
	if n == nil || n.kind != kindString {
		return ""
	}
	return n.text
}

// isNull tells whether n is absent or null, which Kubernetes reads alike nearly everywhere.
func (n *node) isNull() bool {
	return n == nil || n.kind == kindNull
}

// value returns n as JSON values: nil, bool, int64, float64, string, []any and map[string]any.
func (n *node) value() any {
	switch n.kind {
	case kindBool:
		return n.boolean
	case kindInt:
		return n.integer
	case kindFloat:
		return n.float
	case kindString:
		return n.text
	case kindList:
		list := make([]any, len(n.list))
		for i, e := range n.list {
			list[i] = e.value()
		}
		return list
	case kindMap:
		m := make(map[string]any, len(n.entries))
		for i := range n.entries {
			m[n.entries[i].key] = n.entries[i].value.value()
		}
		return m
	}
	return nil
}

// describe names n in a message: the kind of thing it is and, for a scalar, which one.
func (n *node) describe() string {
	switch n.kind {
	case kindBool:
		return fmt.Sprintf("the boolean %t", n.boolean)
	case kindInt:
		return fmt.Sprintf("the integer %d", n.integer)
	case kindFloat:
		return fmt.Sprintf("the number %v", n.float)
	case kindString:
		return fmt.Sprintf("the string %q", shorten(n.text))
	case kindList:
		return "a list"
	case kindMap:
		return "an object"
	}
	return "null"
}

// shorten cuts a text from a document to what fits into a message.
func shorten(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "..."
}

// grow counts child as a part of n.
func (n *node) grow(child *node) {
	n.size += child.size
	n.height = max(n.height, child.height+1)
}

// keySet finds a key among the entries of one map. Most maps are small enough to look through.
type keySet map[string]int

// find returns the entry for key, nil where there is none. It is called for each key before that is appended to entries.
func (s *keySet) find(entries []entry, key string) *entry {
	const few = 8
	if len(entries) < few {
		for i := range entries {
			if entries[i].key == key {
				return &entries[i]
			}
		}
		return nil
	}
	if *s == nil {
		*s = make(keySet, 2*len(entries))
	}
	for i := len(*s); i < len(entries); i++ {
		(*s)[entries[i].key] = i
	}
	if i, ok := (*s)[key]; ok {
		return &entries[i]
	}
	return nil
}
