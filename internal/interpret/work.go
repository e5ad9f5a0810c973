package interpret

import (
	"sync"

	"github.com/prune-gen/prune-gen/internal/meter"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// Work is what the objects of a run share when schemas are interpreted. A nil Work is for a single object: filling in defaults has no
// limits, and validating has those of a run. Goroutines can share a Work.
type Work struct {
	// Meter counts the keywords that are applied to values, the fields that are looked at for defaults, and the bytes of defaults
	// that are filled in and of errors. Once it is spent, values are not validated and defaults are not filled in.
	Meter *meter.Meter
	// Kubernetes is the version of the API server whose errors are wanted.
	Kubernetes kubeversion.Version

	patterns sync.Map // of type pattern, by their texts; goroutines share them
}

// limits returns the meter, nil for none.
func (w *Work) limits() *meter.Meter {
	if w == nil {
		return nil
	}
	return w.Meter
}

// kubernetes returns the version of the API server.
func (w *Work) kubernetes() kubeversion.Version {
	if w == nil {
		return kubeversion.Newest
	}
	return w.Kubernetes
}

// pattern returns a pattern that was compiled for another object.
func (w *Work) pattern(text string) (p pattern, known bool) {
	if w != nil {
		var kept any
		if kept, known = w.patterns.Load(text); known {
			p = kept.(pattern)
		}
	}
	return p, known
}

// keep keeps a pattern for other objects.
func (w *Work) keep(text string, p pattern) {
	if w != nil {
		w.patterns.Store(text, p)
	}
}
