package measure

import (
	"math"
	"testing"
)

func TestMedianAndSpread(t *testing.T) {
	for _, c := range []struct {
		values         []float64
		median, spread float64
	}{
		{[]float64{5}, 5, 0},
		{[]float64{4, 2}, 3, 1.0 / 3},
		{[]float64{100, 10, 11, 9, 10}, 10, 0.1}, // one that was disturbed changes nothing
	} {
		if got := median(c.values); got != c.median {
			t.Errorf("median(%v) = %v, want %v", c.values, got, c.median)
		}
		if got := spread(c.values); math.Abs(got-c.spread) > 1e-9 {
			t.Errorf("spread(%v) = %v, want %v", c.values, got, c.spread)
		}
	}
}

// results returns results of both contestants of a row, with the times of theirs in a number of objects, ours being 100.
func results(row Row, theirs ...float64) []Result {
	var all []Result
	for i, nanos := range theirs {
		size := string(rune('a' + i))
		for who, n := range map[*Contestant]float64{row.Ours: 100, row.Theirs: nanos} {
			all = append(all, Result{
				Kind: "Foo", Size: size, State: row.State, Function: who.Function, By: who.By,
				Rounds: []Sample{{Ops: 1, Nanos: n}, {Ops: 1, Nanos: n}, {Ops: 1, Nanos: n}},
			})
		}
	}
	return all
}

func TestMeanIsGeometric(t *testing.T) {
	ours, theirs := &Contestant{Function: "F", By: "us"}, &Contestant{Function: "F", By: "them"}
	for ratio, mean := range map[Ratio]float64{Speedup: 3, Share: 1.0 / 3} {
		row := Row{State: Clean, Ours: ours, Theirs: theirs, Ratio: ratio}
		if got := Compare(row, results(row, 100, 900)); len(got.Lines) != 2 || math.Abs(got.Mean-mean) > 1e-9 {
			t.Errorf("ratio %d: %d lines, mean %v; want 2, %v", ratio, len(got.Lines), got.Mean, mean)
		}
	}
}

func TestWorstObject(t *testing.T) {
	ours, theirs := &Contestant{Function: "F", By: "us"}, &Contestant{Function: "F", By: "them"}
	for _, ratio := range []Ratio{Speedup, Share} {
		row := Row{State: Clean, Ours: ours, Theirs: theirs, Ratio: ratio}
		if got := Compare(row, results(row, 300, 200, 400)).Worst.Size; got != "b" {
			t.Errorf("ratio %d: worst is %s, want b", ratio, got)
		}
	}
}

func TestRatioIsTakenRoundByRound(t *testing.T) {
	ours, theirs := &Contestant{Function: "F", By: "us"}, &Contestant{Function: "F", By: "them"}
	row := Row{State: Clean, Ours: ours, Theirs: theirs}
	rounds := func(nanos ...float64) []Sample {
		var all []Sample
		for _, n := range nanos {
			all = append(all, Sample{Nanos: n})
		}
		return all
	}
	// The machine is ten times as slow in most rounds, for both.
	got := Compare(row, []Result{
		{Kind: "Foo", State: Clean, Function: "F", By: "us", Rounds: rounds(10, 100, 100)},
		{Kind: "Foo", State: Clean, Function: "F", By: "them", Rounds: rounds(30, 300, 300)},
	})
	if l := got.Lines[0]; l.Ratio != 3 || l.Spread != 0 {
		t.Errorf("ratio %v ± %v, want 3 ± 0", l.Ratio, l.Spread)
	}
}
