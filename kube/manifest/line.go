package manifest

import (
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/structural/text"
)

// LineOf returns the line of a field, by its path as errors and warnings have it: spec.env[0].name, or
// metadata.annotations[example.com/a]. Where the object does not have the field, it is the line of the last one on the way.
func (o Object) LineOf(path string) int {
	n, line := o.node, o.Line
	for n != nil && path != "" {
		var at text.Pos
		n, at, path = step(n, path)
		if at.Line > 0 {
			line = at.Line
		}
	}
	return line
}

// step returns the value below n to which the beginning of a path leads, the place of it, and the rest of the path. The value
// is nil where there is none.
func step(n *text.Node, path string) (*text.Node, text.Pos, string) {
	if in, rest, ok := cutBrackets(path); ok {
		switch n.Kind {
		case text.List:
			if i, err := strconv.Atoi(in); err == nil && i >= 0 && i < len(n.List) {
				return n.List[i], n.List[i].Pos, rest
			}
		case text.Map:
			if e := n.Get(in); e != nil {
				return e.Value, e.Pos, rest
			}
		}
		return nil, text.Pos{}, ""
	}
	path = strings.TrimPrefix(path, ".")
	// A key may have dots in it: the longest that fits is meant.
	var found *text.Entry
	for i := range n.Entries {
		e := &n.Entries[i]
		rest, ok := strings.CutPrefix(path, e.Key)
		if ok && (rest == "" || rest[0] == '.' || rest[0] == '[') && (found == nil || len(e.Key) > len(found.Key)) {
			found = e
		}
	}
	if found == nil {
		return nil, text.Pos{}, ""
	}
	return found.Value, found.Pos, path[len(found.Key):]
}

// cutBrackets returns what is in the brackets with which a path begins, and the rest of the path.
func cutBrackets(path string) (in, rest string, ok bool) {
	if !strings.HasPrefix(path, "[") {
		return "", path, false
	}
	return strings.Cut(path[1:], "]")
}
