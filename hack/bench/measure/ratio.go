package measure

import "fmt"

// Ratio is how two times become one number.
type Ratio uint8

const (
	Speedup Ratio = iota // theirs by ours: larger is better
	Share                // ours by theirs: smaller is better
)

// Of returns the ratio of two times.
func (r Ratio) Of(ours, theirs float64) float64 {
	if r == Share {
		return ours / theirs
	}
	return theirs / ours
}

// Worse reports whether a is worse than b.
func (r Ratio) Worse(a, b float64) bool {
	if r == Share {
		return a > b
	}
	return a < b
}

// Format writes a ratio.
func (r Ratio) Format(ratio float64) string {
	switch {
	case r == Share && ratio >= 10:
		return fmt.Sprintf("%.0f times the time", ratio)
	case r == Share && ratio >= 1:
		return fmt.Sprintf("%.2f times the time", ratio)
	case r == Share:
		return fmt.Sprintf("%.2f of the time", ratio)
	case ratio >= 100:
		return fmt.Sprintf("%.0fx", ratio)
	case ratio < 2:
		return fmt.Sprintf("%.2fx", ratio)
	}
	return fmt.Sprintf("%.1fx", ratio)
}
