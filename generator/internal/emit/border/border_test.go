// Package border measures which of two ways of going through an object is the faster one: ranging over the fields that
// are there, or looking up those that are known. What it shows is written down in the border that lowering draws.
//
//	go test ./generator/internal/emit/border -run '^$' -bench .
package border

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
)

// form is both ways for objects with some number of known fields.
type form struct {
	known         int
	ranges, looks func(v any, rec *pruneimpl.Recorder) int
	names         []string
}

// objects makes objects that have n of the fields of f, each time others.
func (f form) objects(n int) []any {
	random := rand.New(rand.NewPCG(uint64(f.known), uint64(n)))
	all := make([]any, 64)
	for i := range all {
		obj := map[string]any{}
		for _, j := range random.Perm(len(f.names))[:n] {
			var v any = "some text"
			if strings.HasPrefix(f.names[j], "resources") {
				v = map[string]any{"a": "x"}
			}
			obj[f.names[j]] = v
		}
		all[i] = obj
	}
	return all
}

func TestBothFormsLeaveACleanObjectAloneAndDropTheSame(t *testing.T) {
	for _, f := range forms {
		for n := range f.known + 1 {
			for _, obj := range f.objects(n)[:4] {
				if f.ranges(obj, nil) != 0 || f.looks(obj, nil) != 0 || len(obj.(map[string]any)) != n {
					t.Fatalf("%d of %d fields: a clean object changed", n, f.known)
				}
				for _, walk := range []func(any, *pruneimpl.Recorder) int{f.ranges, f.looks} {
					obj.(map[string]any)["unknown"] = true
					var rec pruneimpl.Recorder
					walk(obj, &rec)
					if got := rec.Dropped(); len(got) != 1 || got[0] != "unknown" || len(obj.(map[string]any)) != n {
						t.Fatalf("%d of %d fields: dropped %q", n, f.known, got)
					}
				}
			}
		}
	}
}

// BenchmarkLookupBorder prints, for each number of known fields, the time of lookups relative to that of ranging by how
// many of the fields are there.
func BenchmarkLookupBorder(b *testing.B) {
	for _, f := range forms {
		var row strings.Builder
		for n := 0; n <= f.known; n += max(1, f.known/16) {
			ranges, looks := measure(f.objects(n), f.ranges, f.looks)
			fmt.Fprintf(&row, "  %d: %.2f", n, looks/ranges)
		}
		b.Logf("%d known:%s", f.known, row.String())
	}
	b.ReportMetric(0, "ns/op") // the table is the result
}

// measure returns the time that each of two functions takes for the objects. They run in turn, in pieces too short to be
// interrupted much, and the quickest piece counts: what else the machine does makes things slower, never faster.
func measure(objects []any, f, g func(any, *pruneimpl.Recorder) int) (first, second float64) {
	piece := func(walk func(any, *pruneimpl.Recorder) int) time.Duration {
		start := time.Now()
		for _, obj := range objects {
			walk(obj, nil)
		}
		return time.Since(start)
	}
	first, second = 1e18, 1e18
	for range 200 {
		first = min(first, float64(piece(f)))
		second = min(second, float64(piece(g)))
	}
	return first, second
}
