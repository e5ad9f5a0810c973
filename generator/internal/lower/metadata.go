package lower

import (
	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/structural"
)

// Metadata is the pass that validates the values of metadata, of an object and of the resources in it.
var Metadata = Pass{"metadata", func(all *nodes, r Resource) *plan.Node {
	s := written(r)
	n := (&embedding{all}).node(s)
	n.Do = plan.Metadata{Resource: root(s), Namespaced: r.Namespaced, Of: r.CRD.Names.Kind}
	return all.intern(n)
}}

// embedding finds the resources in an object.
type embedding struct {
	*nodes
}

func (l *embedding) lower(s *structural.JSONSchema) *plan.Node { return l.intern(l.node(s)) }

func (l *embedding) node(s *structural.JSONSchema) plan.Node {
	n := plan.Node{Rest: plan.RestKeep}
	values, items := s.Values(), s.Elements()
	addBelow(&n, s.Properties, values, items, l.leaf(plan.Metadata{Kind: plan.MetadataNone}), l.lower)
	switch {
	case s.XEmbeddedResource:
		n.Do = plan.Metadata{Resource: plan.ResourceEmbedded}
	case len(n.Fields) == 0 && n.Rest == plan.RestKeep && n.Elem == nil:
		n.Do = plan.Metadata{Kind: plan.MetadataNone}
	default:
		n.Do = plan.Metadata{}
	}
	return n
}
