// Package emit prints plans as Go. It cannot see a schema: everything that decides the code is in the plan.
package emit

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// Unit is one of the files that a kind has. Families of functions that belong together are in one.
type Unit struct {
	// Infix tells the names of its files from those of other units.
	Infix string
	// About is the comment at the top of the file of a kind. The first %s stands for the kind, the second for its apiVersion.
	About string
	// Data is the unit with the data of its functions, which nobody reads; nil for none.
	Data *Unit
	// Kind emits what the functions of a kind share, given the names of their roots by the verbs of the families; nil for nothing.
	Kind func(g *jen.Group, k *plan.Kind, roots map[string]string)
}

// The units, in the order in which features use them.
var (
	PruneUnit     = &Unit{About: "This file prunes %s objects of %s as the Kubernetes API server does."}
	CheckUnit     = &Unit{Infix: "_check", About: "This file checks the types in %s objects of %s as the Kubernetes API server does."}
	NormalizeUnit = &Unit{Infix: "_normalize", About: "This file normalizes %s objects of %s as the Kubernetes API server does before validation."}
	JSONUnit      = &Unit{Infix: "_json", About: "This file prunes the JSON of %s objects of %s.", Kind: emitJSONKind}
	ValidateUnit  = &Unit{Infix: "_validate", About: "This file validates %s objects of %s as the Kubernetes API server does. CEL rules are in a file of their own."}
	RulesUnit     = &Unit{Infix: "_rules", About: "This file evaluates the CEL rules of %s objects of %s as the Kubernetes API server does. A function returns " +
		"whether its rule holds, and a bound of the cost. Where it is not sure, the program of the rule decides.", Data: RulesDataUnit}
	ProjectUnit   = &Unit{About: "This file drops what a keep-list does not name from %s objects of %s."}
	RulesDataUnit = &Unit{Infix: "_rules_data", About: "This file is data, not for review: the CEL rules of %s objects of %s with their texts and programs. The code of the rules is in the file without data in its name."}
)

// ResourceUnit is the unit with the resource. Every kind has its file.
var ResourceUnit = PruneUnit

// AboutShared is the comment at the top of a file with what kinds share.
const AboutShared = "This file holds what several kinds of this package share; the names come from the shortest path in any of them."

// AboutKind returns the comment at the top of the file of a kind.
func (u *Unit) AboutKind(k *plan.Kind) string {
	return fmt.Sprintf(u.About, word(k.Kind), word(k.APIVersion()))
}

// Functions is a family of functions, or of variables, one for each node of a tree. Features whose exported functions use the same
// family share it.
type Functions struct {
	// Verb is the beginning of the names of the functions.
	Verb string
	// In is the unit that holds the family.
	In *Unit
	// Node emits the function of a node, and Data its data if the unit has some.
	Node, Data func(g *jen.Group, n *plan.Node)
	// InPlace reports whether the function, or the variable, of a node would be so short that its contents stand where others would refer to it;
	// nil if there is none.
	InPlace func(n *plan.Node) bool
}

// Declares reports whether there is a function, or a variable, for a node.
func (f Functions) Declares(n *plan.Node) bool { return f.InPlace == nil || !f.InPlace(n) }

// Names are the names that the exported function of a feature uses.
type Names struct {
	// Function is the name of the exported function.
	Function string
	// Root is the name of the function, or variable, for the root of the tree, and Node is that root.
	Root string
	Node *plan.Node
	// Needs are the same for the features that this one needs, in the order in which it names them.
	Needs []string
}

// API emits the exported function of a feature.
type API func(g *jen.Group, k *plan.Kind, names Names)

// api returns the API with the given source, after its doc comment. <Function> stands for the name of the function, <root> for that of
// the root, <needed> for that of the first feature that it needs, <json> for what functions on JSON share, and <list> for the kind of
// lists, <namespaced> says whether objects of the kind are in namespaces, and <by> is the last argument for another version of the API server.
func api(comment, text string) API {
	return func(g *jen.Group, k *plan.Kind, names Names) {
		by := ""
		if k.Kubernetes != 0 {
			by = fmt.Sprintf(", %d", k.Kubernetes)
		}
		holes := strings.NewReplacer("<by>", by, "<namespaced>", fmt.Sprint(k.Namespaced), "<Function>", names.Function, "<root>", names.Root, "<needed>", strings.Join(names.Needs, ""),
			"<json>", jsonName(k), "<list>", quote(quickListKind(k)))
		doc(g, names.Function+" "+comment)
		write(g, "%s\n", holes.Replace(strings.TrimSpace(text)))
	}
}
