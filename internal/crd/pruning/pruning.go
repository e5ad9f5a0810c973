// Package pruning decides what pruning keeps, for objects and for JSON alike.
package pruning

import (
	"sync"

	"github.com/prune-gen/prune-gen/structural"
)

// ObjectMeta returns a shared copy of the schema of ObjectMeta. It must not be changed.
var ObjectMeta = sync.OnceValue(structural.ObjectMeta)

// Options says how Prune prunes. The zero value is what the API server does for a CRD of apiextensions.k8s.io/v1.
type Options struct {
	Semantics structural.Semantics
	// PreserveUnknownFields is spec.preserveUnknownFields of a v1beta1 CRD: only unknown metadata is dropped.
	PreserveUnknownFields bool
}

// Preserves reports whether s preserves unknown fields, itself or because it inherits that from above.
func (o Options) Preserves(s *structural.Schema, inherits bool) bool {
	if o.Semantics == structural.KEP2332 && len(s.Properties) > 0 {
		inherits = false
	}
	return inherits || s.XPreserveUnknownFields
}

// KeepsUnknown reports whether an object under s keeps fields that s does not specify, given whether s preserves them. A map specifies
// all keys.
func (o Options) KeepsUnknown(s *structural.Schema, preserves bool) bool {
	return o.PreserveUnknownFields || preserves && s.AdditionalProperties == nil
}

// Values returns the schema of the values of a map, nil if s is not one. Where additionalProperties is true or false, nothing is specified
// below a key.
func Values(s *structural.Schema) *structural.Schema {
	if values := s.Values(); values != nil || s.AdditionalProperties == nil {
		return values
	}
	return &structural.Schema{}
}

// Specified returns the schema of key k in a map under s, and the path of its value; nil if s does not specify k.
func Specified(s *structural.Schema, k string, at *structural.Path) (*structural.Schema, *structural.Path) {
	if child, ok := s.Properties[k]; ok {
		return child, at.Child(k)
	}
	return Values(s), at.Key(k)
}
