package measure

import "fmt"

// Goal is what is aimed at when two contestants are compared.
type Goal struct {
	measure measureOf
	value   float64
	each    float64 // what a single object has to reach
	aimed   bool
}

// measureOf is how two times become one number.
type measureOf uint8

const (
	speedup measureOf = iota // theirs by ours: larger is better
	share                    // ours by theirs: smaller is better
)

// slack is by how much a single object may miss a goal that is met on the whole.
const slack = 0.2

// TimesAsFast is the goal to be at least x times as fast.
func TimesAsFast(x float64) Goal { return Goal{speedup, x, x * (1 - slack), true} }

// OfTheTime is the goal to take at most x of the time.
func OfTheTime(x float64) Goal { return Goal{share, x, x * (1 + slack), true} }

// IsSpeedup reports whether a comparison says how many times as fast ours is.
func (g Goal) IsSpeedup() bool { return g.measure == speedup }

// Each is g with another limit for single objects than the one that slack gives.
func (g Goal) Each(x float64) Goal {
	g.each = x
	return g
}

// NoGoal compares like g without aiming at anything.
func NoGoal(g Goal) Goal {
	g.aimed = false
	return g
}

// Aimed reports whether there is a goal at all.
func (g Goal) Aimed() bool { return g.aimed }

// Ratio makes one number of two times.
func (g Goal) Ratio(ours, theirs float64) float64 {
	if g.measure == share {
		return ours / theirs
	}
	return theirs / ours
}

// Met reports whether a ratio over all objects reaches the goal.
func (g Goal) Met(ratio float64) bool {
	if g.measure == share {
		return ratio <= g.value
	}
	return ratio >= g.value
}

// MetByOne reports whether the ratio of a single object comes close enough to the goal.
func (g Goal) MetByOne(ratio float64) bool {
	if g.measure == share {
		return ratio <= g.each
	}
	return ratio >= g.each
}

// Worse reports whether ratio a is further from the goal than b.
func (g Goal) Worse(a, b float64) bool {
	if g.measure == share {
		return a > b
	}
	return a < b
}

// Format writes a ratio as this goal measures it.
func (g Goal) Format(ratio float64) string {
	switch {
	case g.measure == share && ratio >= 10:
		return fmt.Sprintf("%.0f times the time", ratio)
	case g.measure == share && ratio >= 1:
		return fmt.Sprintf("%.2f times the time", ratio)
	case g.measure == share:
		return fmt.Sprintf("%.2f of the time", ratio)
	case ratio >= 100:
		return fmt.Sprintf("%.0fx", ratio)
	case ratio < 2:
		return fmt.Sprintf("%.2fx", ratio)
	}
	return fmt.Sprintf("%.1fx", ratio)
}

// String says what the goal is.
func (g Goal) String() string {
	switch {
	case !g.aimed:
		return "none"
	case g.measure == share:
		return fmt.Sprintf("at most %g of the time", g.value)
	}
	return fmt.Sprintf("%gx", g.value)
}

// EachText says what a single object has to reach.
func (g Goal) EachText() string {
	switch {
	case g.each == TimesAsFast(g.value).each && g.measure == speedup || g.each == OfTheTime(g.value).each && g.measure == share:
		return fmt.Sprintf("every object within %.0f%% of that", slack*100)
	case g.measure == share:
		return fmt.Sprintf("no object above %g", g.each)
	}
	return fmt.Sprintf("no object below %gx", g.each)
}

// Allocs says how many allocations are allowed.
type Allocs uint8

const (
	AnyAllocs Allocs = iota
	NoAllocs
	FewAllocs // as many as there would be for an object of any size, or nearly
)

// few is how many allocations are few: those of some buffers that double until what is in them fits.
const few = 40

// Met reports whether n allocations are allowed.
func (a Allocs) Met(n float64) bool { return a == AnyAllocs || n == 0 || a == FewAllocs && n <= few }

// String says what is allowed, nothing where that is everything.
func (a Allocs) String() string {
	switch a {
	case NoAllocs:
		return "no allocations"
	case FewAllocs:
		return fmt.Sprintf("at most %d allocations", few)
	}
	return ""
}

// Speedup turns a ratio as this goal measures it into how many times as fast ours is.
func (g Goal) Speedup(ratio float64) float64 {
	if g.measure == share {
		return 1 / ratio
	}
	return ratio
}
