package pruneimpl

import (
	"fmt"
	"testing"
)

// Paths share one piece of memory: many more of them take some more allocations, in which the log grows.
func TestAllocationsOfAReportDoNotGrowWithIt(t *testing.T) {
	for name, dropped := range map[string]func(*Recorder) []string{"pruned": (*Recorder).Dropped, "normalized": (*Recorder).unknown} {
		if few, many := reportAllocations(t, 8, dropped), reportAllocations(t, 2000, dropped); few > 12 || many > few+8 {
			t.Errorf("%s: %v allocations for 8 paths, %v for 2000", name, few, many)
		}
	}
}

// reportAllocations returns the number of allocations for a report with n paths.
func reportAllocations(t *testing.T, paths int, dropped func(*Recorder) []string) float64 {
	names := make([]string, paths)
	for i := range names {
		names[i] = fmt.Sprintf("field%d", i)
	}
	return testing.AllocsPerRun(10, func() {
		var r Recorder
		n := 0
		for i, name := range names {
			n += r.Index(i, r.Field("some", r.Drop(name)))
		}
		r.Field("list", n)
		if got := dropped(&r); len(got) != paths {
			t.Errorf("%d paths, want %d", len(got), paths)
		}
	})
}
