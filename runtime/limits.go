package prunert

import "github.com/prune-gen/prune-gen/runtime/pruneimpl/prunelimits"

// MaxReported is how many paths or errors one call lists about one object, and MaxReportedBytes about how long all of them may be
// together: an object of some kilobytes can be made to have thousands of faults below a key of its own size, and every path names that key.
// Both are far above what a reader or an API server makes use of. Where there are more, a last entry says how many: an error of
// ErrorTypeOmitted, or "... and 17 more" in place of a path. Which ones are listed then is left to chance.
const (
	MaxReported      = prunelimits.Entries
	MaxReportedBytes = prunelimits.Bytes
)

// MaxDepth is how deep an object may be nested. The decoders of Kubernetes refuse what is deeper, and no function here
// goes deeper: an object that contains itself ends there.
const MaxDepth = 10_000
