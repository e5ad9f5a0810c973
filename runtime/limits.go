package prunert

import "sync/atomic"

// Limits bounds what one call reports about one object. An object of some kilobytes can be made to have thousands of
// faults below a key of its own size, and every path names that key.
type Limits struct {
	// Entries is how many paths or errors are listed, and Bytes about how long all of them may be together; 0 means any
	// number. Where there are more, a last entry says how many: an error of ErrorTypeOmitted, or "... and 17 more" in place
	// of a path. Which ones are listed then is left to chance.
	Entries int
	Bytes   int
}

// DefaultLimits returns the limits in force until SetLimits changes them. They are far above what a reader or an API server
// makes use of.
func DefaultLimits() Limits { return Limits{Entries: 10_000, Bytes: 4 << 20} }

var limits atomic.Pointer[Limits]

// SetLimits changes the limits for all calls in this program that begin after it, and returns those before.
func SetLimits(l Limits) (previous Limits) {
	if old := limits.Swap(&l); old != nil {
		return *old
	}
	return DefaultLimits()
}

// CurrentLimits returns the limits in force.
func CurrentLimits() Limits {
	if l := limits.Load(); l != nil {
		return *l
	}
	return DefaultLimits()
}

// MaxDepth is how deep an object may be nested. The decoders of Kubernetes refuse what is deeper, and no function here
// goes deeper: an object that contains itself ends there.
const MaxDepth = 10_000
