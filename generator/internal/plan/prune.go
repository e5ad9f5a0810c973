package plan

// Prune is the payload of the pass that drops what a schema does not specify.
type Prune uint8

const (
	PruneWalk     Prune = iota // walk the value: a function of its own
	PruneKeep                  // leave the value and all below it alone
	PruneKind                  // leave the value alone, which says what kind of object it is in
	PruneLeaf                  // nothing is specified below the value
	PruneLeafMap               // an object whose keys all stay, and whose values are leaves
	PruneMetadata              // the metadata of a resource
)

func (p Prune) Func() bool { return p == PruneWalk }

func (p Prune) Leaf() bool { return p == PruneLeaf }

func (Prune) Object() bool { return false }

func (Prune) Drops() bool { return true }

func (p Prune) String() string {
	switch p {
	case PruneKeep:
		return "keep"
	case PruneKind:
		return "kind"
	case PruneLeaf:
		return "leaf"
	case PruneLeafMap:
		return "leaf map"
	case PruneMetadata:
		return "metadata"
	}
	return ""
}
