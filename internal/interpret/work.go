package interpret

import "github.com/prune-gen/prune-gen/internal/meter"

// Work is what the objects of a run share when schemas are interpreted. A nil Work is for a single object: filling in defaults has no
// limits, and validating has those of a run. A Work must not be used by several goroutines at once.
type Work struct {
	// Meter counts the keywords that are applied to values, the fields that are looked at for defaults, and the bytes of defaults
	// that are filled in and of errors. Once it is spent, values are not validated and defaults are not filled in.
	Meter    *meter.Meter
	patterns map[string]pattern
}

// limits returns the meter, nil for none.
func (w *Work) limits() *meter.Meter {
	if w == nil {
		return nil
	}
	return w.Meter
}

// sharedPatterns returns the patterns that objects share, nil if they share none.
func (w *Work) sharedPatterns() map[string]pattern {
	if w == nil {
		return nil
	}
	if w.patterns == nil {
		w.patterns = map[string]pattern{}
	}
	return w.patterns
}
