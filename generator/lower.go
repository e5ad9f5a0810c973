package generator

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/structural"
)

// resource is one version of one kind, ready to be lowered.
type resource struct {
	crd       *structural.CRD
	version   *structural.Version
	schema    *structural.Schema // nil where the version has none
	semantics structural.Semantics
}

// lower makes the plan for the resources of one package.
func lower(resources []resource) *Plan {
	resources = slices.Clone(resources)
	slices.SortFunc(resources, func(a, b resource) int {
		return cmp.Or(
			strings.Compare(a.crd.Names.Kind, b.crd.Names.Kind),
			strings.Compare(a.crd.Group, b.crd.Group),
		)
	})
	plan := &Plan{}
	prune, check := newInterner(), newInterner()
	for _, r := range resources {
		preserve := preserveOwn
		if !r.version.Pruned {
			preserve = preserveAll
		}
		plan.Kinds = append(plan.Kinds, &Kind{
			Group:      r.crd.Group,
			Version:    r.version.Name,
			Kind:       r.crd.Names.Kind,
			Plural:     r.crd.Names.Plural,
			Ident:      exported(r.crd.Names.Kind),
			SchemaHash: structural.Hash(r.schema, r.version.Pruned, r.semantics),
			Prune:      (&pruneLowering{prune, r.semantics}).root(r.schema, preserve),
			Check:      (&checkLowering{interner: check}).root(r.schema),
		})
	}
	plan.Prune = nameNodes(plan.Kinds, func(k *Kind) *Node { return k.Prune })
	plan.Check = nameNodes(plan.Kinds, func(k *Kind) *Node { return k.Check })
	return plan
}

// nameNodes names the nodes that become functions, each after the shortest path that reaches it, of those the first in
// sorted order. What is added deeper or later in a schema thus renames nothing. The roots come first, so that no other
// node takes their names. The nodes are returned in the order of their paths, kind by kind.
func nameNodes(kinds []*Kind, root func(*Kind) *Node) []*Node {
	type place struct {
		node *Node
		path []segment
	}
	var all []*Node
	names := nameTable{taken: map[string]bool{}}
	claim := func(n *Node, k *Kind, path []segment) bool {
		if n == nil || n.Kind != NodeFunc || n.Owner != nil {
			return false
		}
		n.Owner, n.path, n.Path, n.Name = k, path, shortPath(path), names.nodeName(k, path)
		all = append(all, n)
		return true
	}
	var levels [][]place // one for each kind: the nodes that were claimed last
	for _, k := range kinds {
		var roots []place
		if claim(root(k), k, nil) {
			roots = append(roots, place{root(k), nil})
		}
		levels = append(levels, roots)
	}
	for i, k := range kinds {
		for level := levels[i]; len(level) > 0; {
			var next []place
			for _, at := range level {
				step := func(child *Node, s segment) {
					path := append(at.path[:len(at.path):len(at.path)], s)
					if claim(child, k, path) {
						next = append(next, place{child, path})
					}
				}
				for _, f := range at.node.Fields {
					step(f.Node, propertySegment(f.Name))
				}
				step(at.node.RestNode, segment{kind: segmentValues})
				step(at.node.Elem, segment{kind: segmentItems})
			}
			level = next
		}
	}
	for i, k := range kinds {
		k.index = i
	}
	slices.SortFunc(all, func(a, b *Node) int {
		return cmp.Or(cmp.Compare(a.Owner.index, b.Owner.index), slices.CompareFunc(a.path, b.path, segment.compare))
	})
	return all
}

// interner makes equal nodes one node.
type interner struct {
	nodes map[string]*Node
}

func newInterner() *interner {
	return &interner{nodes: map[string]*Node{}}
}

