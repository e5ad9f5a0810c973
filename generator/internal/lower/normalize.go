package lower

import (
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/internal/interpret"
	"github.com/prune-gen/prune-gen/internal/sorted"
	"github.com/prune-gen/prune-gen/structural"
)

// Normalize is the pass that does all that the API server does to an object before it validates it.
var Normalize = Pass{"normalize", func(all *nodes, r Resource) *plan.Node {
	l := &normalizing{all, reading(r.Semantics)}
	preserve := preserveOwn
	if !r.Pruned {
		preserve = preserveAll // and the API server leaves nulls alone, too
	}
	root := plan.ResourceRoot
	if r.Schema != nil && r.Schema.XEmbeddedResource {
		root = plan.ResourceRootTwice
	}
	return l.lower(interpret.PruneDefaults(r.Schema), preserve, root)
}}

// normalizing decides what pruning, nulls, metadata and defaults make of a value.
type normalizing struct {
	*nodes
	reading
}

func (l *normalizing) lower(s *structural.Schema, p preserve, resource plan.Resource) *plan.Node {
	if s == nil {
		s = &structural.Schema{}
	}
	if p == preserveOwn && s.XPreserveUnknownFields {
		p = preserveInherited
	}
	do := plan.Normalize{Kind: plan.NormalizeWalk, Resource: resource}
	n := plan.Node{Rest: plan.RestDrop}
	if p != preserveOwn {
		n.Rest = plan.RestKeep
	}
	if ap := s.AdditionalProperties; ap != nil {
		n.Rest, n.RestNode, n.RestSlot = plan.RestWalk, l.child(ap.Schema, l.below(ap.Schema, p)), l.nullSlot(ap.Schema, p)
		if l.isKept(n.RestNode, n.RestSlot) {
			n.Rest, n.RestNode = plan.RestKeep, nil
		}
	}
	for _, name := range sorted.Keys(s.Properties) {
		child := s.Properties[name]
		n.Fields = append(n.Fields, plan.Field{Name: name, Node: l.child(child, l.below(child, p)), Slot: l.nullSlot(child, p)})
	}
	if resource != plan.ResourceNone {
		n.Fields, do.DropNulls = l.resourceFields(s, n.Fields, p, resource)
	}
	if n.Rest == plan.RestKeep {
		n.Fields = slices.DeleteFunc(n.Fields, func(f plan.Field) bool { return l.isKept(f.Node, f.Slot) })
	}
	switch {
	case s.Items != nil:
		n.Elem, n.ElemSlot = l.child(s.Items, l.element(s.Items, p)), l.nullElemSlot(s.Items)
	case p == preserveOwn:
		n.Elem = l.simple(plan.NormalizeLeaf)
	default:
		n.Elem = l.simple(plan.NormalizeKeep)
	}
	n.Do = do
	if resource == plan.ResourceNone && len(n.Fields) == 0 && n.ElemSlot == nil {
		leafElem, leafRest := n.Elem == l.simple(plan.NormalizeLeaf), n.RestNode == l.simple(plan.NormalizeLeaf)
		switch {
		case n.Rest == plan.RestDrop && leafElem, n.Rest == plan.RestKeep && n.Elem == l.simple(plan.NormalizeKeep):
			return n.Elem
		case n.Rest == plan.RestWalk && leafRest && leafElem && n.RestSlot == nil:
			return l.simple(plan.NormalizeNullsMap)
		case n.Rest == plan.RestWalk && leafRest && leafElem && n.RestSlot == plan.NullRule{Null: plan.NullDrop}:
			return l.simple(plan.NormalizeLeafMap)
		}
	}
	return l.internWalk(n, l.walk)
}

// child lowers a schema below the root.
func (l *normalizing) child(s *structural.Schema, p preserve) *plan.Node {
	if s != nil && s.XEmbeddedResource {
		return l.lower(s, p, plan.ResourceEmbedded)
	}
	return l.lower(s, p, plan.ResourceNone)
}

// resourceFields returns the fields of a resource. Those that every resource has are coerced before anything else happens
// to them, and are kept. What a schema says about them decides about nulls, which are dropped before that, and about
// defaults.
func (l *normalizing) resourceFields(s *structural.Schema, fields []plan.Field, p preserve, resource plan.Resource) ([]plan.Field, string) {
	keep := l.simple(plan.NormalizeKeep)
	fields = withMeta(fields, keep, keep)
	var dropNulls []string
	for i := range fields {
		f := &fields[i]
		if f.Name != "apiVersion" && f.Name != "kind" && f.Name != "metadata" {
			continue
		}
		rule, _ := l.nullSlot(s.Properties[f.Name], p).(plan.NullRule)
		if rule.Null == plan.NullDrop && resource == plan.ResourceEmbedded {
			dropNulls = append(dropNulls, f.Name)
		}
		if rule.Default != nil {
			f.Slot = rule
		}
	}
	return fields, strings.Join(dropNulls, " ")
}

// simple returns the node of a value for which there is no function.
func (l *normalizing) simple(kind plan.NormalizeKind) *plan.Node {
	return l.leaf(plan.Normalize{Kind: kind})
}

func (l *normalizing) isKept(n *plan.Node, s plan.Slot) bool {
	return n == l.simple(plan.NormalizeKeep) && s == nil
}

// walk chooses how the function for n goes through a value.
func (l *normalizing) walk(n *plan.Node) plan.Walk {
	leaf, keep := l.simple(plan.NormalizeLeaf), l.simple(plan.NormalizeKeep)
	noNull := plan.NullRule{Null: plan.NullDrop}
	w := objectWalk(n, func(f plan.Field) bool { return f.Node == leaf && f.Slot == noNull })
	if n.Do == (plan.Normalize{}) && n.Rest == plan.RestDrop && n.Elem == leaf && n.ElemSlot == nil && !w.Ranges && len(w.Groups) == 1 && w.Groups[0].Listed {
		return plan.Walk{Form: plan.FormLeafObject}
	}
	w.Form = dropForm(n, n.Elem == keep && n.ElemSlot == nil, n.Elem == leaf && n.ElemSlot == nil)
	return w
}
