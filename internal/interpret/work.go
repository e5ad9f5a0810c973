package interpret

import (
	"github.com/prune-gen/prune-gen/internal/meter"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// Work is what the objects of a run share when schemas are interpreted. A nil Work is for a single object: filling in defaults has no
// limits, and validating has those of a run. A Work must not be used by several goroutines at once.
type Work struct {
	// Meter counts the keywords that are applied to values, the fields that are looked at for defaults, and the bytes of defaults
	// that are filled in and of errors. Once it is spent, values are not validated and defaults are not filled in.
	Meter *meter.Meter
	// Kubernetes is the version of the API server whose errors are wanted.
	Kubernetes kubeversion.Version

	patterns map[string]pattern
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

// sharedPatterns returns the patterns that objects share, nil if they share none.
func (w *Work) sharedPatterns() map[string]pattern {
	if w == nil || w.Meter == nil {
		return nil
	}
	if w.patterns == nil {
		w.patterns = map[string]pattern{}
	}
	return w.patterns
}
