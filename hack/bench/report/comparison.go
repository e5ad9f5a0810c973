package report

import (
	"fmt"
	"slices"

	"github.com/prune-gen/prune-gen/hack/bench/measure"
)

// ComparisonTable shows each object of a comparison.
func ComparisonTable(c measure.Comparison) *Table {
	row := c.Row
	t := &Table{
		Title:  fmt.Sprintf("%s, %s objects, against %s", row.Ours.Title, row.State, row.Theirs.Title),
		Note:   fmt.Sprintf("Against %s.", row.Against),
		Header: []string{"object", "JSON", row.Ours.Title, "±", row.Theirs.Title, "±", "ratio", "±", "allocs", "theirs", "B", "theirs"},
	}
	for _, l := range c.Lines {
		t.Rows = append(t.Rows, []string{
			l.Label(), Bytes(float64(l.Bytes)),
			Nanos(l.Ours.Nanos), Percent(l.Ours.Spread),
			Nanos(l.Theirs.Nanos), Percent(l.Theirs.Spread),
			row.Ratio.Format(l.Ratio), Percent(l.Spread),
			fmt.Sprintf("%.0f", l.Ours.Allocs), fmt.Sprintf("%.0f", l.Theirs.Allocs),
			fmt.Sprintf("%.0f", l.Ours.Bytes), fmt.Sprintf("%.0f", l.Theirs.Bytes),
		})
	}
	t.Rows = append(t.Rows, []string{"geometric mean", "", "", "", "", "", row.Ratio.Format(c.Mean), Percent(c.Spread), "", "", "", ""})
	return t
}

// SummaryTable shows one line for each comparison.
func SummaryTable(all []measure.Comparison) *Table {
	t := &Table{
		Title:  "Summary",
		Header: []string{"function", "objects", "against", "geometric mean", "±", "worst object", "allocs"},
		Left:   []int{1, 2, 5},
	}
	for _, c := range all {
		t.Rows = append(t.Rows, []string{
			c.Row.Ours.Title, string(c.Row.State), c.Row.Theirs.Title, c.Row.Ratio.Format(c.Mean), Percent(c.Spread),
			fmt.Sprintf("%s, %s", c.Row.Ratio.Format(c.Worst.Ratio), c.Worst.Label()), mostAllocs(c),
		})
	}
	return t
}

// PuregoTable shows one line for each comparison of the build without unsafe, beside the same in the other build.
func PuregoTable(purego, other []measure.Comparison) *Table {
	t := &Table{
		Title:  "Without unsafe",
		Note:   "The functions on JSON once more, compiled with the build tag purego.",
		Header: []string{"function", "objects", "against", "geometric mean", "±", "worst object", "allocs", "with unsafe"},
		Left:   []int{1, 2, 5},
	}
	for _, c := range purego {
		with := ""
		if i := slices.IndexFunc(other, func(o measure.Comparison) bool { return o.Row.ID == c.Row.ID }); i >= 0 {
			with = c.Row.Ratio.Format(other[i].Mean)
		}
		t.Rows = append(t.Rows, []string{
			c.Row.Ours.Title, string(c.Row.State), c.Row.Theirs.Title, c.Row.Ratio.Format(c.Mean), Percent(c.Spread),
			fmt.Sprintf("%s, %s", c.Row.Ratio.Format(c.Worst.Ratio), c.Worst.Label()), mostAllocs(c), with,
		})
	}
	return t
}

// mostAllocs returns the largest number of allocations that ours makes on an object.
func mostAllocs(c measure.Comparison) string {
	most := 0.0
	for _, l := range c.Lines {
		most = max(most, l.Ours.Allocs)
	}
	return fmt.Sprintf("%.0f", most)
}

// Headline says in one line what a comparison found.
func Headline(c measure.Comparison) string {
	r := c.Row
	return fmt.Sprintf("%s, %s objects: %s, at most %s allocations, against %s", r.Ours.Title, r.State, r.Ratio.Format(c.Mean), mostAllocs(c), r.Theirs.Title)
}
