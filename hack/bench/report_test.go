package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

const printed = `toolchain: go1.99
kubernetes: k8s.io/apiextensions-apiserver v0.99.0
build: default
goos: linux
goarch: amd64
cpu: A Processor
BenchmarkPrune/objects=clean,_indented/kind=Foo/size=small/by=prune-gen-2   1  100 ns/op  0 B/op  1 allocs/op
BenchmarkPrune/objects=clean,_indented/kind=Foo/size=small/by=other_code-2  1  200 ns/op  0 B/op  7 allocs/op
BenchmarkPrune/objects=clean,_indented/kind=Foo/size=small/by=bare_walk-2   1   50 ns/op  0 B/op  0 allocs/op
BenchmarkPrune/objects=clean,_indented/kind=Bar/size=large/by=prune-gen-2   1  100 ns/op  0 B/op  0 allocs/op
BenchmarkPrune/objects=clean,_indented/kind=Bar/size=large/by=other_code-2  1  800 ns/op  0 B/op  0 allocs/op
BenchmarkPrune/objects=clean,_indented/kind=Bar/size=large/by=bare_walk-2   1  400 ns/op  0 B/op  0 allocs/op
PASS
BenchmarkPrune/objects=clean,_indented/kind=Foo/size=small/by=prune-gen-2   1  1000 ns/op  0 B/op  1 allocs/op
BenchmarkPrune/objects=clean,_indented/kind=Foo/size=small/by=other_code-2  1  2000 ns/op  0 B/op  7 allocs/op
BenchmarkPrune/objects=clean,_indented/kind=Foo/size=small/by=prune-gen-2   1  1000 ns/op  0 B/op  1 allocs/op
BenchmarkPrune/objects=clean,_indented/kind=Foo/size=small/by=other_code-2  1  9000 ns/op  0 B/op  7 allocs/op
build: cost
BenchmarkHeap/what=a_schema-2   1  71000000 heap-B
BenchmarkBinary/program=plain-2           1  3040000 size-B  0 growth-B
BenchmarkBinary/program=with_a_pruner-2   1  3116700 size-B  76700 growth-B  1 modules
BenchmarkGenerate/what=Foo-2              1  582000000 ns/op
`

// The machine is ten times as slow in the second round, and disturbs one side in the third: neither changes the median.
func TestTables(t *testing.T) {
	results, err := read(strings.NewReader(printed))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	results.print(&b)
	want := `go1.99 linux/amd64, GOMAXPROCS 2; A Processor; k8s.io/apiextensions-apiserver v0.99.0

default build
function  objects          against     geometric mean    ±   worst object                    allocs
Prune     clean, indented  other code  4.0x              0%  2.0x, Foo small                 1
Prune     clean, indented  bare walk   0.71 of the time  0%  2.00 times the time, Foo small  1

Heap
what      heap
a schema  71.0 MB

Binary
program        size     growth   modules
plain          3.04 MB  0 B      
with a pruner  3.12 MB  76.7 KB  1

Generate
what  time
Foo   582 ms

`
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
	if results.rounds != 3 {
		t.Errorf("%d rounds, want 3", results.rounds)
	}
	if _, err := results.page(); err == nil {
		t.Error("there is a page without all results")
	}
	if got, want := results.costs[1].table().markdown(), `| program | size | growth | modules |
| --- | ---: | ---: | ---: |
| plain | 3.04 MB | 0 B |  |
| with a pruner | 3.12 MB | 76.7 KB | 1 |`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestNoResults(t *testing.T) {
	for _, text := range []string{"", "PASS\n", "BenchmarkFoo x ns/op\n"} {
		if _, err := read(strings.NewReader(text)); err == nil {
			t.Errorf("%q has results", text)
		}
	}
}

// Every benchmark runs: what its sides disagree on fails it.
func TestEachBenchmarkRunsOnce(t *testing.T) {
	testsize.Large(t, "it compiles Kubernetes together with generated code")
	var b strings.Builder
	dir := t.TempDir()
	if err := run([]string{"-count=1", "-benchtime=1x", "-report=" + dir}, &b); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "benchmarks.md")); err != nil {
		t.Error(err)
	}
	if rows := regexp.MustCompile(`(?m)^(Prune|Validate|Invalid|Check|Normalize|DecodeJSON)`).FindAllString(b.String(), -1); len(rows) != 66 {
		t.Errorf("%d rows, want 66, in\n%s", len(rows), b.String())
	}
}
