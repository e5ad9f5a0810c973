package prunecel

// Verdict is what compiled code says about a rule.
type Verdict uint8

const (
	// Unsure means that the rule has to be evaluated by its program: something would be an error, a value is not what the schema says,
	// or the rule may cost too much.
	Unsure Verdict = iota
	True
	False
)

// Of returns the verdict of a rule with a value.
func Of(ok bool) Verdict {
	if ok {
		return True
	}
	return False
}

// Meter bounds from above what compiled code costs by the count of the API server.
type Meter struct{ Spent int64 }

// NewMeter returns a meter of code that costs at least this much.
func NewMeter(cost int64) Meter { return Meter{Spent: cost} }

// Spend adds n times cost. It reports whether a call may go on.
func (m *Meter) Spend(n, cost int) bool {
	if n > CostLimit || cost > CostLimit {
		m.Spent = CostLimit + 1
		return false
	}
	m.Spent += int64(n) * int64(cost)
	return m.Spent <= CostLimit
}
