package emit

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// Normalize is the family of functions that normalize.
var Normalize = Functions{Verb: "normalize", In: NormalizeUnit, Node: emitNormalize, Notes: walkNotes}

// NormalizeAPI emits Normalize<Kind>.
var NormalizeAPI = api("prunes obj, drops nulls and fills in defaults, in place, as the API server does before it validates, and returns the "+
	"paths of unknown fields if opts asks for them. An error reports invalid metadata, which is left as it is.", `
func <Function>(obj map[string]any, opts prunert.NormalizeOptions) (unknown []string, err error) {
	rec := pruneimpl.NewNormalizer(opts)
	if <root>(obj, &rec) == 0 {
		return nil, nil
	}
	return rec.Normalized()
}`)

var normalizeWalk = walk{
	verb: "normalize", call: func(n *plan.Node) string { return dropCall("normalize", n) },
	list: "pruneimpl.NormalizeLeaves(obj, rec, ", listCounts: true, first: normalizeFirst,
}

// emitNormalize emits the function that normalizes a value as n says. It has the form of the function that prunes, and also handles nulls
// and defaults.
func emitNormalize(g *jen.Group, n *plan.Node) {
	normalizeWalk.dropping(g, n, "normalizes", "pruneimpl.NormalizeLeafObject")
}

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
