package main

import (
	"slices"
	"strings"
	"testing"
)

func TestWhatNoticedABreakIsTriedFirst(t *testing.T) {
	const generated = "generating the runtime, generating golden code"
	for _, c := range []struct{ file, how, want, last string }{
		{"structural/lint/lint.go", "structural/lint TestA/b_(c)/d", "tests", `-run ^TestA$/^b_\(c\)$/^d$ ./structural/lint`},
		{"structural/lint/lint.go", "golden/run TestA panic: no", generated + ", tests", "-run ^TestA$ ./golden/run"},
		{"structural/lint/lint.go", "generating golden code: no", generated, "-update"},
		{"structural/lint/lint.go", "cmd/prune-gen/internal/output TestA", generated + ", tests", "-run ^TestA$ ./cmd/prune-gen/internal/output"},
		{"structural/lint/lint.go", "hack/conformance/rules TestA", generated + ", generating examples, tests", "-run ^TestA$ ./rules"},
		{"kube/prunetest/client.go", "kube/prunetest TestA", "tests", "-run ^TestA$ ./"},
		{"structural/lint/lint.go", "golden does not compile: no", "", ""},
		{"structural/lint/lint.go", "", "", ""},
	} {
		var names []string
		var last string
		for _, s := range shortcut(stages(Break{File: c.file}), c.how) {
			names, last = append(names, s.name), strings.Join(s.command, " ")
		}
		if got := strings.Join(names, ", "); got != c.want || !strings.HasSuffix(last, c.last) {
			t.Errorf("%q: %s, which ends in %q", c.how, got, last)
		}
	}
}

func TestNoticedNamesBreaksOfTheTable(t *testing.T) {
	seen, err := readNoticed("../..")
	if err != nil {
		t.Fatal(err)
	}
	all := table()
	for name := range seen {
		if !slices.ContainsFunc(all, func(b Break) bool { return b.Name == name }) {
			t.Errorf("the table has no break %q", name)
		}
	}
}
