package lint

// What tests look at.
var (
	Aggregate       = aggregate
	DefaultErrors   = defaultErrors
	IsUnconvertible = isUnconvertible
	RuleErrors      = ruleErrors
)

const MaxLosses = maxLosses
