// Package assist helps to write manifests: it completes them, says what their fields mean, and finds the places of fields in CRDs. The
// texts need not parse: what can be written at a place is what the parser accepts there, without what is broken elsewhere. It knows no
// protocol of editors; the language server and the pages of explain use it.
package assist

import (
	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/structural"
)

// Catalog is what is known about kinds.
type Catalog interface {
	// Kinds returns the versions of kinds that are served, in the order of their names.
	Kinds() []manifest.Kind
	// Behavior returns a version of a kind, whether or not it is served.
	Behavior(apiVersion, kind string) (crd *structural.CRD, v *structural.Version, b structural.Behavior, ok bool)
}
