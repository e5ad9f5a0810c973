package lower

import (
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/internal/base/sorted"
	"github.com/prune-gen/prune-gen/structural"
)

// Prune is the pass that drops what a schema does not specify.
var Prune = Pass{"prune", func(all *nodes, r Resource) *plan.Node {
	return (&dropping{nodes: all, reading: reading(r.Semantics)}).child(r.Schema.Resource(), preserved(r))
}}

// Normalize is the pass that does all that the API server does to an object before it validates it.
var Normalize = Pass{"normalize", func(all *nodes, r Resource) *plan.Node {
	root := plan.ResourceRoot
	if r.Schema != nil && r.Schema.XEmbeddedResource {
		root = plan.ResourceRootTwice
	}
	return (&dropping{nodes: all, reading: reading(r.Semantics), normalizes: true}).lower(pruneDefaults(r.Schema), preserved(r), root)
}}

// Project is the pass that drops what a schema does not specify where metadata is a part of the schema like any other.
var Project = Pass{"project", func(all *nodes, r Resource) *plan.Node {
	return (&dropping{nodes: all, reading: reading(r.Semantics), projects: true}).child(r.Schema.Resource(), preserveOwn)
}}

// preserve says what happens to fields that a schema does not specify.
type preserve uint8

const (
	preserveOwn       preserve = iota // what the schema's own x-kubernetes-preserve-unknown-fields says
	preserveInherited                 // they stay: something above says so
	preserveAll                       // they stay here and everywhere below, and nulls do: the CRD does not prune
)

func preserved(r Resource) preserve {
	if !r.Pruned {
		return preserveAll
	}
	return preserveOwn
}

// dropping decides what is kept, dropped and walked. If it normalizes, it also decides about nulls, metadata and defaults.
type dropping struct {
	*nodes
	reading
	normalizes, projects bool
}

func (l *dropping) lower(s *structural.Schema, p preserve, resource plan.Resource) *plan.Node {
	if s == nil {
		s = &structural.Schema{}
	}
	if p == preserveOwn && s.XPreserveUnknownFields {
		p = preserveInherited
	}
	n := plan.Node{Do: plan.PruneWalk, Rest: plan.RestDrop}
	if p != preserveOwn {
		n.Rest = plan.RestKeep
	}
	if ap := s.AdditionalProperties; ap != nil {
		n.Rest, n.RestNode, n.RestSlot = plan.RestWalk, l.child(ap.Schema, l.below(ap.Schema, p)), l.slot(ap.Schema, p)
		if n.RestNode.Do == plan.PruneKeep && n.RestSlot == nil {
			n.Rest, n.RestNode = plan.RestKeep, nil
		}
	}
	for _, name := range sorted.Keys(s.Properties) {
		child := s.Properties[name]
		n.Fields = append(n.Fields, plan.Field{Name: name, Node: l.child(child, l.below(child, p)), Slot: l.slot(child, p)})
	}
	switch {
	case resource == plan.ResourceNone:
	case l.normalizes:
		l.coerce(&n, s, p, resource)
	default:
		metadata := l.leaf(plan.PruneMetadata)
		if l.projects {
			metadata = l.child(s.Properties["metadata"], preserveOwn)
		}
		n.Fields = withMeta(n.Fields, l.leaf(plan.PruneKeep), metadata)
		kind := slices.IndexFunc(n.Fields, func(f plan.Field) bool { return f.Name == "kind" })
		n.Fields[kind].Node = l.leaf(plan.PruneKind)
	}
	if n.Rest == plan.RestKeep {
		n.Fields = slices.DeleteFunc(n.Fields, func(f plan.Field) bool {
			return (f.Node.Do == plan.PruneKeep || f.Node.Do == plan.PruneKind) && f.Slot == nil
		})
	}
	switch {
	case s.Items != nil:
		n.Elem = l.child(s.Items, l.element(s.Items, p))
		if l.normalizes {
			n.ElemSlot = l.nullElemSlot(s.Items)
		}
	case p == preserveOwn:
		n.Elem = l.leaf(plan.PruneLeaf)
	default:
		n.Elem = l.leaf(plan.PruneKeep)
	}
	if n.Do == plan.PruneWalk && len(n.Fields) == 0 && n.ElemSlot == nil {
		leafElem := n.Elem.Do == plan.PruneLeaf
		leafMap := n.Rest == plan.RestWalk && n.RestNode.Do == plan.PruneLeaf && leafElem
		switch {
		case n.Rest == plan.RestDrop && leafElem, n.Rest == plan.RestKeep && n.Elem.Do == plan.PruneKeep:
			return n.Elem
		case leafMap && !l.normalizes:
			return l.leaf(plan.PruneLeafMap)
		case leafMap && n.RestSlot == nil:
			return l.leaf(plan.PruneNullsMap)
		case leafMap && n.RestSlot == noNull:
			return l.leaf(plan.PruneNoNullsMap)
		}
	}
	return l.internWalk(n, l.walk)
}

