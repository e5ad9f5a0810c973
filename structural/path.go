package structural

import (
	"strconv"
	"strings"
)

// Path is the way from the root of a document to a node of it. The nil Path is the root itself. Paths are immutable:
// extending one leaves it as it is, so that siblings can share their parent.
type Path struct {
	parent *Path
	name   string
	index  int
	step   step
}

// step says how a Path goes from its parent to itself, which decides how it is printed.
type step uint8

const (
	stepField step = iota // a field the API defines: .name
	stepKey               // a key that somebody chose: [name]
	stepIndex             // an element of a list: [3]
)

// NewPath returns the path that goes through the given fields.
func NewPath(fields ...string) *Path {
	var p *Path
	return p.Child(fields...)
}

// Child returns the path to a field below p, through all of names.
func (p *Path) Child(names ...string) *Path {
	for _, name := range names {
		p = &Path{parent: p, name: name, step: stepField}
	}
	return p
}

// property returns the path to a property of an object at p. The API server writes one without a name as [].
func (p *Path) property(name string) *Path {
	if name == "" {
		return p.Key(name)
	}
	return p.Child(name)
}

// Key returns the path to the value that a map at p has for key.
func (p *Path) Key(key string) *Path {
	return &Path{parent: p, name: key, step: stepKey}
}

// Index returns the path to element i of a list at p.
func (p *Path) Index(i int) *Path {
	return &Path{parent: p, index: i, step: stepIndex}
}

// String writes p as the API server does: spec.versions[0].schema.openAPIV3Schema.properties[spec].type
func (p *Path) String() string {
	if p == nil {
		return "<nil>"
	}
	var b strings.Builder
	for _, s := range p.steps() {
		switch s.step {
		case stepField:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(s.name)
		case stepKey:
			b.WriteByte('[')
			b.WriteString(s.name)
			b.WriteByte(']')
		case stepIndex:
			b.WriteByte('[')
			b.WriteString(strconv.Itoa(s.index))
			b.WriteByte(']')
		}
	}
	return b.String()
}

// steps returns the nodes of p from the root on.
func (p *Path) steps() []*Path {
	n := 0
	for q := p; q != nil; q = q.parent {
		n++
	}
	all := make([]*Path, n)
	for q := p; q != nil; q = q.parent {
		n--
		all[n] = q
	}
	return all
}

// textSize returns about how long the text of p is, without making it.
func (p *Path) textSize() int {
	n := 0
	for ; p != nil; p = p.parent {
		n += len(p.name) + 2
	}
	return n
}

// dotted writes p with a dot before every key, as the errors of strict decoding and reports of dropped fields have it.
func (p *Path) dotted() string {
	var b strings.Builder
	for i, s := range p.steps() {
		if s.step == stepIndex {
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
			continue
		}
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(s.name)
	}
	return b.String()
}
