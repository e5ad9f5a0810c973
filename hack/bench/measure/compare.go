package measure

import (
	"math"
	"slices"
)

// Comparison is what became of a row.
type Comparison struct {
	Row   Row
	Lines []Line
	// Mean is the geometric mean of the lines' ratios, Spread that of their spreads.
	Mean   float64
	Spread float64
	// Worst is the line with the worst ratio.
	Worst Line
}

// Line is one object of a comparison.
type Line struct {
	Kind, Size   string
	Bytes        int // of JSON
	Ours, Theirs Stat
	// Ratio is the median of the rounds' ratios: what disturbs the machine disturbs both sides of a round.
	Ratio  float64
	Spread float64 // of Ratio, relative
}

// Label names the object.
func (l Line) Label() string { return l.Kind + " " + l.Size }

// Stat is how one contestant did on one object.
type Stat struct {
	Nanos  float64 // the median
	Spread float64 // of Nanos, relative
	Allocs float64
	Bytes  float64
}

// Compare makes a comparison of the results that belong to a row.
func Compare(row Row, results []Result) Comparison {
	c := Comparison{Row: row}
	find := func(like Result, who *Contestant) (Result, bool) {
		i := slices.IndexFunc(results, func(r Result) bool {
			return r.Kind == like.Kind && r.Size == like.Size && r.State == row.State && r.Function == who.Function && r.By == who.By
		})
		if i < 0 {
			return Result{}, false
		}
		return results[i], true
	}
	var ratios, spreads []float64
	for _, r := range results {
		if r.State != row.State || r.Function != row.Ours.Function || r.By != row.Ours.By {
			continue
		}
		theirs, ok := find(r, row.Theirs)
		if !ok {
			continue
		}
		l := newLine(row.Ratio, r, theirs)
		if len(c.Lines) == 0 || row.Ratio.Worse(l.Ratio, c.Worst.Ratio) {
			c.Worst = l
		}
		c.Lines = append(c.Lines, l)
		ratios, spreads = append(ratios, l.Ratio), append(spreads, l.Spread)
	}
	c.Mean, c.Spread = geometricMean(ratios), median(spreads)
	return c
}

func newLine(ratio Ratio, ours, theirs Result) Line {
	var ratios []float64
	for i := range min(len(ours.Rounds), len(theirs.Rounds)) {
		ratios = append(ratios, ratio.Of(ours.Rounds[i].Nanos, theirs.Rounds[i].Nanos))
	}
	return Line{
		Kind: ours.Kind, Size: ours.Size, Bytes: ours.Bytes, Ours: newStat(ours), Theirs: newStat(theirs),
		Ratio: median(ratios), Spread: spread(ratios),
	}
}

func newStat(r Result) Stat {
	column := func(get func(Sample) float64) []float64 {
		var all []float64
		for _, s := range r.Rounds {
			all = append(all, get(s))
		}
		return all
	}
	nanos := column(func(s Sample) float64 { return s.Nanos })
	return Stat{
		Nanos:  median(nanos),
		Spread: spread(nanos),
		// Whole ones, as Go's own benchmarks count: a stray one of the runtime's is not the contestant's.
		Allocs: math.Floor(median(column(func(s Sample) float64 { return s.Allocs }))),
		Bytes:  math.Floor(median(column(func(s Sample) float64 { return s.Bytes }))),
	}
}

// median returns the middle one, or the mean of the two in the middle.
func median(all []float64) float64 {
	if len(all) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(all))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// spread returns by how much values differ from their median: the median of that, as a part of the median.
func spread(all []float64) float64 {
	m := median(all)
	var off []float64
	for _, x := range all {
		off = append(off, math.Abs(x-m))
	}
	return median(off) / m
}

func geometricMean(all []float64) float64 {
	sum := 0.0
	for _, x := range all {
		sum += math.Log(x)
	}
	return math.Exp(sum / float64(len(all)))
}
