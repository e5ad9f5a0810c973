package structural

import (
	"strconv"
	"strings"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Path leads from the root of a document or an object to a node of it. It is for walks, which make one for every node: extending a Path
// leaves it as it is, so that siblings share their parent. The nil Path is the root itself. The texts are for people; programs that compare or
// follow paths use Steps, which are the same for all packages.
//
// The API server writes paths in three notations, which differ in the keys of maps:
//
//	String   spec.labels[app]   errors of field validation
//	Dotted   spec.labels.app    reports of unknown and duplicate fields
//	InBody   spec.labels.app    errors of schema validation, in which the key of a map at the root has a dot, too
type Path struct {
	parent *Path
	name   string
	index  int
	step   step
}

// step says how a Path goes from its parent to itself, which decides how it is printed.
type step uint8

const (
	stepField    step = iota // a field the API defines: .name
	stepKey                  // a key of a map: [name]
	stepIndex                // an element of a list: [3]
	stepMetadata             // the metadata of a resource
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

// Key returns the path to the value that a map at p has for key.
func (p *Path) Key(key string) *Path {
	return &Path{parent: p, name: key, step: stepKey}
}

// Index returns the path to element i of a list at p.
func (p *Path) Index(i int) *Path {
	return &Path{parent: p, index: i, step: stepIndex}
}

// Metadata returns the path to the metadata of the resource at p. Up to there, the API server writes a path as String does in every
// notation: spec.templates[web].metadata.labels.app
func (p *Path) Metadata() *Path {
	return &Path{parent: p, name: "metadata", step: stepMetadata}
}

// Name returns the last step of p if that is a field or a key, "" otherwise.
func (p *Path) Name() string {
	if p == nil {
		return ""
	}
	return p.name
}

// First returns the first step of p if that is a field or a key, "" otherwise.
func (p *Path) First() string {
	if p == nil {
		return ""
	}
	return p.steps()[0].name
}

// String writes p as the API server does in the errors of fields: spec.versions[0].schema.openAPIV3Schema.properties[spec].type
func (p *Path) String() string {
	if p == nil {
		return "<nil>"
	}
	var b strings.Builder
	writeBracketed(&b, p.steps())
	return b.String()
}

// Dotted writes p with a dot before every key, as the errors of strict decoding and reports of dropped fields have it.
func (p *Path) Dotted() string {
	b, rest := p.writeToMetadata()
	for i, s := range rest {
		if s.step == stepIndex {
			writeIndex(b, s.index)
			continue
		}
		if i > 0 || b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(s.name)
	}
	return b.String()
}

// InBody writes p as schema validation does. A path begins anew after a field of the root that has no name.
func (p *Path) InBody() string {
	b, rest := p.writeToMetadata()
	for _, s := range rest {
		if s.step == stepIndex {
			writeIndex(b, s.index)
			continue
		}
		if s.step == stepKey || b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(s.name)
	}
	return b.String()
}

// writeToMetadata writes p up to the last metadata of a resource on it, and returns the steps that are left.
func (p *Path) writeToMetadata() (*strings.Builder, []*Path) {
	var b strings.Builder
	steps := p.steps()
	for i := len(steps) - 1; i >= 0; i-- {
		if steps[i].step == stepMetadata {
			writeBracketed(&b, steps[:i+1])
			return &b, steps[i+1:]
		}
	}
	return &b, steps
}

// writeBracketed writes steps with the keys of maps in brackets. A field without a name is written like a key.
func writeBracketed(b *strings.Builder, steps []*Path) {
	for _, s := range steps {
		switch {
		case s.step == stepIndex:
			writeIndex(b, s.index)
		case s.step == stepKey || s.name == "":
			b.WriteByte('[')
			b.WriteString(s.name)
			b.WriteByte(']')
		default:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(s.name)
		}
	}
}

func writeIndex(b *strings.Builder, i int) {
	b.WriteByte('[')
	b.WriteString(strconv.Itoa(i))
	b.WriteByte(']')
}

// Steps returns p as errors of objects have it.
func (p *Path) Steps() prunert.Path {
	steps := p.steps()
	path := make(prunert.Path, len(steps))
	for i, s := range steps {
		if path[i] = (prunert.Step{Name: s.name, Index: -1}); s.step == stepIndex {
			path[i] = prunert.Step{Index: s.index}
		}
	}
	return path
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

// TextSize estimates the length of the text of p, without making it.
func (p *Path) TextSize() int {
	n := 0
	for ; p != nil; p = p.parent {
		n += len(p.name) + 2
	}
	return n
}
