// Package plan holds what a generated package does, with every decision made and no schema left in it. Lowering makes
// plans, emitters print them as Go, and String prints them for people.
package plan

import prunert "github.com/prune-gen/prune-gen/runtime"

// Plan is what one generated package does. For this schema
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
//	prune App  the root  look up
//	  apiVersion  keep
//	  kind        kind
//	  metadata    metadata
//	  spec        prune AppSpec
//	  *           drop
//
//	prune AppSpec  .spec  look up
//	  env    leaf map
//	  extra  keep
//	  image  leaf, listed
//	  *      drop
//
//	check App  the root  object  look up
//	  apiVersion  string, listed
//	  kind        string, listed
//	  metadata    metadata
//	  spec        check AppSpec
//
//	check AppSpec  .spec  object  look up
//	  env    check AppSpecEnv
//	  extra  object, listed
//	  image  string, listed
//
//	check AppSpecEnv  .spec.env  object  range
//	  *  string
//
// There is a tree for each pass. A node that is spelled out becomes a function. The others need none: what is kept is
// left alone, and the runtime handles leaves, maps of leaves and metadata.
//
// A leaf is a value of which the schema specifies no more than the type. Pruning follows the value and not the type: it empties
// an object in the place of a string. For the same reason a node says what to do with an object and what to do with a list. A
// plan shows the latter, as "[]  ...", unless the elements are pruned as leaves.
//
// After the path comes how the function goes through a value: see Walk.
//
// Equal nodes are one node, within a kind or, on request, in the whole package. Structural schemas have no references, so a tree
// has no cycles.
type Plan struct {
	Kinds []*Kind
	Trees []*Tree // one for each pass
}

// Kind is one kind of the package.
type Kind struct {
	// Resource has no functions. Its ListKind is empty if it is the kind followed by List, and HasRules is for validated values alone.
	prunert.Resource
	// Ident is the kind as part of Go identifiers.
	Ident string
}

// Tree is what one pass does to the objects of the package.
type Tree struct {
	// Pass is the name of the pass, which is a verb: prune, check.
	Pass string
	// Roots are the nodes of whole objects by their kind.
	Roots map[string]*Node
	// Funcs are the nodes that become functions, kind by kind, in the order of their paths, and then those that kinds share.
	Funcs []*Node
}

// ForVersions returns the plan for a package that differs from this one only in the versions of its kinds.
func (p *Plan) ForVersions(versions map[string]string) *Plan {
	other := &Plan{Trees: p.Trees}
	for _, k := range p.Kinds {
		kind := *k
		kind.Version = versions[k.Kind]
		other.Kinds = append(other.Kinds, &kind)
	}
	return other
}

// Tree returns the tree of a pass, nil if the plan has none.
func (p *Plan) Tree(pass string) *Tree {
	for _, t := range p.Trees {
		if t.Pass == pass {
			return t
		}
	}
	return nil
}
