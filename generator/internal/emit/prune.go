package emit

import (
	"cmp"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// Prune is the family of functions that prune, with and without a report.
var Prune = Functions{Verb: "prune", In: PruneUnit, Node: emitPrune, InPlace: func(n *plan.Node) bool { return inPlace("prune", n) != "" }}

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
	return pruneimpl.Report(obj, <root>)
}`)

var pruneWalk = dropWalk{
	walk:   walk{verb: "prune", call: func(n *plan.Node) string { return dropCall("prune", n) }, metadata: plan.PruneMetadata},
	leaves: "PruneLeaves", leafObject: "PruneLeafObject",
}

// emitPrune emits the function that prunes a value as n says.
func emitPrune(g *jen.Group, n *plan.Node) { pruneWalk.emit(g, n, "Prunes") }

// dropWalk is the walk of functions that drop what a node does not name: those that prune and those that normalize.
type dropWalk struct {
	walk
	// The functions of the runtime that walk listed fields, and those of an object with no others.
	leaves, leafObject string
	// first returns code for an object before its fields are visited, "" for most nodes. It adds to n. It may be nil.
	first func(n *plan.Node) string
}

// emit emits the function of a node.
func (w dropWalk) emit(g *jen.Group, n *plan.Node, verb string) {
	w.function(g, n, verb+" "+place(n)+" ("+pruneSummary(n)+")", func() {
		keeps := n.Elem.Do == plan.PruneKeep
		switch n.Walk.Form {
		case plan.FormLeafObject:
			write(g, "return pruneimpl.%s(v, rec, %s)", w.leafObject, arguments(n.Fields))
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
			if w.firstOf(n) == "" && !slices.ContainsFunc(n.Fields, hasDefault) && !keeps && (n.Rest == plan.RestDrop || n.Walk.Ranges) {
				w.fields(g, n, true)
				return
			}
			assertOr(g, "obj", "map[string]any", pruneOther(keeps))
			w.fields(g, n, false)
		case plan.FormAny:
			w.objectOrList(g, n, func() { w.fields(g, n, false) })
		}
	})
}

// firstOf returns what first returns, nothing if there is no first.
func (w dropWalk) firstOf(n *plan.Node) string {
	if w.first == nil {
		return ""
	}
	return w.first(n)
}

// fields emits what happens to the fields of an object. The code returns the number of events. With begin, it begins with the value v:
//
//	obj, left, n := pruneimpl.PruneLeaves(v, rec, "args", "image")
//	if left == 0 {
//		return n
//	}
//	if v, ok := obj["env"]; ok && rec.Last("env", <call>, &n, &left) {
//		return n
//	}
//	return n + pruneimpl.DropUnknown(obj, rec, left, "args", "env", "image")
//
// Otherwise obj is an object already.
func (w dropWalk) fields(g *jen.Group, n *plan.Node, begin bool) {
	write(g, "%s", w.firstOf(n))
	fillIn(g, n)
	if n.Walk.Ranges {
		if begin {
			write(g, "obj, left, n := pruneimpl.PruneObject(v, rec)")
		} else {
			write(g, "left := len(obj)")
		}
		w.rangeFields(g, n)
		write(g, "return n")
		return
	}
	drops := n.Rest == plan.RestDrop
	listed, counted, others := w.split(n, drops)
	switch {
	case begin && listed == nil:
		write(g, "obj, left, n := pruneimpl.PruneObject(v, rec)")
	case begin:
		write(g, "obj, left, n := pruneimpl.%s(v, rec, %s)", w.leaves, arguments(listed))
	case listed == nil && drops:
		write(g, "left := len(obj)")
	case drops:
		write(g, "_, left, leaves := pruneimpl.%s(obj, rec, %s)\nn += leaves", w.leaves, arguments(listed))
	case listed != nil:
		write(g, "_, _, leaves := pruneimpl.%s(obj, rec, %s)\nn += leaves", w.leaves, arguments(listed))
	}
	if len(counted) > 0 {
		write(g, "left -= pruneimpl.Count(obj, %s)", arguments(counted))
	}
	if drops && len(others) > 1 && len(others) < len(n.Fields) {
		write(g, "if left == 0 {\nreturn n\n}")
	}
	var nulls []plan.Field
	keptNulls := len(counted)
	for _, f := range others {
		count := ""
		if drops {
			count = "left--"
			if nullRule(f.Slot).Null == plan.NullDrop {
				nulls = append(nulls, f)
			} else {
				keptNulls++
			}
		}
		w.lookUp(g, f, drops, count)
	}
	switch {
	case !drops:
		write(g, "return n")
	case nulls == nil:
		write(g, "return n + pruneimpl.DropUnknown(obj, rec, left, %s)", arguments(n.Fields))
	case keptNulls == 0:
		write(g, "return n + pruneimpl.DropOthers(obj, rec, left, %s)", arguments(n.Fields))
	default:
		write(g, "pruneimpl.DropNulls(obj, %s)\nreturn n + pruneimpl.DropUnknown(obj, rec, left, %s)", arguments(nulls), arguments(n.Fields))
	}
}

// split returns the fields of an object that are listed, those that are only counted, and all others.
func (w dropWalk) split(n *plan.Node, count bool) (listed, counted, others []plan.Field) {
	for _, same := range n.Walk.Groups {
		switch f := same.Fields[0]; {
		case same.Listed:
			listed = append(listed, same.Fields...)
		case count && w.call(f.Node) == "" && nullRule(f.Slot).Null != plan.NullDrop:
			counted = append(counted, same.Fields...)
		default:
			others = append(others, same.Fields...)
		}
	}
	return listed, counted, others
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
	return cmp.Or(inPlace(verb, n), verb+n.Name+"(v, rec)")
}

// inPlace returns the call that prunes or normalizes v as n says, if it is so short that no function is made for it: that for the elements
// of a list, or for an object of few leaves.
func inPlace(verb string, n *plan.Node) string {
	switch {
	case n.Path == "":
	case n.Walk.Form == plan.FormList && n.Rest == plan.RestDrop && n.ElemSlot == nil:
		if elem := each(dropCall(verb, n.Elem)); elem != "" {
			return "pruneimpl.PruneEach(v, rec, " + elem + ")"
		}
	case n.Walk.Form == plan.FormLeafObject && isShort(n.Fields):
		object := "PruneLeafObject"
		if verb == "normalize" {
			object = "NormalizeLeafObject"
		}
		return "pruneimpl." + object + "(v, rec, " + arguments(n.Fields) + ")"
	}
	return ""
}

// isShort reports whether the names of fields leave room for a call in their line.
func isShort(fields []plan.Field) bool {
	const width = 60
	length := 0
	for _, f := range fields {
		length += len(f.Name) + len(`"", `)
	}
	return length < width
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
	case n.Elsewhere:
		return n.Path + " and others like it"
	case n.Path != "":
		return n.Path
	case n.Owner == "":
		return "objects"
	}
	return n.Owner + " objects"
}
