package lower

import (
	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/structural"
)

// Shape is the pass that says which values of an object correspond to which values of the old object in an update: the fields that the
// schema names, and the elements of list maps. Other lists are compared as a whole.
var Shape = Pass{"shape", func(all *nodes, r Resource) *plan.Node {
	n := (&shaping{all}).node(written(r))
	do := n.Do.(plan.Shape)
	do.Kind, do.Of = plan.ShapeWalk, r.CRD.Names.Kind
	n.Do = do
	return all.intern(n)
}}

// shaping decides what corresponds to what.
type shaping struct {
	*nodes
}

func (l *shaping) lower(s *structural.JSONSchema) *plan.Node { return l.intern(l.node(s)) }

func (l *shaping) node(s *structural.JSONSchema) plan.Node {
	n := plan.Node{Rest: plan.RestKeep}
	do := plan.Shape{}
	values, items := s.Values(), s.Elements()
	addBelow(&n, s.Properties, values, nil, nil, l.lower)
	if s.XListType != nil && *s.XListType == "map" {
		n.Elem = l.leaf(plan.Shape{Kind: plan.ShapeBare})
		var keys []string // without them, elements do not correspond
		if items != nil && s.Type == "array" {
			n.Elem = l.lower(items)
			keys = s.XListMapKeys
		}
		do.Keys = l.value(anyStrings(keys))
	}
	if len(n.Fields) == 0 && n.Rest == plan.RestKeep && n.Elem == nil {
		do.Kind = plan.ShapeBare
	}
	n.Do = do
	return n
}
