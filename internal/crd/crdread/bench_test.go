package crdread_test

import (
	"bytes"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
)

// largeCRD returns a CRD of about the given size, with the mix of descriptions, objects and lists that generated CRDs have.
func largeCRD(size int) []byte {
	var b strings.Builder
	b.WriteString("type: object\nproperties:\n")
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, `  field%d:
    description: |-
      Field%d says what is to be done, by whom and until when. It is one of the fields that
      nobody reads: "see the documentation".
    type: object
    required: [name]
    properties:
      name:
        description: The name of the thing.
        type: string
        maxLength: 63
      ports:
        items:
          properties:
            port:
              anyOf:
              - type: integer
              - type: string
              x-kubernetes-int-or-string: true
          type: object
        type: array
`, i, i)
	}
	return []byte(structuraltest.CRDWith(b.String()))
}

// BenchmarkLoad shows that time and memory are linear in the size of a file: MB/s and B/byte, the most heap in use for each
// byte of input, are the same for all sizes.
func BenchmarkLoad(b *testing.B) {
	for _, size := range []int{100_000, 1_000_000, 10_000_000} {
		data := largeCRD(size)
		b.Run(fmt.Sprintf("%dKB", size/1000), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if f := crdread.Load("x", bytes.NewReader(data)); len(f.CRDs) != 1 {
					b.Fatal(f.Findings)
				}
			}
			b.StopTimer()
			b.ReportMetric(float64(peakHeap(func() { crdread.Load("x", bytes.NewReader(data)) }))/float64(len(data)), "B/byte")
		})
	}
}

// peakHeap returns the most heap that work has in use, beyond what is in use already.
func peakHeap(work func()) uint64 {
	// Without garbage, what is in use is what is needed.
	defer debug.SetGCPercent(debug.SetGCPercent(5))
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	before := stats.HeapAlloc

	done := make(chan struct{})
	go func() {
		defer close(done)
		work()
	}()
	var peak uint64
	for {
		select {
		case <-done:
			return peak
		case <-time.After(time.Millisecond):
		}
		runtime.ReadMemStats(&stats)
		if stats.HeapAlloc > before {
			peak = max(peak, stats.HeapAlloc-before)
		}
	}
}
