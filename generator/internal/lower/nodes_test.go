package lower

import (
	"testing"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// odd is the payload of a pass that does not exist yet.
type odd struct {
	a, b string
	c    bool
}

func (odd) Func() bool     { return false }
func (odd) String() string { return "" }
func (odd) Drops() bool    { return false }
func (odd) Object() bool   { return false }
func (odd) Leaf() bool     { return false }

func TestNodesAreOneWherePayloadAndAllBelowAreEqual(t *testing.T) {
	all := newNodes()
	x, y := all.leaf(odd{a: "x"}), all.leaf(odd{b: "x"})
	node := func(n plan.Node) *plan.Node {
		n.Do = odd{c: true}
		return all.intern(n)
	}
	field := func(name string, n *plan.Node) plan.Field { return plan.Field{Name: name, Node: n} }
	slot := plan.NullRule{Null: plan.NullDrop}
	one, other := all.value(map[string]any{"a": int64(1)}), all.value(map[string]any{"a": 1.0})
	different := []*plan.Node{
		x, y, all.leaf(odd{a: "x", c: true}), all.leaf(plan.PruneKeep), all.leaf(plan.PruneLeaf), all.leaf(plan.Check{}),
		all.leaf(plan.Check{Types: plan.TypeNull}),
		node(plan.Node{}), node(plan.Node{Rest: plan.RestKeep}),
		node(plan.Node{Elem: x}), node(plan.Node{Elem: y}), node(plan.Node{RestNode: x}), node(plan.Node{RestNode: y}),
		node(plan.Node{Fields: []plan.Field{field("a", x)}}), node(plan.Node{Fields: []plan.Field{field("a", y)}}),
		node(plan.Node{Fields: []plan.Field{field("b", x)}}), node(plan.Node{Fields: []plan.Field{field("", x)}}),
		node(plan.Node{Fields: []plan.Field{field("a", x), field("b", x)}}),
		node(plan.Node{Fields: []plan.Field{field("a\x01\x00\x01b", x)}}), // as if it were two
		node(plan.Node{Fields: []plan.Field{field("a\x01\x00b", x)}}),     // and as if names had no length
		// Two fields, and as if each of the names ended elsewhere.
		node(plan.Node{Fields: []plan.Field{field("a", x), field("b\x01\x00c", x)}}),
		node(plan.Node{Fields: []plan.Field{field("a\x01\x00b", x), field("c", x)}}),
		node(plan.Node{Elem: x, ElemSlot: slot}), node(plan.Node{RestNode: x, RestSlot: slot}),
		node(plan.Node{Fields: []plan.Field{{Name: "a", Node: x, Slot: slot}}}),
		node(plan.Node{Fields: []plan.Field{{Name: "a", Node: x, Slot: plan.NullRule{Default: one}}}}),
		node(plan.Node{Fields: []plan.Field{{Name: "a", Node: x, Slot: plan.NullRule{Default: other}}}}),
	}
	seen := map[*plan.Node]int{}
	for i, n := range different {
		if j, ok := seen[n]; ok {
			t.Errorf("nodes %d and %d are one", i, j)
		}
		seen[n] = i
	}
	if again := node(plan.Node{Fields: []plan.Field{field("a", x), field("b", x)}}); different[seen[again]] != again {
		t.Error("equal nodes are two")
	}
}
