package lint

// What tests look at.
var (
	Aggregate     = aggregate
	DefaultErrors = defaultErrors
	RuleErrors    = ruleErrors
)

const MaxLosses = maxLosses
