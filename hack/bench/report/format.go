package report

import (
	"fmt"
	"math"
	"time"
)

// Nanos writes a time.
func Nanos(ns float64) string {
	switch {
	case ns < 999.5:
		return fmt.Sprintf("%.0f ns", ns)
	case ns < 999.5e3:
		return digits(ns/1e3) + " µs"
	case ns < 999.5e6:
		return digits(ns/1e6) + " ms"
	}
	return digits(ns/1e9) + " s"
}

// Duration writes a time.
func Duration(d time.Duration) string { return Nanos(float64(d.Nanoseconds())) }

// Bytes writes a size, in thousands and millions.
func Bytes(n float64) string {
	switch {
	case math.Abs(n) < 999.5:
		return fmt.Sprintf("%.0f B", n)
	case math.Abs(n) < 999.5e3:
		return digits(n/1e3) + " KB"
	}
	return digits(n/1e6) + " MB"
}

// Percent writes a part as a percentage.
func Percent(part float64) string {
	if part < 0.0095 {
		return fmt.Sprintf("%.1f%%", part*100)
	}
	return fmt.Sprintf("%.0f%%", part*100)
}

// digits writes three digits that count.
func digits(x float64) string {
	switch abs := math.Abs(x); {
	case abs < 9.995:
		return fmt.Sprintf("%.2f", x)
	case abs < 99.95:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.0f", x)
}
