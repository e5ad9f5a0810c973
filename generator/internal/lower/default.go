package lower

import (
	"slices"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/internal/interpret"
	"github.com/prune-gen/prune-gen/internal/sorted"
	"github.com/prune-gen/prune-gen/structural"
)

// Default is the pass that fills in defaults.
var Default = Pass{"default", func(all *nodes, r Resource) *plan.Node {
	l := &defaulting{all}
	root := l.node(interpret.PruneDefaults(r.Schema))
	return l.intern(root) // a function, even without any default
}}

// defaulting decides which defaults are filled in where.
type defaulting struct {
	*nodes
}

func (l *defaulting) lower(s *structural.Schema) *plan.Node {
	n := l.node(s)
	if len(n.Fields) == 0 && n.Rest == plan.RestKeep && n.Elem == nil {
		return l.leaf(plan.DefaultNone)
	}
	return l.intern(n)
}

func (l *defaulting) node(s *structural.Schema) plan.Node {
	n := plan.Node{Do: plan.DefaultWalk, Rest: plan.RestKeep}
	if s == nil {
		return n
	}
	none := l.leaf(plan.DefaultNone)
	for _, name := range sorted.Keys(s.Properties) {
		child := s.Properties[name]
		n.Fields = append(n.Fields, plan.Field{Name: name, Node: l.lower(child), Slot: l.nullSlot(child, preserveAll)})
	}
	if ap := s.AdditionalProperties; ap != nil && ap.Schema != nil {
		if values, slot := l.lower(ap.Schema), l.nullElemSlot(ap.Schema); values != none || slot != nil {
			n.Rest, n.RestNode, n.RestSlot = plan.RestWalk, values, slot
		}
	}
	if n.Rest == plan.RestKeep { // otherwise a field without a default must not be taken for a value of the map
		n.Fields = slices.DeleteFunc(n.Fields, func(f plan.Field) bool { return f.Node == none && f.Slot == nil })
	}
	if s.Items != nil {
		if items, slot := l.lower(s.Items), l.nullElemSlot(s.Items); items != none || slot != nil {
			n.Elem, n.ElemSlot = items, slot
		}
	}
	return n
}
