// Package prunelimits has the bounds of what generated functions report. Their signatures have no options, so the bounds are the same in
// the whole program. Only tests, which compare with servers that list everything, change them.
package prunelimits

import "sync/atomic"

// Limits bounds what one call reports about one object.
type Limits struct {
	Entries int // how many paths or errors are listed; 0 means any number
	Bytes   int // about how long all of them may be together; 0 means any length
}

// The limits of programs.
const (
	Entries      = 10_000
	Bytes        = 4 << 20
	StreamObject = 16 << 20
)

var changed atomic.Pointer[Limits]

// Set changes the limits for all later calls, and returns the old ones.
func Set(l Limits) (previous Limits) {
	if old := changed.Swap(&l); old != nil {
		return *old
	}
	return Limits{Entries, Bytes}
}

// Current returns the limits in force.
func Current() Limits {
	if l := changed.Load(); l != nil {
		return *l
	}
	return Limits{Entries, Bytes}
}

var streamObject atomic.Int64

// SetStreamObject changes the maximum size in bytes of an object, for all later streams without a limit of their own, and returns the old
// one. A value below 1 restores StreamObject.
func SetStreamObject(bytes int) (previous int) {
	previous = CurrentStreamObject()
	streamObject.Store(int64(bytes))
	return previous
}

// CurrentStreamObject returns the maximum size in bytes of an object in a stream without a limit of its own.
func CurrentStreamObject() int {
	if n := streamObject.Load(); n > 0 {
		return int(n)
	}
	return StreamObject
}
