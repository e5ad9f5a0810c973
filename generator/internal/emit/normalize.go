package emit

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// Normalize is the family of functions that normalize.
var Normalize = Functions{Verb: "normalize", In: NormalizeUnit, Node: emitNormalize, InPlace: func(n *plan.Node) bool { return inPlace("normalize", n) != "" }}

// NormalizeAPI emits Normalize<Kind>.
var NormalizeAPI = api("prunes obj, drops nulls and fills in defaults, in place, as the API server does before it validates, and returns the "+
	"paths of unknown fields if opts asks for them. An error reports invalid metadata, which is left as it is.", `
func <Function>(obj map[string]any, opts prunert.NormalizeOptions) (unknown []string, err error) {
	return pruneimpl.Normalize(obj, opts, <root>)
}`)

var normalizeWalk = dropWalk{
	walk:   walk{verb: "normalize", call: func(n *plan.Node) string { return dropCall("normalize", n) }},
	leaves: "NormalizeLeaves", leafObject: "NormalizeLeafObject",
	first: normalizeFirst,
}

// emitNormalize emits the function that normalizes a value as n says. It has the form of the function that prunes, and also handles nulls
// and defaults.
func emitNormalize(g *jen.Group, n *plan.Node) { normalizeWalk.emit(g, n, "Normalizes") }

// normalizeFirst returns what comes first for a resource: its metadata.
func normalizeFirst(n *plan.Node) string {
	do, _ := n.Do.(plan.Coerce)
	first := ""
	if do.DropNulls != "" {
		first = fmt.Sprintf("pruneimpl.DropNulls(obj, %s)\n", quoted(strings.Fields(do.DropNulls)))
	}
	switch do.Resource {
	case plan.ResourceRoot:
		first += "n += pruneimpl.NormalizeRoot(obj, rec)"
	case plan.ResourceRootTwice:
		first += "n += pruneimpl.NormalizeRootTwice(obj, rec)"
	case plan.ResourceEmbedded:
		first += "n += pruneimpl.NormalizeEmbedded(obj, rec)"
	}
	return first
}
