package pruneimpl

import (
	"fmt"
	"testing"
)

// Paths share one piece of memory: many more of them take some more allocations, in which the log grows.
func TestAllocationsOfAReportDoNotGrowWithIt(t *testing.T) {
	report := func(paths int) float64 {
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
			if got := r.Dropped(); len(got) != paths {
				t.Errorf("%d paths, want %d", len(got), paths)
			}
		})
	}
	if few, many := report(8), report(2000); many > few+8 {
		t.Errorf("%v allocations for 8 paths, %v for 2000", few, many)
	}
}
