package structural

import "github.com/prune-gen/prune-gen/runtime/kubeversion"

// Behavior holds everything in a version of a CRD that decides what is done to its objects. Lowering, interpreters and the hash read
// nothing else of the version, so that versions with the same hash behave alike.
type Behavior struct {
	// Schema is what pruning, types and defaults follow. It is nil if the version has no schema, or one that cannot be structural.
	Schema *Schema
	// Written is what validation follows: the API server validates by the schema as written.
	Written *JSONSchema
	// Pruned reports whether unknown fields are dropped.
	Pruned bool
	// Namespaced reports whether objects have a namespace.
	Namespaced bool
	// Semantics is the reading of preserved subtrees.
	Semantics Semantics
	// Kubernetes is the version of the API server.
	Kubernetes kubeversion.Version
}

// NewBehavior returns the behavior of version v of c.
func NewBehavior(c *CRD, v *Version, semantics Semantics) Behavior {
	return Behavior{
		Schema: c.Structural(v), Written: v.Schema, Pruned: v.Pruned, Namespaced: c.Scope != "Cluster", Semantics: semantics, Kubernetes: c.Kubernetes,
	}
}
