package plan

import "strings"

// Prune is the payload of the passes that drop what a schema does not specify. Normalizing also drops nulls, coerces metadata and fills in
// defaults.
type Prune uint8

const (
	PruneWalk       Prune = iota // walk the value: a function of its own
	PruneKeep                    // leave the value and all below it alone
	PruneKind                    // leave the value alone, which says what kind of object it is in
	PruneLeaf                    // nothing is specified below the value
	PruneLeafMap                 // an object whose keys all stay, and whose values are leaves
	PruneNullsMap                // the same where nulls are dropped elsewhere
	PruneNoNullsMap              // an object whose keys stay unless they are null, and whose values are leaves
	PruneMetadata                // the metadata of a resource
)

func (p Prune) Func() bool { return p == PruneWalk }

func (p Prune) String() string {
	return [...]string{"", "keep", "kind", "leaf", "leaf map", "leaf map with nulls", "leaf map", "metadata"}[p]
}

// Coerce is the payload of the pass that normalizes for a resource, which has metadata to coerce.
type Coerce struct {
	Resource Resource
	// DropNulls are the fields among apiVersion, kind and metadata that are dropped if they are null, separated by spaces.
	DropNulls string
}

// Resource says what an object is to the API machinery.
type Resource uint8

const (
	ResourceNone      Resource = iota // not a resource, but a part of one
	ResourceRoot                      // the whole object
	ResourceRootTwice                 // the whole object, whose schema says that it is an embedded resource, too
	ResourceEmbedded                  // an object in an object
)

func (Coerce) Func() bool { return true }

func (c Coerce) String() string {
	if c.Resource == ResourceEmbedded {
		return strings.TrimSpace("resource " + c.DropNulls)
	}
	return "root"
}

// Default is the payload of the pass that fills in defaults.
type Default uint8

const (
	DefaultWalk Default = iota // walk the value: a function of its own
	DefaultNone                // there is no default below the value
)

func (d Default) Func() bool { return d == DefaultWalk }

func (d Default) String() string { return [...]string{"", "no default"}[d] }
