package lower

import (
	"slices"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/internal/sorted"
	"github.com/prune-gen/prune-gen/structural"
)

// Prune is the pass that drops what a schema does not specify.
var Prune = Pass{"prune", func(all *nodes, r Resource) *plan.Node {
	preserve := preserveOwn
	if !r.Pruned {
		preserve = preserveAll
	}
	return (&pruning{all, reading(r.Semantics)}).lower(r.Schema.Resource(), preserve)
}}

// preserve says what happens to fields that a schema does not specify.
type preserve uint8

const (
	preserveOwn       preserve = iota // what the schema's own x-kubernetes-preserve-unknown-fields says
	preserveInherited                 // they stay: something above says so
	preserveAll                       // they stay here and everywhere below: the CRD does not prune
)

// pruning decides what pruning keeps, drops and walks.
type pruning struct {
	*nodes
	reading
}

func (l *pruning) lower(s *structural.Schema, p preserve) *plan.Node {
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
		n.Rest, n.RestNode = plan.RestWalk, l.lower(ap.Schema, l.below(ap.Schema, p))
		if n.RestNode.Do == plan.PruneKeep {
			n.Rest, n.RestNode = plan.RestKeep, nil
		}
	}
	for _, name := range sorted.Keys(s.Properties) {
		child := s.Properties[name]
		n.Fields = append(n.Fields, plan.Field{Name: name, Node: l.lower(child, l.below(child, p))})
	}
	if s.XEmbeddedResource {
		n.Fields = withMeta(n.Fields, l.leaf(plan.PruneKeep), l.leaf(plan.PruneMetadata))
		kind := slices.IndexFunc(n.Fields, func(f plan.Field) bool { return f.Name == "kind" })
		n.Fields[kind].Node = l.leaf(plan.PruneKind)
	}
	if n.Rest == plan.RestKeep {
		n.Fields = slices.DeleteFunc(n.Fields, func(f plan.Field) bool { return f.Node.Do == plan.PruneKeep || f.Node.Do == plan.PruneKind })
	}
	switch {
	case s.Items != nil:
		n.Elem = l.lower(s.Items, l.element(s.Items, p))
	case p == preserveOwn:
		n.Elem = l.leaf(plan.PruneLeaf)
	default:
		n.Elem = l.leaf(plan.PruneKeep)
	}
	switch {
	case len(n.Fields) == 0 && n.Rest == plan.RestDrop && n.Elem.Do == plan.PruneLeaf:
		return n.Elem
	case len(n.Fields) == 0 && n.Rest == plan.RestKeep && n.Elem.Do == plan.PruneKeep:
		return n.Elem
	case len(n.Fields) == 0 && n.Rest == plan.RestWalk && n.RestNode.Do == plan.PruneLeaf && n.Elem.Do == plan.PruneLeaf:
		return l.leaf(plan.PruneLeafMap)
	}
	return l.internWalk(n, pruneWalk)
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

// pruneWalk chooses how the function for n goes through a value.
func pruneWalk(n *plan.Node) plan.Walk {
	w := objectWalk(n, func(f plan.Field) bool { return f.Node.Do == plan.PruneLeaf })
	w.ByLetter = len(n.Fields) > fewKeys
	if n.Rest == plan.RestDrop && n.Elem.Do == plan.PruneLeaf && !w.Ranges && len(w.Groups) == 1 && w.Groups[0].Listed {
		return plan.Walk{Form: plan.FormLeafObject, ByLetter: w.ByLetter}
	}
	w.Form = dropForm(n, n.Elem.Do == plan.PruneKeep, n.Elem.Do == plan.PruneLeaf)
	return w
}

// dropForm returns the form of a function that drops things, given whether the elements of a list are kept, or are leaves.
func dropForm(n *plan.Node, keptElem, leafElem bool) plan.Form {
	switch {
	case !n.WalksObject() && keptElem:
		return plan.FormKeptList
	case !n.WalksObject():
		return plan.FormList
	case keptElem || leafElem:
		return plan.FormObject
	}
	return plan.FormAny
}

// fewKeys is how many keys are compared one after the other before it pays to look at their first letter.
const fewKeys = 6
