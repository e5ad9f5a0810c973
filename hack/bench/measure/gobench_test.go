package measure

import (
	"regexp"
	"strings"
	"testing"
)

func TestWriteGoIsWhatBenchstatReads(t *testing.T) {
	var b strings.Builder
	err := WriteGo(&b, []Result{{
		Kind: "Foo", Size: "small", State: Clean, Bytes: 2000, Function: "Prune", By: "walk",
		Rounds: []Sample{{Ops: 7, Nanos: 1000, Allocs: 2, Bytes: 64}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := regexp.MustCompile(`(?m)^BenchmarkPrune/objects=clean/kind=Foo/size=small/by=walk-\d+\t7\t1000\.0 ns/op\t2000\.00 MB/s\t64 B/op\t2 allocs/op$`)
	if !want.MatchString(b.String()) {
		t.Errorf("got\n%s\nwant a line like %s", b.String(), want)
	}
}
