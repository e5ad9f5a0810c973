package schematree

import (
	"cmp"
	"slices"
	"strings"
)

// Find returns the node at a path such as spec.rules[].host, .spec or spec.rules.host. A path can go through fields of metadata, and keys of
// maps, that the outline does not list. If there is no node, it returns the last one on the way, and the rest of the path.
func (n *Node) Find(path string) (found *Node, rest string) {
	path = strings.TrimPrefix(path, "$")
	for {
		path = strings.TrimPrefix(skipIndex(path), ".")
		if path == "" {
			return n, ""
		}
		find := n.child
		if n.Type == metaType {
			find = n.metaField
		}
		next, length := find(path)
		if next == nil {
			next, length = n.entry(path)
		}
		if next == nil {
			return n, path
		}
		n, path = next, path[length:]
	}
}

// skipIndex returns a path without the brackets at its beginning: [], [*] and [3] all stand for what is in a list or a map.
func skipIndex(path string) string {
	for strings.HasPrefix(path, "[") {
		end := strings.IndexByte(path, ']')
		if end < 0 || strings.Trim(path[1:end], "*0123456789") != "" {
			break
		}
		path = path[end+1:]
	}
	return path
}

// child returns the field that a path begins with, and its length in the path. Names may have dots in them.
func (n *Node) child(path string) (found *Node, length int) {
	for _, f := range n.Fields {
		rest, ok := strings.CutPrefix(path, f.Name)
		if ok && len(f.Name) > length && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			found, length = f, len(f.Name)
		}
		if quoted := `["` + f.Name + `"]`; strings.HasPrefix(path, quoted) {
			return f, len(quoted)
		}
	}
	return found, length
}

// Count returns the number of fields below n, on all levels.
func (n *Node) Count() int {
	all := len(n.Fields)
	for _, f := range n.Fields {
		all += f.Count()
	}
	return all
}

// Open returns the nodes whose fields are shown if there is room for a number of fields: n itself, then those nearest to it, small ones
// before large ones.
func (n *Node) Open(room int) map[*Node]bool {
	open := map[*Node]bool{n: true}
	room -= len(n.Fields)
	for level := n.Fields; len(level) > 0; {
		var next []*Node
		for _, f := range slices.SortedStableFunc(slices.Values(level), func(a, b *Node) int { return cmp.Compare(len(a.Fields), len(b.Fields)) }) {
			if len(f.Fields) <= room {
				room -= len(f.Fields)
				open[f] = true
				next = append(next, f.Fields...)
			}
		}
		level = next
	}
	return open
}

// OpenTo returns the nodes whose fields are shown down to a depth: at depth 1 those of n alone.
func (n *Node) OpenTo(depth int) map[*Node]bool {
	open := map[*Node]bool{}
	level := []*Node{n}
	for ; depth > 0 && len(level) > 0; depth-- {
		var next []*Node
		for _, f := range level {
			open[f] = true
			next = append(next, f.Fields...)
		}
		level = next
	}
	return open
}
