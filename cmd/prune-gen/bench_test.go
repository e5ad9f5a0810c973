package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
)

// BenchmarkLint lints a directory: the one that PRUNE_GEN_CORPUS names (several are separated as in PATH), or 100 CRDs of
// 400 fields each that are made up. It reports CRDs a second and the most memory that the program ever had of the system.
func BenchmarkLint(b *testing.B) {
	dirs := filepath.SplitList(os.Getenv("PRUNE_GEN_CORPUS"))
	if len(dirs) == 0 {
		dir := b.TempDir()
		for i := range 100 {
			text := crd(fmt.Sprintf("things%d", i), "{type: object, properties: {"+manyFields(400)+"}}")
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("crd%d.yaml", i)), []byte(text), 0o666); err != nil {
				b.Fatal(err)
			}
		}
		dirs = []string{dir}
	}
	crds, size := 0, int64(0)
	err := input.Each(input.Args{Names: dirs}, nil, func(src *input.Source, _, _ int) {
		info, err := os.Stat(src.Name)
		if err != nil {
			b.Fatal(err)
		}
		size += info.Size()
		crds += len(src.CRDs)
	})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(size)
	for b.Loop() {
		execute(append([]string{"lint"}, dirs...), strings.NewReader(""), io.Discard, io.Discard)
	}
	b.ReportMetric(float64(crds*b.N)/b.Elapsed().Seconds(), "CRDs/s")
	reportPeak(b)
}

// BenchmarkLintBySize lints one CRD of growing size. Where memory is linear in the file, B/byte stays the same.
func BenchmarkLintBySize(b *testing.B) {
	for _, fields := range []int{1000, 4000, 16000} {
		text := crd("things", "{type: object, properties: {"+manyFields(fields)+"}}")
		b.Run(fmt.Sprintf("fields=%d", fields), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for b.Loop() {
				if code := execute([]string{"lint", "-"}, strings.NewReader(text), io.Discard, io.Discard); code != exitOK {
					b.Fatalf("exit status %d", code)
				}
			}
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(b.N)/float64(len(text)), "B/byte")
			reportPeak(b)
		})
	}
}

// reportPeak reports the memory that was taken from the system, which the runtime does not count down.
func reportPeak(b *testing.B) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapSys+m.StackSys)/(1<<20), "peak-MB")
}
