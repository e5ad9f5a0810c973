package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// ResourceName returns the name of the variable with the resource of a kind.
func ResourceName(ident string) string {
	return ident + "Resource"
}

// AboutResource returns the comment at the top of a file with a resource and without the functions that prune.
func AboutResource(k *plan.Kind) string {
	return fmt.Sprintf("This file describes %s %s.", word(k.APIVersion()), word(k.Kind))
}

// Link is a field of prunert.Resource and the function that it holds.
type Link struct{ Field, Function string }

// Contract emits what keeps a file from being compiled with another runtime.
func Contract(g *jen.Group) {
	doc(g, "Fails to compile against an incompatible prune-gen runtime; regenerate this file.")
	write(g, "const _ = pruneimpl.SupportsGeneratedV1\n")
}

// Resource emits the variable with the resource of a kind.
func Resource(g *jen.Group, k *plan.Kind, links []Link) {
	Contract(g)
	doc(g, fmt.Sprintf("%s describes %s %s and holds the generated functions.", ResourceName(k.Ident), word(k.APIVersion()), word(k.Kind)))
	write(g, "var %s = prunert.Resource{\nGroup: %s,\nVersion: %s,\nKind: %s,\nPlural: %s,",
		ResourceName(k.Ident), quote(k.Group), quote(k.Version), quote(k.Kind), quote(k.Plural))
	text := func(field, value string) {
		if value != "" {
			write(g, "%s: %s,", field, quote(value))
		}
	}
	flag := func(field string, set bool) {
		if set {
			write(g, "%s: true,", field)
		}
	}
	text("ListKind", k.ListKind)
	flag("Namespaced", k.Namespaced)
	flag("Status", k.Status)
	if s := k.Scale; s != nil {
		selector := ""
		if s.LabelSelectorPath != "" {
			selector = ", LabelSelectorPath: " + quote(s.LabelSelectorPath)
		}
		write(g, "Scale: &prunert.Scale{SpecReplicasPath: %s, StatusReplicasPath: %s%s},", quote(s.SpecReplicasPath), quote(s.StatusReplicasPath), selector)
	}
	text("DeprecationWarning", k.DeprecationWarning)
	if k.Kubernetes != 0 {
		write(g, "Kubernetes: %d,", k.Kubernetes)
	}
	write(g, "SchemaHash: %s,", quote(k.SchemaHash))
	flag("HasRules", k.HasRules)
	for _, l := range links {
		write(g, "%s: %s,", l.Field, l.Function)
	}
	write(g, "}\n")
}

// Register emits a function that registers the resources of kinds when the program starts.
func Register(g *jen.Group, kinds []*plan.Kind) {
	write(g, "func init() {\nprunert.Register(")
	for _, k := range kinds {
		write(g, "%s,", ResourceName(k.Ident))
	}
	write(g, ")\n}")
}
