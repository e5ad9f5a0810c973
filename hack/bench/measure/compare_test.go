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

func TestGoalIsMetByTheMeanAndByEveryObjectWithinTwentyPercent(t *testing.T) {
	ours, theirs := &Contestant{Function: "F", By: "us"}, &Contestant{Function: "F", By: "them"}
	for _, c := range []struct {
		name   string
		goal   Goal
		theirs []float64
		mean   float64
		met    bool
	}{
		{"all meet it", TimesAsFast(8), []float64{800, 900}, math.Sqrt(72), true},
		{"one is within the slack", TimesAsFast(8), []float64{650, 1200}, math.Sqrt(78), true},
		{"one is not", TimesAsFast(8), []float64{600, 1200}, math.Sqrt(72), false},
		{"the mean misses it", TimesAsFast(8), []float64{700, 800}, math.Sqrt(56), false},
		{"one is not, and need not be", TimesAsFast(8).Each(6), []float64{600, 1200}, math.Sqrt(72), true},
		{"one is within the slack, which is not enough", TimesAsFast(8).Each(7), []float64{650, 1200}, math.Sqrt(78), false},
		{"a share above what each may have", OfTheTime(0.5).Each(0.55), []float64{175, 1000}, math.Sqrt(0.1 / 1.75), false},
		{"a share that meets it", OfTheTime(0.5), []float64{200, 250}, math.Sqrt(0.5 * 0.4), true},
		{"a share with one outside of the slack", OfTheTime(0.5), []float64{150, 1000}, math.Sqrt(0.1 / 1.5), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			row := Row{State: Clean, Ours: ours, Theirs: theirs, Goal: c.goal}
			got := Compare(row, results(row, c.theirs...))
			if len(got.Lines) != len(c.theirs) || math.Abs(got.Mean-c.mean) > 1e-9 || got.SpeedMet != c.met {
				t.Errorf("%d lines, mean %v, met %t; want %d, %v, %t", len(got.Lines), got.Mean, got.SpeedMet, len(c.theirs), c.mean, c.met)
			}
		})
	}
}

func TestWorstObjectIsTheOneFurthestFromTheGoal(t *testing.T) {
	ours, theirs := &Contestant{Function: "F", By: "us"}, &Contestant{Function: "F", By: "them"}
	for _, goal := range []Goal{TimesAsFast(1), OfTheTime(1)} {
		row := Row{State: Clean, Ours: ours, Theirs: theirs, Goal: goal}
		if got := Compare(row, results(row, 300, 200, 400)).Worst.Size; got != "b" {
			t.Errorf("goal %s: worst is %s, want b", goal, got)
		}
	}
}

func TestRatioIsTakenRoundByRound(t *testing.T) {
	ours, theirs := &Contestant{Function: "F", By: "us"}, &Contestant{Function: "F", By: "them"}
	row := Row{State: Clean, Ours: ours, Theirs: theirs, Goal: TimesAsFast(2)}
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

func TestAllocationsMissTheirGoal(t *testing.T) {
	ours, theirs := &Contestant{Function: "F", By: "us"}, &Contestant{Function: "F", By: "them"}
	row := Row{State: Clean, Ours: ours, Theirs: theirs, Goal: TimesAsFast(1), Allocs: NoAllocs}
	all := results(row, 200)
	for _, allocs := range []float64{0, 1} {
		for i := range all {
			if all[i].By == "us" {
				for j := range all[i].Rounds {
					all[i].Rounds[j].Allocs = allocs
				}
			}
		}
		if got := Compare(row, all).AllocsMet; got != (allocs == 0) {
			t.Errorf("%v allocations: met %t", allocs, got)
		}
	}
}
