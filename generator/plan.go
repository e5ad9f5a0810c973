// Package generator turns CRDs into Go source: Lower decides everything and leaves a Plan, emitters print it.
package generator

import (
	"cmp"
	"fmt"
	"strings"
)

// Plan is what one generated package does, with every decision made and no schema left in it. For this schema
//
//	type: object
//	properties:
//	  spec:
//	    type: object
//	    properties:
//	      image: {type: string}
//	      env: {type: object, additionalProperties: {type: string}}
//	      extra: {type: object, x-kubernetes-preserve-unknown-fields: true}
//
// of kind App, the plan reads
//
//	App example.com/v1
//	  prune App
//	  check App
//
//	prune App  the root
//	  apiVersion  keep
//	  kind        keep
//	  metadata    metadata
//	  spec        prune AppSpec
//	  *           drop
//
//	prune AppSpec  .spec
//	  env    map
//	  extra  keep
//	  image  leaf
//	  *      drop
//
//	check App  the root  object
//	  apiVersion  string
//	  kind        string
//	  metadata    metadata
//	  spec        check AppSpec
//
//	check AppSpec  .spec  object
//	  env    check AppSpecEnv
//	  extra  object
//	  image  string
//
//	check AppSpecEnv  .spec.env  object
//	  *  string
//
// A node that is spelled out becomes a function. The others need none: what is kept is left alone; leaves, a map of
// leaves and metadata are the business of the runtime.
//
// A leaf is a value of which the schema says no more than that it is there, and, for check, of which type. Pruning follows
// the value and not the type: should an object stand in the place of a string, it is emptied. For the same reason a node
// says what to do with an object and what with a list. The latter is shown, as "[]  ...", where its elements are not
// simply pruned as leaves.
//
// Equal nodes are one node, within a kind and across the kinds of a package. Structural schemas have no references, so
// the plan has no cycles.
type Plan struct {
	Kinds []*Kind
	// Prune and Check are the nodes that become functions, kind by kind, in the order of their paths.
	Prune []*Node
	Check []*Node
}

// Kind is one kind of the package.
type Kind struct {
	Group, Version, Kind, Plural string
	// Ident is the kind as part of Go identifiers.
	Ident string
	// SchemaHash identifies the schema by what decides behaviour.
	SchemaHash string
	Prune      *Node
	Check      *Node

	index int // its place among the kinds of the package
}

// Node says what to do with a value.
type Node struct {
	Kind NodeKind
	// Types are the types the value may have, in the order in which a message names them; none means any. Only for check.
	Types []string
	// Nullable says that null passes, whatever Types say. Only for check.
	Nullable bool

	// What to do with an object: with the fields it names, sorted, and with the rest.
	Fields   []Field
	Rest     Rest
	RestNode *Node // for RestWalk
	// Elem is what to do with the elements of a list.
	Elem *Node

	// Name is what the functions for this node are called, after their prefix. Path is the place they are named after,
	// and Owner the kind it belongs to.
	Name  string
	Path  string
	Owner *Kind

	id   int       // of equal nodes, for interning
	path []segment // what Path is written from
}

// Field is a field that the schema names.
type Field struct {
	Name string
	Node *Node
}

// NodeKind tells nodes that become functions from those that do not.
type NodeKind uint8

const (
	NodeFunc     NodeKind = iota // walk the value: a function of its own
	NodeKeep                     // prune: leave the value and all below it alone; check: anything goes
	NodeLeaf                     // prune: nothing is specified below the value; check: only the type counts
	NodeMap                      // prune: an object whose keys all stay, and whose values are leaves
	NodeMetadata                 // the metadata of a resource
)

// Rest says what happens to the fields that a node does not name.
type Rest uint8

const (
	RestDrop Rest = iota // drop them
	RestKeep             // leave them alone
	RestWalk             // do with each what RestNode says
)

// String writes the plan in the form that the comment on Plan shows.
func (p *Plan) String() string {
	var b strings.Builder
	for _, k := range p.Kinds {
		fmt.Fprintf(&b, "%s %s\n  %s\n  %s\n", k.Kind, apiVersion(k.Group, k.Version), k.Prune.label("prune"), k.Check.label("check"))
	}
	for _, n := range p.Prune {
		b.WriteByte('\n')
		n.describe(&b, "prune")
	}
	for _, n := range p.Check {
		b.WriteByte('\n')
		n.describe(&b, "check")
	}
	return b.String()
}

func (n *Node) describe(b *strings.Builder, verb string) {
	place := n.Path
	if place == "" {
		place = "the root"
	}
	fmt.Fprintf(b, "%s  %s%s\n", n.label(verb), place, n.typeSuffix())
	type row struct{ key, value string }
	var rows []row
	for _, f := range n.Fields {
		rows = append(rows, row{quoteKey(f.Name), f.Node.label(verb)})
	}
	switch {
	case n.Rest == RestDrop:
		rows = append(rows, row{"*", "drop"})
	case n.Rest == RestWalk:
		rows = append(rows, row{"*", n.RestNode.label(verb)})
	case verb == "prune":
		rows = append(rows, row{"*", "keep"})
	}
	if n.Elem != nil && (verb != "prune" || n.Elem.Kind != NodeLeaf) {
		rows = append(rows, row{"[]", n.Elem.label(verb)})
	}
	width := 0
	for _, r := range rows {
		width = max(width, len(r.key))
	}
	for _, r := range rows {
		fmt.Fprintf(b, "  %-*s  %s\n", width, r.key, r.value)
	}
}

// label is how a node is referred to.
func (n *Node) label(verb string) string {
	switch n.Kind {
	case NodeFunc:
		return verb + " " + n.Name
	case NodeKeep:
		return "keep"
	case NodeLeaf:
		return cmp.Or(strings.TrimPrefix(n.typeSuffix(), "  "), "leaf")
	case NodeMap:
		return "map"
	case NodeMetadata:
		return "metadata"
	}
	panic(fmt.Sprintf("node %s has no kind", n.Name))
}

func (n *Node) typeSuffix() string {
	s := strings.Join(n.Types, ",")
	if n.Nullable && s != "" {
		s += " or null"
	}
	if s != "" {
		s = "  " + s
	}
	return s
}

func apiVersion(group, version string) string {
	if group == "" {
		return version
	}
	return group + "/" + version
}
