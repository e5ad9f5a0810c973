package lower

import (
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// objectWalk chooses how a function goes through the fields of an object. Fields whose node is listable are left to the
// runtime in one call where fields are looked up.
func objectWalk(n *plan.Node, listable func(*plan.Node) bool) plan.Walk {
	w := plan.Walk{LookUpFrom: lookUpFrom(len(n.Fields)), Groups: groups(n.Fields, listable)}
	if n.Rest == plan.RestWalk {
		w.LookUpFrom = plan.Never // every field is gone through anyway
		return w
	}
	for i, g := range w.Groups {
		w.Groups[i].Listed = listable(g.Node())
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

// groups puts the fields with one listable node together, in the order in which plans write the nodes. Every other field
// comes after them, by itself and in the order of their names. A field more thus moves no other.
func groups(fields []plan.Field, listable func(*plan.Node) bool) []plan.Group {
	var listed, others []plan.Group
	at := map[*plan.Node]int{}
	for _, f := range fields {
		if !listable(f.Node) {
			others = append(others, plan.Group{Fields: []plan.Field{f}})
			continue
		}
		i, ok := at[f.Node]
		if !ok {
			i = len(listed)
			at[f.Node] = i
			listed = append(listed, plan.Group{})
		}
		listed[i].Fields = append(listed[i].Fields, f)
	}
	slices.SortFunc(listed, func(a, b plan.Group) int { return strings.Compare(a.Node().Do.String(), b.Node().Do.String()) })
	return append(listed, others...)
}
