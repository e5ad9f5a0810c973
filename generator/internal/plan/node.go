package plan

// Node says what to do with a value. The fields for walking it are the same in all passes; Do is specific to a pass.
type Node struct {
	// Do is what the pass does with the value besides walking it.
	Do Payload

	// What to do with an object: with the fields that the node names, sorted, and with the rest.
	Fields   []Field
	Rest     Rest
	RestNode *Node // for RestWalk
	RestSlot Slot  // for RestWalk
	// Elem is what to do with the elements of a list, nil for nothing.
	Elem     *Node
	ElemSlot Slot
	// Branches are the schemas of the junctors, in the order in which the schema has them.
	Branches []Branch

	// Walk is how the function for this node goes through a value.
	Walk Walk

	// Name follows the verb in the names of the functions for this node. Path is the shortest schema path that leads to it, and Owner
	// the kind that the node belongs to, empty if several kinds share it.
	Name  string
	Path  string
	Owner string
	// Elsewhere says that fields of other names have equal values, so that the function is named for what is in the value.
	Elsewhere bool
}

// Payload is what a pass knows about a node. Two nodes are one if their payloads are equal by == and so is everything below them. A
// payload is a comparable type, so that comparing nodes cannot forget a field.
type Payload interface {
	// Func reports whether a node with this payload becomes a function.
	Func() bool
	// String describes the payload in a plan.
	String() string
}

// Field is a field that a node names.
type Field struct {
	Name string
	Node *Node
	Slot Slot
}

// Slot is what a pass knows about the place of a value, for example what to do if the value is missing. It may be nil.
// Like payloads, slots are compared by ==.
type Slot interface {
	// String describes the slot in a plan.
	String() string
}

// Rest says what happens to the fields that a node does not name.
type Rest uint8

const (
	RestDrop   Rest = iota // drop them
	RestKeep               // leave them alone
	RestWalk               // do with each what RestNode says
	RestRefuse             // report that they must not exist
)

// Walk says how a function goes through a value. It follows from the rest of the node and does not change the result. It is in the
// plan, and not left to emitters, so that plans show every choice.
type Walk struct {
	Form Form
	// Groups are the fields in the order in which the function goes through them.
	Groups []Group
	// Ranges says that the function ranges over the fields of an object instead of looking up those that the node names.
	Ranges bool
	// ByLetter says that keys in JSON are told apart by their first letter before they are compared.
	ByLetter bool
}

// Form is the type of value that a function is for.
type Form uint8

const (
	FormObject     Form = iota // an object
	FormList                   // a list
	FormKeptList               // a list that is left alone
	FormAny                    // any value: an object or a list is walked as what it turns out to be
	FormLeafObject             // an object that has only leaves: one call of the runtime
	FormText                   // a string
)

// Group is fields of an object that have one node and one slot.
type Group struct {
	Fields []Field
	// Listed says that one call of the runtime handles all of the fields.
	Listed bool
}

// Node returns the node that the fields share.
func (g Group) Node() *Node { return g.Fields[0].Node }

// WalksObject reports whether the function does more to an object than drop or keep all its fields.
func (n *Node) WalksObject() bool {
	if len(n.Fields) > 0 || n.Rest == RestWalk || n.Rest == RestRefuse {
		return true
	}
	switch do := n.Do.(type) {
	case Coerce:
		return true
	case Metadata:
		return do.Resource != ResourceNone
	case Validate:
		return do.Resource != ResourceNone || do.Rules.Required != nil || do.Rules.MaxProperties.Set || do.Rules.MinProperties.Set
	}
	return false
}
