package lower

import (
	"encoding/binary"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// nodes holds the nodes of a tree, each of them once.
type nodes struct {
	byKey  map[nodeKey]*plan.Node
	ids    map[*plan.Node]uint64
	slots  map[plan.Slot]uint64
	values map[string]*plan.Value
}

// nodeKey is what makes two nodes one: the payload, compared by Go itself, and the nodes below, which are held by nodes
// already and so have numbers.
type nodeKey struct {
	do    plan.Payload
	below string
}

func newNodes() *nodes {
	return &nodes{
		byKey: map[nodeKey]*plan.Node{}, ids: map[*plan.Node]uint64{},
		slots: map[plan.Slot]uint64{nil: 0}, values: map[string]*plan.Value{},
	}
}

// leaf returns the node that has a payload and nothing below it.
func (all *nodes) leaf(do plan.Payload) *plan.Node {
	return all.one(plan.Node{Do: do, Rest: plan.RestKeep})
}

// one returns the node that is equal to n.
func (all *nodes) one(n plan.Node) *plan.Node {
	key := nodeKey{n.Do, all.below(&n)}
	if old, ok := all.byKey[key]; ok {
		return old
	}
	all.byKey[key] = &n
	all.ids[&n] = uint64(len(all.ids) + 1)
	return &n
}

// below writes what lies below n so that no two nodes write the same.
func (all *nodes) below(n *plan.Node) string {
	b := []byte{byte(n.Rest)}
	b = binary.AppendUvarint(b, all.ids[n.RestNode]) // 0 for nil
	b = binary.AppendUvarint(b, all.slot(n.RestSlot))
	b = binary.AppendUvarint(b, all.ids[n.Elem])
	b = binary.AppendUvarint(b, all.slot(n.ElemSlot))
	b = binary.AppendUvarint(b, uint64(len(n.Fields)))
	for _, f := range n.Fields {
		b = binary.AppendUvarint(b, uint64(len(f.Name)))
		b = append(b, f.Name...)
		b = binary.AppendUvarint(b, all.ids[f.Node])
		b = binary.AppendUvarint(b, all.slot(f.Slot))
	}
	for _, branch := range n.Branches {
		b = append(b, byte(branch.Junctor))
		b = binary.AppendUvarint(b, all.ids[branch.Node])
	}
	return string(b)
}

// slot returns the number of a slot, 0 for none.
func (all *nodes) slot(s plan.Slot) uint64 {
	id, ok := all.slots[s]
	if !ok {
		id = uint64(len(all.slots))
		all.slots[s] = id
	}
	return id
}

// value returns the Value of v.
func (all *nodes) value(v any) *plan.Value {
	text := plan.ValueText(v)
	if all.values[text] == nil {
		all.values[text] = &plan.Value{JSON: v, Text: text}
	}
	return all.values[text]
}
