package lower

import (
	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/internal/sorted"
	"github.com/prune-gen/prune-gen/structural"
)

// Metadata is the pass that validates the values of metadata, of an object and of the resources in it.
var Metadata = Pass{"metadata", func(all *nodes, r Resource) *plan.Node {
	l := &embedding{all}
	s := r.Written
	if s == nil {
		s = &structural.JSONSchema{}
	}
	n := l.node(s)
	n.Do = plan.Metadata{Resource: root(s), Namespaced: r.Namespaced, Of: r.CRD.Names.Kind}
	return l.intern(n)
}}

// embedding finds the resources in an object.
type embedding struct {
	*nodes
}

func (l *embedding) lower(s *structural.JSONSchema) *plan.Node { return l.intern(l.node(s)) }

func (l *embedding) node(s *structural.JSONSchema) plan.Node {
	none := l.leaf(plan.Metadata{Kind: plan.MetadataNone})
	n := plan.Node{Rest: plan.RestKeep}
	do := plan.Metadata{}
	if s.XEmbeddedResource {
		do.Resource = plan.ResourceEmbedded
	}
	if ap := s.AdditionalProperties; ap != nil && ap.Schema != nil {
		if values := l.lower(ap.Schema); values != none {
			n.Rest, n.RestNode = plan.RestWalk, values
		}
	}
	for _, name := range sorted.Keys(s.Properties) {
		if child := l.lower(s.Properties[name]); child != none || n.Rest == plan.RestWalk {
			n.Fields = append(n.Fields, plan.Field{Name: name, Node: child})
		}
	}
	if s.Items != nil && s.Items.Schema != nil {
		if items := l.lower(s.Items.Schema); items != none {
			n.Elem = items
		}
	}
	if do.Resource == plan.ResourceNone && len(n.Fields) == 0 && n.Rest == plan.RestKeep && n.Elem == nil {
		do.Kind = plan.MetadataNone
	}
	n.Do = do
	return n
}
