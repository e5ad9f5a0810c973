package interpret

import (
	"sync"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// Work is what the objects of a run share when schemas are interpreted. The zero Work is for a single object: filling in defaults has no
// limits, and validating has those of a run. Goroutines can share a Work.
type Work struct {
	// Meter counts the keywords that are applied to values, the fields that are looked at for defaults, and the bytes of defaults
	// that are filled in and of errors. Once it is spent, values are not validated and defaults are not filled in.
	Meter *meter.Meter
	// Kubernetes is the version of the API server whose errors are wanted.
	Kubernetes kubeversion.Version

	patterns sync.Map // of type pattern, by their texts; goroutines share them
}

// pattern returns a pattern that was compiled for another object.
func (w *Work) pattern(text string) (p pattern, known bool) {
	kept, known := w.patterns.Load(text)
	if known {
		p = kept.(pattern)
	}
	return p, known
}
