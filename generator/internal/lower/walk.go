package lower

import "github.com/prune-gen/prune-gen/generator/internal/plan"

// objectWalk chooses how a function goes through the fields of an object. Fields whose node is listable are left to the
// runtime in one call where fields are looked up.
func objectWalk(n *plan.Node, listable func(*plan.Node) bool) plan.Walk {
	w := plan.Walk{LookUpFrom: lookUpFrom(len(n.Fields)), Groups: groups(n.Fields)}
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

// groups puts fields with the same node together, in the order of the first of each.
func groups(fields []plan.Field) []plan.Group {
	var all []plan.Group
	at := map[*plan.Node]int{}
	for _, f := range fields {
		i, ok := at[f.Node]
		if !ok {
			i = len(all)
			at[f.Node] = i
			all = append(all, plan.Group{})
		}
		all[i].Fields = append(all[i].Fields, f)
	}
	return all
}
