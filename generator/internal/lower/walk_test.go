package lower

import (
	"fmt"
	"testing"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// A function goes through an object in one way: it looks few names up, and ranges otherwise.
func TestFewNamesAreLookedUp(t *testing.T) {
	leaf := &plan.Node{Do: plan.PruneLeaf}
	for _, c := range []struct {
		names  int
		rest   plan.Rest
		ranges bool
	}{
		{1, plan.RestDrop, false},
		{5, plan.RestDrop, false}, // a root has so many
		{6, plan.RestDrop, true},
		{300, plan.RestKeep, true},
		{1, plan.RestWalk, true}, // every field is walked anyway
	} {
		n := &plan.Node{Do: plan.PruneWalk, Rest: c.rest, Elem: leaf}
		for i := range c.names {
			n.Fields = append(n.Fields, plan.Field{Name: fmt.Sprintf("field%03d", i), Node: leaf})
		}
		w := objectWalk(n, func(plan.Field) bool { return true })
		if w.Ranges != c.ranges || w.Groups[0].Listed == c.ranges {
			t.Errorf("%d names: ranges %t, listed %t", c.names, w.Ranges, w.Groups[0].Listed)
		}
	}
}

// Choosing how to walk a new node may ask for other nodes. The node is found again all the same.
func TestNodesAreFoundAgainWhateverTheirWalkAsksFor(t *testing.T) {
	all := newNodes()
	asks := func(*plan.Node) plan.Walk {
		all.leaf(plan.PruneKeep)
		return plan.Walk{Form: plan.FormList}
	}
	n := plan.Node{Do: plan.PruneWalk, Elem: all.leaf(plan.PruneLeaf), Fields: []plan.Field{{Name: "someField", Node: all.leaf(plan.PruneLeaf)}}}
	first := all.internWalk(n, asks)
	if all.internWalk(n, asks) != first {
		t.Error("one node is two")
	}
	if first.Walk.Form != plan.FormList {
		t.Error("the walk was not chosen")
	}
}