var noNull = plan.NullRule{Null: plan.NullDrop}

// child lowers a schema below the root.
func (l *dropping) child(s *structural.Schema, p preserve) *plan.Node {
	if s != nil && s.XEmbeddedResource {
		return l.lower(s, p, plan.ResourceEmbedded)
	}
	return l.lower(s, p, plan.ResourceNone)
}

// slot says how to treat a null, or a missing field.
func (l *dropping) slot(s *structural.Schema, p preserve) plan.Slot {
	if !l.normalizes {
		return nil
	}
	return l.nullSlot(s, p)
}

// coerce adds the fields of a resource. Those that every resource has are coerced before anything else happens to them, and are
// kept. What a schema says about them decides about nulls, which are dropped before that, and about defaults.
func (l *dropping) coerce(n *plan.Node, s *structural.Schema, p preserve, resource plan.Resource) {
	keep := l.leaf(plan.PruneKeep)
	n.Fields = withMeta(n.Fields, keep, keep)
	var dropNulls []string
	for i := range n.Fields {
		f := &n.Fields[i]
		if !structural.IsMetaField(f.Name) {
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
	n.Do = plan.Coerce{Resource: resource, DropNulls: strings.Join(dropNulls, " ")}
}

// reading is one of the two readings of preserved subtrees.
type reading structural.Semantics

// below returns what applies to a value that the schema specifies inside an object.
func (r reading) below(s *structural.Schema, p preserve) preserve {
	if r == reading(structural.APIServer) && p == preserveInherited {
		return preserveOwn
	}
	return r.element(s, p)
}

// element returns what applies to the elements of a list: what applies to the list itself or, in the reading of KEP-2332, what
// a schema with properties of its own says.
func (r reading) element(s *structural.Schema, p preserve) preserve {
	if r == reading(structural.KEP2332) && p == preserveInherited && s != nil && len(s.Properties) > 0 {
		return preserveOwn
	}
	return p
}

// walk chooses how the function for n goes through a value.
func (l *dropping) walk(n *plan.Node) plan.Walk {
	var listed plan.Slot
	if l.normalizes {
		listed = noNull
	}
	w := objectWalk(n, func(f plan.Field) bool { return f.Node.Do == plan.PruneLeaf && f.Slot == listed })
	w.ByLetter = !l.normalizes && len(n.Fields) > fewKeys
	keepsElem, leafElem := n.Elem.Do == plan.PruneKeep && n.ElemSlot == nil, n.Elem.Do == plan.PruneLeaf && n.ElemSlot == nil
	switch {
	case n.Do == plan.PruneWalk && n.Rest == plan.RestDrop && leafElem && !w.Ranges && len(w.Groups) == 1 && w.Groups[0].Listed:
		return plan.Walk{Form: plan.FormLeafObject, ByLetter: w.ByLetter}
	case !n.WalksObject() && keepsElem:
		w.Form = plan.FormKeptList
	case !n.WalksObject():
		w.Form = plan.FormList
	case keepsElem || leafElem:
		w.Form = plan.FormObject
	default:
		w.Form = plan.FormAny
	}
	return w
}

// fewKeys is the maximum number of keys that are compared one after the other. With more, it pays to look at their first letter.
const fewKeys = 6
