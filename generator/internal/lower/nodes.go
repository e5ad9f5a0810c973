package lower

import (
	"encoding/binary"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// nodes holds the nodes of a tree, each of them once. Lowerings embed it and must not declare methods of the same names.
type nodes struct {
	// byKey has the nodes by what key returns for them.
	byKey  map[string]*plan.Node
	values map[string]*plan.Value
	tables map[string]*plan.RuleTable
	// Numbers of what keys are made of. Payloads and slots are compared by Go itself.
	ids      map[*plan.Node]uint64
	payloads map[plan.Payload]uint64
	slots    map[plan.Slot]uint64

	scratch []byte // for key
}

func newNodes() *nodes {
	return &nodes{
		byKey: map[string]*plan.Node{}, values: map[string]*plan.Value{}, tables: map[string]*plan.RuleTable{},
		ids: map[*plan.Node]uint64{}, payloads: map[plan.Payload]uint64{}, slots: map[plan.Slot]uint64{nil: 0},
	}
}

// leaf returns the node that has a payload and nothing below it.
func (all *nodes) leaf(do plan.Payload) *plan.Node {
	return all.intern(plan.Node{Do: do, Rest: plan.RestKeep})
}

// intern returns the canonical node for n.
func (all *nodes) intern(n plan.Node) *plan.Node {
	return all.internWalk(n, func(*plan.Node) plan.Walk { return n.Walk })
}

// internWalk returns the canonical node for n. It calls walk only for a new node, because how a function goes through a value follows from
// everything else in the node. In a large schema, one node in a hundred is new.
func (all *nodes) internWalk(n plan.Node, walk func(*plan.Node) plan.Walk) *plan.Node {
	key := all.key(&n)
	if old, ok := all.byKey[string(key)]; ok {
		return old
	}
	added := new(plan.Node)
	*added = n
	all.byKey[string(key)] = added
	all.ids[added] = uint64(len(all.ids) + 1)
	added.Walk = walk(added) // may intern other nodes, which overwrites key
	return added
}

// key returns bytes that identify n among all nodes: its payload and the nodes below it, which are interned already. The next
// call overwrites them.
func (all *nodes) key(n *plan.Node) []byte {
	b := append(all.scratch[:0], byte(n.Rest))
	b = binary.AppendUvarint(b, all.payloadID(n.Do))
	b = binary.AppendUvarint(b, all.ids[n.RestNode]) // 0 for nil
	b = binary.AppendUvarint(b, all.slotID(n.RestSlot))
	b = binary.AppendUvarint(b, all.ids[n.Elem])
	b = binary.AppendUvarint(b, all.slotID(n.ElemSlot))
	b = binary.AppendUvarint(b, uint64(len(n.Fields)))
	for _, f := range n.Fields {
		b = binary.AppendUvarint(b, uint64(len(f.Name)))
		b = append(b, f.Name...)
		b = binary.AppendUvarint(b, all.ids[f.Node])
		b = binary.AppendUvarint(b, all.slotID(f.Slot))
	}
	for _, branch := range n.Branches {
		b = append(b, byte(branch.Junctor))
		b = binary.AppendUvarint(b, all.ids[branch.Node])
	}
	all.scratch = b
	return b
}

// payloadID returns the number of a payload.
func (all *nodes) payloadID(do plan.Payload) uint64 {
	id, ok := all.payloads[do]
	if !ok {
		id = uint64(len(all.payloads))
		all.payloads[do] = id
	}
	return id
}

// slotID returns the number of a slot, 0 for none.
func (all *nodes) slotID(s plan.Slot) uint64 {
	id, ok := all.slots[s]
	if !ok {
		id = uint64(len(all.slots))
		all.slots[s] = id
	}
	return id
}

// table returns the canonical table for t, nil for nil.
func (all *nodes) table(t *plan.RuleTable) *plan.RuleTable {
	if t == nil {
		return nil
	}
	text := t.Text()
	if all.tables[text] == nil {
		all.tables[text] = t
	}
	return all.tables[text]
}

// value returns the canonical Value for v.
func (all *nodes) value(v any) *plan.Value {
	text := plan.ValueText(v)
	if all.values[text] == nil {
		all.values[text] = &plan.Value{JSON: v, Text: text}
	}
	return all.values[text]
}
