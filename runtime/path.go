package prunert

import (
	"strconv"
	"strings"
)

// Path is the way from an object to a value in it. The empty path is that of the object.
type Path []Step

// Step leads to a field of an object, to the value for a key of a map, or to an element of a list.
type Step struct {
	Name  string // of the field, or the key
	Index int    // of the element; -1 for a field or a key
}

// FieldPath returns the path that goes through fields, as in FieldPath("metadata", "name").
func FieldPath(names ...string) Path {
	p := make(Path, len(names))
	for i, name := range names {
		p[i] = Step{name, -1}
	}
	return p
}

// String writes the path with dots and indices: spec.list[0].field. Different paths can have the same text, as keys may contain dots.
func (p Path) String() string {
	var b strings.Builder
	for i, s := range p {
		switch {
		case s.Index >= 0:
			b.WriteString("[" + strconv.Itoa(s.Index) + "]")
			continue
		case i > 0:
			b.WriteByte('.')
		}
		b.WriteString(s.Name)
	}
	return b.String()
}
