package emit

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// Normalize is the family of functions that normalize.
var Normalize = Functions{Verb: "normalize", In: NormalizeUnit, Node: emitNormalize}

// NormalizeAPI emits Normalize<Kind>.
var NormalizeAPI = api("changes obj, in place, into what the API server would store, and returns the paths of unknown fields if opts asks for "+
	"them. An error reports invalid metadata, which is left as it is.", `
func <Function>(obj map[string]any, opts prunert.NormalizeOptions) (unknown []string, err error) {
	rec := pruneimpl.NewNormalizer(opts)
	if <root>(obj, &rec) == 0 {
		return nil, nil
	}
	return rec.Normalized()
}`)

var normalizeWalk = walk{
	verb: "normalize", call: normalizeCall, list: "pruneimpl.NormalizeLeaves(obj, rec, ", listCounts: true, first: normalizeFirst,
}

func normalized(n *plan.Node) plan.Normalize { return n.Do.(plan.Normalize) }

// emitNormalize emits the function that normalizes a value as n says. It has the form of the function that prunes, with
// what becomes of nulls and the defaults added to it.
func emitNormalize(g *jen.Group, n *plan.Node) {
	normalizeWalk.dropping(g, n, "normalizes", "pruneimpl.NormalizeLeafObject", normalized(n.Elem).Kind == plan.NormalizeKeep)
}

// normalizeFirst returns what comes first for a resource: its metadata.
func normalizeFirst(n *plan.Node) string {
	do := normalized(n)
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

// normalizeCall returns the call that normalizes v as n says.
func normalizeCall(n *plan.Node) string {
	switch normalized(n).Kind {
	case plan.NormalizeKeep:
		return ""
	case plan.NormalizeLeaf:
		return "pruneimpl.PruneLeaf(v, rec)"
	case plan.NormalizeLeafMap:
		return "pruneimpl.NormalizeLeafMap(v, rec)"
	case plan.NormalizeNullsMap:
		return "pruneimpl.PruneLeafMap(v, rec)"
	case plan.NormalizeWalk:
		return "normalize" + n.Name + "(v, rec)"
	}
	panic("nothing normalizes like node " + n.Name)
}
