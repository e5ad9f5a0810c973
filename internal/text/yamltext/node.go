package yamltext

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Kind is the JSON type of a Node, with integers distinguished from other numbers as in Kubernetes.
type Kind uint8

const (
	Null Kind = iota
	Bool
	Int
	Float
	String
	List
	Map
)

// Node is one value of a document together with its place. Nodes are never changed once they are parsed: a YAML alias
// and its anchor share one, so that a tree takes memory only for what is written, not for what aliases expand to.
type Node struct {
	Kind    Kind
	Pos     Pos
	List    []*Node
	Entries []Entry // in the order of the document

	scalar any // nil, bool, int64, float64 or string
	// size, bytes and height count the nodes, the bytes of keys and strings, and the levels of the tree below and including
	// this one, aliases followed. paths is about how many bytes the paths of all nodes below have.
	size   int
	bytes  int
	height int
	paths  int64
}

// Entry is one key of a map with its value.
type Entry struct {
	Key   string
	Pos   Pos // of the key
	Value *Node
}

// Pos is a place in a text. Line and Column count from 1, columns in characters.
type Pos struct {
	Line, Column int
}

func newScalar(v any, at Pos) *Node {
	n := &Node{Pos: at, scalar: v, size: 1, height: 1}
	switch v := v.(type) {
	case bool:
		n.Kind = Bool
	case int64:
		n.Kind = Int
	case float64:
		n.Kind = Float
	case string:
		n.Kind, n.bytes = String, len(v)
	}
	return n
}

func newParent(kind Kind, at Pos) *Node {
	return &Node{Kind: kind, Pos: at, size: 1, height: 1}
}

// grow counts child as a part of n. The key is empty for the element of a list.
func (n *Node) grow(key string, child *Node) {
	n.size += child.size
	n.bytes += len(key) + child.bytes
	n.height = max(n.height, child.height+1)
	n.paths += int64(max(len(key), len("[00]"))+1)*int64(child.size) + child.paths
}

// MostJSON returns a number of bytes that n does not exceed as JSON.
func (n *Node) MostJSON() int {
	const ofScalar, escape = len("-1.7976931348623157e+308") + len(`"":,`), len("\\u0000")
	return ofScalar*n.size + escape*n.bytes
}

// Get returns the entry for key, nil if n is not a map or has no such key.
func (n *Node) Get(key string) *Entry {
	if n == nil {
		return nil
	}
	for i := range n.Entries {
		if n.Entries[i].Key == key {
			return &n.Entries[i]
		}
	}
	return nil
}

// Child returns the value for key, nil if n is not a map or has no such key.
func (n *Node) Child(key string) *Node {
	if e := n.Get(key); e != nil {
		return e.Value
	}
	return nil
}

// Str returns the value of n if it is a string, "" otherwise.
func (n *Node) Str() string {
	if n == nil {
		return ""
	}
	s, _ := n.scalar.(string)
	return s
}

// Bool reports whether n is true.
func (n *Node) Bool() bool { return n != nil && n.scalar == true }

// Elements returns the elements of n if it is a list, none otherwise.
func (n *Node) Elements() []*Node {
	if n == nil {
		return nil
	}
	return n.List
}

// Element returns element i of n, nil if n is not a list or has no such element.
func (n *Node) Element(i int) *Node {
	if n == nil || i >= len(n.List) {
		return nil
	}
	return n.List[i]
}

// Strings returns the elements of n as strings, nil if n is not a list.
func (n *Node) Strings() []string {
	if n == nil || n.Kind != List {
		return nil
	}
	all := make([]string, len(n.List))
	for i, e := range n.List {
		all[i] = e.Str()
	}
	return all
}

// IsNull reports whether n is absent or null, which Kubernetes reads alike nearly everywhere.
func (n *Node) IsNull() bool {
	return n == nil || n.Kind == Null
}

// Value returns n as JSON values: nil, bool, int64, float64, string, []any and map[string]any.
func (n *Node) Value() any {
	switch n.Kind {
	case List:
		list := make([]any, len(n.List))
		for i, e := range n.List {
			list[i] = e.Value()
		}
		return list
	case Map:
		m := make(map[string]any, len(n.Entries))
		for i := range n.Entries {
			m[n.Entries[i].Key] = n.Entries[i].Value.Value()
		}
		return m
	}
	return n.scalar
}

// Describe names n in a message: its kind and, for a scalar, its value.
func (n *Node) Describe() string {
	switch n.Kind {
	case Bool:
		return fmt.Sprintf("the boolean %v", n.scalar)
	case Int:
		return fmt.Sprintf("the integer %v", n.scalar)
	case Float:
		return fmt.Sprintf("the number %v", n.scalar)
	case String:
		return fmt.Sprintf("the string %q", Shorten(n.Str()))
	case List:
		return "a list"
	case Map:
		return "an object"
	}
	return "null"
}

// QuoteHint says what to do if n should be a string, "" if it is one.
func (n *Node) QuoteHint() string {
	switch n.Kind {
	case Bool:
		return "put it in quotes: YAML reads true, false, yes, no, on, off, y and n as booleans"
	case Int, Float:
		return "put it in quotes"
	}
	return ""
}

// Shorten cuts a text from a document to what fits into a message.
func Shorten(s string) string {
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

// ListSome names the first few of a list, each shortened to fit into a message, and counts the others.
func ListSome[T any](all []T, most int, name func(T) string) string {
	var first []string
	for _, v := range all[:min(most, len(all))] {
		first = append(first, Shorten(name(v)))
	}
	text := strings.Join(first, ", ")
	if more := len(all) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// keySet finds a key among the entries of one map. Most maps are small enough for a linear search.
type keySet map[string]int

// find returns the entry for key, nil where there is none. It is called for each key before that is appended to entries.
func (s *keySet) find(entries []Entry, key string) *Entry {
	const few = 8
	if len(entries) < few {
		return (&Node{Entries: entries}).Get(key)
	}
	if *s == nil {
		*s = make(keySet, 2*len(entries))
	}
	for i := len(*s); i < len(entries); i++ {
		(*s)[entries[i].Key] = i
	}
	if i, ok := (*s)[key]; ok {
		return &entries[i]
	}
	return nil
}
