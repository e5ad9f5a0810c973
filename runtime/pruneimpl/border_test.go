package pruneimpl

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// BenchmarkPruneLeafObjectBorder prints, for objects with nothing but leaves, the time of looking up the known fields relative
// to that of ranging over those that are there, by how many are known and how many are there. PruneLeafObject chooses by it.
func BenchmarkPruneLeafObjectBorder(b *testing.B) {
	for _, known := range []int{4, 8, 12, 16, 24, 32, 48, 64} {
		names := make([]string, known)
		for i := range names {
			names[i] = fmt.Sprintf("someName%02d", i)
		}
		var row strings.Builder
		for n := 0; n <= known; n += max(1, known/16) {
			random := rand.New(rand.NewPCG(uint64(known), uint64(n)))
			objects := make([]map[string]any, 64)
			for i := range objects {
				objects[i] = map[string]any{}
				for _, j := range random.Perm(known)[:n] {
					objects[i][names[j]] = "some text"
				}
			}
			// In turn, in short pieces of which the quickest counts: what else the machine does makes nothing faster.
			ranges, looks := 1e18, 1e18
			for range 200 {
				start := time.Now()
				for _, obj := range objects {
					rangeFields(obj, nil, names)
				}
				between := time.Now()
				for _, obj := range objects {
					if known, _ := PruneLeaves(obj, nil, names...); known < len(obj) {
						DropUnknown(obj, nil, names...)
					}
				}
				ranges, looks = min(ranges, float64(between.Sub(start))), min(looks, float64(time.Since(between)))
			}
			fmt.Fprintf(&row, "  %d: %.2f", n, looks/ranges)
		}
		b.Logf("%d known:%s", known, row.String())
	}
	b.ReportMetric(0, "ns/op") // the table is the result
}