// intern returns the node that is equal to n. The nodes that n refers to are interned already.
func (in *interner) intern(n Node) *Node {
	id := func(n *Node) int {
		if n == nil {
			return 0
		}
		return n.id
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d %t %d %d %d %q", n.Kind, n.Nullable, n.Rest, id(n.RestNode), id(n.Elem), n.Types)
	for _, f := range n.Fields {
		b.WriteByte(' ')
		b.WriteString(strconv.Quote(f.Name))
		b.WriteString(strconv.Itoa(f.Node.id))
	}
	key := b.String()
	if old, ok := in.nodes[key]; ok {
		return old
	}
	n.id = len(in.nodes) + 1
	in.nodes[key] = &n
	return &n
}

// preserve says what happens to fields that a schema does not specify.
type preserve uint8

const (
	preserveOwn       preserve = iota // what the schema's own x-kubernetes-preserve-unknown-fields says
	preserveInherited                 // they stay: something above says so
	preserveAll                       // they stay here and everywhere below: the CRD does not prune
)

// pruneLowering decides what pruning keeps, drops and walks.
type pruneLowering struct {
	*interner
	semantics structural.Semantics
}

func (l *pruneLowering) root(s *structural.Schema, p preserve) *Node {
	if s == nil {
		s = &structural.Schema{}
	}
	root := *s
	root.XEmbeddedResource = true // every root is a resource, whether or not its schema says so
	n := l.lower(&root, p)
	if n.Kind != NodeFunc {
		panic("the root of a resource has metadata to prune, and so needs a function")
	}
	return n
}

func (l *pruneLowering) lower(s *structural.Schema, p preserve) *Node {
	if s == nil {
		s = &structural.Schema{}
	}
	if p == preserveOwn && s.XPreserveUnknownFields {
		p = preserveInherited
	}
	n := Node{Rest: RestDrop}
	if p != preserveOwn {
		n.Rest = RestKeep
	}
	if ap := s.AdditionalProperties; ap != nil {
		n.Rest, n.RestNode = RestWalk, l.lower(ap.Schema, l.below(ap.Schema, p))
		if n.RestNode.Kind == NodeKeep {
			n.Rest, n.RestNode = RestKeep, nil
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		child := s.Properties[name]
		n.Fields = append(n.Fields, Field{name, l.lower(child, l.below(child, p))})
	}
	if s.XEmbeddedResource {
		n.Fields = withMeta(n.Fields, l.intern(Node{Kind: NodeKeep}), l.intern(Node{Kind: NodeMetadata}))
	}
	if n.Rest == RestKeep {
		n.Fields = slices.DeleteFunc(n.Fields, func(f Field) bool { return f.Node.Kind == NodeKeep })
	}
	switch {
	case s.Items != nil:
		n.Elem = l.lower(s.Items, l.element(s.Items, p))
	case p == preserveOwn:
		n.Elem = l.intern(Node{Kind: NodeLeaf})
	default:
		n.Elem = l.intern(Node{Kind: NodeKeep})
	}
	switch {
	case len(n.Fields) == 0 && n.Rest == RestDrop && n.Elem.Kind == NodeLeaf:
		return n.Elem
	case len(n.Fields) == 0 && n.Rest == RestKeep && n.Elem.Kind == NodeKeep:
		return n.Elem
	case len(n.Fields) == 0 && n.Rest == RestWalk && n.RestNode.Kind == NodeLeaf && n.Elem.Kind == NodeLeaf:
		n.Kind = NodeMap
	}
	return l.intern(n)
}

// below returns what applies to a value that the schema specifies inside an object: this is where the two readings of
// preserved subtrees part.
func (l *pruneLowering) below(s *structural.Schema, p preserve) preserve {
	if l.semantics == structural.APIServer && p == preserveInherited {
		return preserveOwn
	}
	return l.element(s, p)
}

// element returns what applies to the elements of a list: what applies to the list itself, until, in one of the two
// readings, a schema has properties of its own.
func (l *pruneLowering) element(s *structural.Schema, p preserve) preserve {
	if l.semantics == structural.KEP2332 && p == preserveInherited && s != nil && len(s.Properties) > 0 {
		return preserveOwn
	}
	return p
}

// withMeta replaces the fields that every resource has, whatever the schema says about them.
func withMeta(fields []Field, typeMeta, metadata *Node) []Field {
	fields = slices.DeleteFunc(fields, func(f Field) bool {
		return f.Name == "apiVersion" || f.Name == "kind" || f.Name == "metadata"
	})
	fields = append(fields, Field{"apiVersion", typeMeta}, Field{"kind", typeMeta}, Field{"metadata", metadata})
	slices.SortFunc(fields, func(a, b Field) int { return strings.Compare(a.Name, b.Name) })
	return fields
}

// checkLowering decides which types are accepted where.
type checkLowering struct {
	*interner
	// formats says that times and 64-bit integers are types of their own, as in ObjectMeta, where Go's decoder insists.
	formats bool
}

func (l *checkLowering) root(s *structural.Schema) *Node {
	if s == nil {
		s = &structural.Schema{}
	}
	root := *s
	root.XEmbeddedResource = true
	return l.lower(&root)
}

func (l *checkLowering) lower(s *structural.Schema) *Node {
	n := Node{Rest: RestKeep, Types: l.types(s), Nullable: s.Nullable}
	if n.Types == nil {
		n.Nullable = false // null passes anyway
	}
	if ap := s.AdditionalProperties; ap != nil && ap.Schema != nil {
		if values := l.lower(ap.Schema); values.Kind != NodeKeep {
			n.Rest, n.RestNode = RestWalk, values
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		n.Fields = append(n.Fields, Field{name, l.lower(s.Properties[name])})
	}
	if s.XEmbeddedResource {
		n.Fields = withMeta(n.Fields, l.intern(Node{Kind: NodeLeaf, Types: []string{"string"}}), l.intern(Node{Kind: NodeMetadata}))
	}
	if n.Rest == RestKeep {
		n.Fields = slices.DeleteFunc(n.Fields, func(f Field) bool { return f.Node.Kind == NodeKeep })
	}
	if s.Items != nil {
		if items := l.lower(s.Items); items.Kind != NodeKeep {
			n.Elem = items
		}
	}
	if len(n.Fields) == 0 && n.Rest == RestKeep && n.Elem == nil {
		n.Kind = NodeLeaf
		if n.Types == nil {
			n.Kind = NodeKeep
		}
	}
	return l.intern(n)
}

// types returns the types a value may have. Kubernetes turns int-or-string into two types, whatever type says.
func (l *checkLowering) types(s *structural.Schema) []string {
	switch {
	case s.XIntOrString:
		return []string{"integer", "string"}
	case s.Type == "":
		return nil
	case l.formats && s.ValueValidation.Format == "date-time":
		return []string{"time"}
	case l.formats && s.ValueValidation.Format == "int64":
		return []string{"int64"}
	}
	return []string{s.Type}
}
