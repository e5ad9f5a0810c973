package lower

import (
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// objectWalk chooses how a function goes through the fields of an object. Fields whose node is listable are left to the
// runtime in one call where fields are looked up.
func objectWalk(n *plan.Node, listable func(plan.Field) bool) plan.Walk {
	w := plan.Walk{LookUpFrom: lookUpFrom(len(n.Fields)), Groups: groups(n.Fields, listable)}
	if n.Rest == plan.RestWalk {
		w.LookUpFrom = plan.Never // every field is gone through anyway
		return w
	}
	for i, g := range w.Groups {
		w.Groups[i].Listed = listable(g.Fields[0])
	}
	return w
}

// lookUpFrom returns how many fields an object must have to make looking up all known fields cheaper than ranging over
// those that are there. BenchmarkLookupBorder in the folder border shows from how many on lookups win:
//
//	known fields   8  12  16  24  32  48  64
//	lookups win    4   9   9  14  18  29  38
//
// Where there is little to gain, 0 saves the range.
func lookUpFrom(known int) int {
	if known <= 8 {
		return 0
	}
	return known*2/3 - 1
}

// groups puts the listable fields with one node and one slot together, in the order in which plans write the nodes. Every other field
// comes after them, by itself and in the order of their names. A field more thus moves no other.
func groups(fields []plan.Field, listable func(plan.Field) bool) []plan.Group {
	type key struct {
		node *plan.Node
		slot plan.Slot
	}
	var listed, others []plan.Group
	at := map[key]int{}
	for _, f := range fields {
		if !listable(f) {
			others = append(others, plan.Group{Fields: []plan.Field{f}})
			continue
		}
		k := key{f.Node, f.Slot}
		i, ok := at[k]
		if !ok {
			i = len(listed)
			at[k] = i
			listed = append(listed, plan.Group{})
		}
		listed[i].Fields = append(listed[i].Fields, f)
	}
	slices.SortFunc(listed, func(a, b plan.Group) int { return strings.Compare(a.Node().Do.String(), b.Node().Do.String()) })
	return append(listed, others...)
}
