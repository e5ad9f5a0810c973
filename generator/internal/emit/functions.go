// Package emit prints plans as Go. It cannot see a schema: whatever shapes the code stands in the plan.
package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// Functions is a family of functions, one for each node of a tree. Features whose exported functions call the same family
// share it, and the file that it is in.
type Functions struct {
	// Verb is how the names of the functions begin.
	Verb string
	// File tells the file of the family from those of others; the family of the resource itself has none.
	File string
	// About is what the file says about itself at the top, about a kind.
	About func(k *plan.Kind) string
	// AboutShared is what the file says that holds what kinds share.
	AboutShared string
	// Node emits the function of a node.
	Node func(g *jen.Group, n *plan.Node)
}

// API emits the exported function of a feature: name is what it is called, root the function that does the work.
type API func(g *jen.Group, k *plan.Kind, name, root string)
