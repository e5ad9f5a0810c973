package lint

// What tests look at.
var (
	Aggregate    = aggregate
	HasDefault   = hasDefault
	HasExtension = hasExtension
)

const MaxLosses = maxLosses
