package kept

import (
	"strings"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// Place is a place in the objects of a kind: a field, the elements of a list, the values of a map, or everything that a schema
// does not specify there. The nil Place is the object itself. Places are immutable.
type Place struct {
	parent *Place
	step   step
	name   string // of a field
	size   int    // of what Listed returns
}

// step is the step from the parent of a Place to it.
type step uint8

const (
	stepField    step = iota
	stepElements      // of a list
	stepValues        // of a map
	stepRest          // all that is not specified
)

// Field returns the place of a field below p.
func (p *Place) Field(name string) *Place { return p.child(stepField, name) }

// Elements returns the place of the elements of a list.
func (p *Place) Elements() *Place { return p.child(stepElements, "") }

// Values returns the place of the values of a map.
func (p *Place) Values() *Place { return p.child(stepValues, "") }

func (p *Place) rest() *Place { return p.child(stepRest, "") }

func (p *Place) child(step step, name string) *Place {
	child := &Place{parent: p, step: step, name: name}
	child.size = p.listedSize() + len(child.own())
	return child
}

// own returns what Listed adds to the parent.
func (p *Place) own() string {
	switch p.step {
	case stepElements:
		return "[]"
	case stepValues:
		return "[*]"
	case stepRest:
		return "..."
	}
	return "." + p.name
}

// listedSize returns how many bytes Listed returns.
func (p *Place) listedSize() int {
	if p == nil {
		return 0
	}
	return p.size
}

// Spend counts a statement about p, whose text is copied for sorting and printing. It reports whether m allows it.
func (p *Place) Spend(m *meter.Meter) bool {
	return m.SpendMemory(meter.BytesOfChange + meter.CopiesOfPlace*p.listedSize())
}

// SplitField returns the name of a field, and what it is in as Listed returns it. The name is empty if p is not a field.
func (p *Place) SplitField() (parent, name string) {
	if p == nil || p.step != stepField {
		return "", ""
	}
	return p.parent.Listed(), p.name
}

// IsRest reports whether p stands for all that a schema does not specify below its parent.
func (p *Place) IsRest() bool { return p != nil && p.step == stepRest }

// Listed returns p as the Fields functions of generated code list it: .spec.ports[].port, .spec.env[*], .spec.free...
func (p *Place) Listed() string {
	listed := make([]byte, p.listedSize())
	for end := len(listed); p != nil; p = p.parent {
		own := p.own()
		end -= len(own)
		copy(listed[end:], own)
	}
	return string(listed)
}

// String returns p without the dot before its first field.
func (p *Place) String() string {
	if p.IsRest() && p.parent == nil {
		return p.Listed() // which has no field
	}
	return strings.TrimPrefix(p.Listed(), ".")
}

// InSchema returns where a schema at root specifies p, or would specify it.
func (p *Place) InSchema(root *structural.Path) *structural.Path {
	if p == nil {
		return root
	}
	at := p.parent.InSchema(root)
	switch p.step {
	case stepElements:
		return at.Child("items")
	case stepValues:
		return at.Child("additionalProperties")
	case stepRest:
		return at
	}
	return at.Child("properties").Key(p.name)
}

// List names the first of places, and counts the others.
func List(places []*Place) string { return yamltext.ListSome(places, 10, (*Place).String) }
