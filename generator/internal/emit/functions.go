// Package emit prints plans as Go. It cannot see a schema: whatever shapes the code stands in the plan.
package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// Unit is one of the files that a kind has. Families of functions that belong together are in one.
type Unit struct {
	// Infix tells the names of its files from those of other units.
	Infix string
	// About is the comment at the top of the file of a kind, and AboutShared that of the file with what kinds share.
	About       func(k *plan.Kind) string
	AboutShared string
}

// Functions is a family of functions, or of variables, one for each node of a tree. Features whose exported functions use the same
// family share it.
type Functions struct {
	// Verb is the beginning of the names of the functions.
	Verb string
	// In is the unit that holds the family.
	In *Unit
	// Node emits the function of a node.
	Node func(g *jen.Group, n *plan.Node)
}

// Names are the names that the exported function of a feature uses.
type Names struct {
	// Function is the name of the exported function.
	Function string
	// Root is the name of the function, or variable, for the root of the tree.
	Root string
	// Needs are the same for the features that this one needs, in the order in which it names them.
	Needs []string
}

// API emits the exported function of a feature.
type API func(g *jen.Group, k *plan.Kind, names Names)
