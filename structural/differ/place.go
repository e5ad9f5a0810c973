package differ

import (
	"fmt"
	"strings"

	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/text"
)

// Place is a place in the objects of a kind: a field, the elements of a list, the values of a map, or everything that a schema
// does not specify there. The nil Place is the object itself. Places are immutable.
type Place struct {
	parent *Place
	step   step
	name   string // of a field
}

// step is how a Place goes on from its parent.
type step uint8

const (
	stepField    step = iota
	stepElements      // of a list
	stepValues        // of a map
	stepRest          // all that is not specified
)

func (p *Place) field(name string) *Place { return &Place{p, stepField, name} }
func (p *Place) elements() *Place         { return &Place{p, stepElements, ""} }
func (p *Place) values() *Place           { return &Place{p, stepValues, ""} }
func (p *Place) rest() *Place             { return &Place{p, stepRest, ""} }

// IsRest reports whether p stands for all that a schema does not specify below its parent.
func (p *Place) IsRest() bool { return p != nil && p.step == stepRest }

// Parent returns the place above p.
func (p *Place) Parent() *Place { return p.parent }

// Listed returns p as the Fields functions of generated code list it: .spec.ports[].port, .spec.env[*], .spec.free...
func (p *Place) Listed() string {
	if p == nil {
		return ""
	}
	switch p.step {
	case stepElements:
		return p.parent.Listed() + "[]"
	case stepValues:
		return p.parent.Listed() + "[*]"
	case stepRest:
		return p.parent.Listed() + "..."
	}
	return p.parent.Listed() + "." + p.name
}

// String returns p without the dot before its first field.
func (p *Place) String() string {
	if p.IsRest() && p.parent == nil {
		return p.Listed() // which has no field
	}
	return strings.TrimPrefix(p.Listed(), ".")
}

// InSchema returns where a schema that stands at root specifies p. The path is the same whether or not it does.
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

// List names the first of places, each cut to what fits into a message, and counts the others.
func List(places []*Place) string {
	const most = 10
	var names []string
	for _, p := range places[:min(most, len(places))] {
		names = append(names, text.Shorten(p.String()))
	}
	list := strings.Join(names, ", ")
	if more := len(places) - most; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}
