package measure

import (
	"bufio"
	"fmt"
	"io"
	"runtime"
)

// WriteGo writes the results in the format of Go's benchmarks, one line a round, for benchstat:
//
//	benchstat -col /by bench.txt
func WriteGo(w io.Writer, results []Result) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "goos: %s\ngoarch: %s\npkg: github.com/prune-gen/prune-gen/hack/bench\n", runtime.GOOS, runtime.GOARCH)
	if cpu := CPUModel(); cpu != "" {
		fmt.Fprintf(b, "cpu: %s\n", cpu)
	}
	for _, r := range results {
		name := fmt.Sprintf("Benchmark%s/objects=%s/kind=%s/size=%s/by=%s", r.Function, r.State, r.Kind, r.Size, r.By)
		for _, s := range r.Rounds {
			fmt.Fprintf(b, "%s-%d\t%d\t%.1f ns/op\t%.2f MB/s\t%.0f B/op\t%.0f allocs/op\n",
				name, runtime.GOMAXPROCS(0), s.Ops, s.Nanos, float64(r.Bytes)/s.Nanos*1000, s.Bytes, s.Allocs)
		}
	}
	return b.Flush()
}
