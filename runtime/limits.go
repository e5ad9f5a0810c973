package prunert

// MaxReported is the maximum number of paths or errors that one call lists about one object, and MaxReportedBytes their approximate maximum
// length together: an object of a few kilobytes can have thousands of errors below one very long key, and the path of each error contains
// that key. Both are far above what a reader or an API server can use. If there are more, a last entry says how many: an error of
// ErrorTypeOmitted, or "... and 17 more" in place of a path. Which ones are listed is then unspecified.
const (
	MaxReported      = 10_000
	MaxReportedBytes = 4 << 20
)

// MaxDepth is how deep an object may be nested. The decoders of Kubernetes refuse what is deeper, and no function here
// goes deeper: an object that contains itself ends there.
const MaxDepth = 10_000
