package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// Prune is the family of functions that prune, with and without a report.
var Prune = Functions{Verb: "prune", In: PruneUnit, Node: emitPrune, Notes: walkNotes}

// PruneAPI emits Prune<Kind>.
var PruneAPI = api("drops, in place, every field of obj that the schema does not specify, in metadata too.", pruneText)

// ProjectAPI emits the function of a projection.
var ProjectAPI = api("drops, in place, every field of obj that the keep-list does not name.", pruneText)

const pruneText = `
func <Function>(obj map[string]any) {
	<root>(obj, nil)
}`

// ReportAPI emits Prune<Kind>Report.
var ReportAPI = api("drops the same fields and returns their paths, sorted.", `
func <Function>(obj map[string]any) []string {
	var rec pruneimpl.Recorder
	<root>(obj, &rec)
	return rec.Dropped()
}`)

var pruneWalk = walk{
	verb: "prune", call: func(n *plan.Node) string { return dropCall("prune", n) },
	list: "pruneimpl.PruneLeaves(obj, rec, ", listCounts: true, metadata: plan.PruneMetadata,
}

// emitPrune emits the function that prunes a value as n says.
func emitPrune(g *jen.Group, n *plan.Node) {
	pruneWalk.dropping(g, n, "prunes", "pruneimpl.PruneLeafObject")
}

// dropping emits a function that drops what a node does not name. leafObject is the function of the runtime for an object that has only
// leaves.
func (w walk) dropping(g *jen.Group, n *plan.Node, verb, leafObject string) {
	w.function(g, n, verb+" "+place(n)+" ("+pruneSummary(n)+")", func() {
		switch n.Walk.Form {
		case plan.FormLeafObject:
			write(g, "return %s(v, rec, %s)", leafObject, arguments(n.Fields))
		case plan.FormKeptList:
			write(g, "if _, ok := v.([]any); ok {\nreturn 0\n}\nreturn %s", pruneOther(n.Rest == plan.RestKeep))
		case plan.FormList:
			if n.Rest == plan.RestKeep {
				write(g, "list, _ := v.([]any)")
			} else {
				write(g, "list, n := pruneimpl.PruneList(v, rec)")
			}
			w.elements(g, n)
		case plan.FormObject:
			assertOr(g, "obj", "map[string]any", pruneOther(n.Elem.Do == plan.PruneKeep))
			w.fields(g, n)
		case plan.FormAny:
			w.objectOrList(g, n)
		}
	})
}

// dropCall returns the call that prunes or normalizes v as n says.
func dropCall(verb string, n *plan.Node) string {
	switch n.Do {
	case plan.PruneKeep, plan.PruneKind:
		return ""
	case plan.PruneLeaf:
		return "pruneimpl.PruneLeaf(v, rec)"
	case plan.PruneLeafMap, plan.PruneNullsMap:
		return "pruneimpl.PruneLeafMap(v, rec)"
	case plan.PruneNoNullsMap:
		return "pruneimpl.NormalizeLeafMap(v, rec)"
	case plan.PruneMetadata:
		return "pruneimpl.PruneMetadata(v, rec)"
	}
	return verb + n.Name + "(v, rec)"
}

// pruneOther returns the code for a value whose type is not the one that the function is for.
func pruneOther(keep bool) string {
	if keep {
		return "0"
	}
	return "pruneimpl.PruneLeaf(v, rec)"
}

// pruneSummary says how unspecified fields are treated, or that a value is a list.
func pruneSummary(n *plan.Node) string {
	switch {
	case !n.WalksObject():
		return "a list"
	case n.Rest == plan.RestDrop:
		return "drops unspecified fields"
	case n.Rest == plan.RestKeep:
		return "keeps unspecified fields and all that is in them"
	case len(n.Fields) == 0:
		return "a map: keeps every key"
	}
	return "keeps every other key and prunes its value"
}

// place names the part of an object that a function is for.
func place(n *plan.Node) string {
	switch {
	case n.Path != "":
		return n.Path
	case n.Owner == "":
		return "objects"
	}
	return n.Owner + " objects"
}
