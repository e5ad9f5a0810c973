package lower

import (
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/internal/base/sorted"
	"github.com/prune-gen/prune-gen/structural"
)

// addBelow adds to n what a schema says about the values in a value: its properties, the values of a map and the elements of a list,
// nil for none. What lowers to nothing is left out, except a property that must not be taken for a value of the map.
func addBelow[S any](n *plan.Node, properties map[string]*S, values, items *S, nothing *plan.Node, lower func(*S) *plan.Node) {
	if values != nil {
		if child := lower(values); child != nothing {
			n.Rest, n.RestNode = plan.RestWalk, child
		}
	}
	for _, name := range sorted.Keys(properties) {
		if child := lower(properties[name]); child != nothing || n.Rest != plan.RestKeep {
			n.Fields = append(n.Fields, plan.Field{Name: name, Node: child})
		}
	}
	if items != nil {
		if child := lower(items); child != nothing {
			n.Elem = child
		}
	}
}

// written returns the schema of a resource as the CRD has it.
func written(r Resource) *structural.JSONSchema {
	if r.Written == nil {
		return &structural.JSONSchema{}
	}
	return r.Written
}

// objectWalk chooses how a function goes through the fields of an object. Fields whose node is listable are left to the
// runtime in one call where fields are looked up.
func objectWalk(n *plan.Node, listable func(plan.Field) bool) plan.Walk {
	w := plan.Walk{Ranges: len(n.Fields) > mostLookedUp, Groups: groups(n.Fields, listable)}
	if n.Rest == plan.RestWalk || n.Rest == plan.RestRefuse {
		w.Ranges = true // every field must be visited anyway
	}
	if w.Ranges {
		return w
	}
	for i, g := range w.Groups {
		w.Groups[i].Listed = listable(g.Fields[0])
	}
	return w
}

// mostLookedUp is the maximum number of fields that a function looks up. To begin a range takes as long as two or three lookups, and
// people set two or three fields of an object: with more names, most lookups find nothing. On manifests that people wrote, a limit
// of three to five takes about the same time, and less than none or eight. A root has five fields: apiVersion, kind, metadata, spec
// and status.
const mostLookedUp = 5

// groups puts the listable fields with the same node and slot together, in the order in which plans write the nodes. Every other field
// follows in a group of its own, sorted by name. An added field thus moves no other.
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
	slices.SortStableFunc(listed, func(a, b plan.Group) int { return strings.Compare(a.Node().Do.String(), b.Node().Do.String()) })
	return append(listed, others...)
}
