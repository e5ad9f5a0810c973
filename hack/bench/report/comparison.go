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
		Note:   comparisonNote(c),
		Header: []string{"object", "JSON", row.Ours.Title, "±", row.Theirs.Title, "±", "ratio", "±", "allocs", "theirs", "B", "theirs"},
	}
	if row.Goal.Aimed() {
		t.Header = append(t.Header, "goal")
	}
	for _, l := range c.Lines {
		cells := []string{
			l.Label(), Bytes(float64(l.Bytes)),
			Nanos(l.Ours.Nanos), Percent(l.Ours.Spread),
			Nanos(l.Theirs.Nanos), Percent(l.Theirs.Spread),
			row.Goal.Format(l.Ratio), Percent(l.Spread),
			fmt.Sprintf("%.0f", l.Ours.Allocs), fmt.Sprintf("%.0f", l.Theirs.Allocs),
			fmt.Sprintf("%.0f", l.Ours.Bytes), fmt.Sprintf("%.0f", l.Theirs.Bytes),
		}
		if row.Goal.Aimed() {
			cells = append(cells, Verdict(l.Met))
		}
		t.Rows = append(t.Rows, cells)
	}
	mean := []string{"geometric mean", "", "", "", "", "", row.Goal.Format(c.Mean), Percent(c.Spread), "", "", "", ""}
	if row.Goal.Aimed() {
		mean = append(mean, Verdict(row.Goal.Met(c.Mean)))
	}
	t.Rows = append(t.Rows, mean)
	return t
}

func comparisonNote(c measure.Comparison) string {
	note := fmt.Sprintf("Against %s.", c.Row.Against)
	if c.Row.Goal.Aimed() {
		note += fmt.Sprintf(" Goal: %s on the geometric mean, %s", c.Row.Goal, c.Row.Goal.EachText())
		if allowed := c.Row.Allocs.String(); allowed != "" {
			note += ", " + allowed
		}
		note += "."
	}
	return note
}

// SummaryTable shows one line for each comparison.
func SummaryTable(all []measure.Comparison) *Table {
	t := &Table{
		Title:  "Summary",
		Header: []string{"function", "objects", "against", "goal", "geometric mean", "±", "worst object", "allocs", "speed goal", "allocs goal"},
		Left:   []int{1, 2, 3, 6, 8, 9},
	}
	for _, c := range all {
		speed, allocs := "", ""
		if c.Row.Goal.Aimed() {
			speed = Verdict(c.SpeedMet)
		}
		if c.Row.Allocs != measure.AnyAllocs {
			allocs = Verdict(c.AllocsMet)
		}
		t.Rows = append(t.Rows, []string{
			c.Row.Ours.Title, string(c.Row.State), c.Row.Theirs.Title, goalText(c.Row), c.Row.Goal.Format(c.Mean), Percent(c.Spread),
			fmt.Sprintf("%s, %s", c.Row.Goal.Format(c.Worst.Ratio), c.Worst.Label()), mostAllocs(c), speed, allocs,
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
			with = c.Row.Goal.Format(other[i].Mean)
		}
		t.Rows = append(t.Rows, []string{
			c.Row.Ours.Title, string(c.Row.State), c.Row.Theirs.Title, c.Row.Goal.Format(c.Mean), Percent(c.Spread),
			fmt.Sprintf("%s, %s", c.Row.Goal.Format(c.Worst.Ratio), c.Worst.Label()), mostAllocs(c), with,
		})
	}
	return t
}

func goalText(r measure.Row) string {
	switch {
	case !r.Goal.Aimed():
		return ""
	case r.Allocs != measure.AnyAllocs:
		return r.Goal.String() + ", " + r.Allocs.String()
	}
	return r.Goal.String()
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
	line := fmt.Sprintf("%s, %s objects: %s", r.Ours.Title, r.State, r.Goal.Format(c.Mean))
	if r.Allocs == measure.NoAllocs && c.AllocsMet {
		line += ", 0 allocations"
	}
	line += ", against " + r.Theirs.Title
	if r.Goal.Aimed() {
		line += fmt.Sprintf(" (goal %s): %s", r.Goal, Verdict(c.SpeedMet))
	}
	return line
}
