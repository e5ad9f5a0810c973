package lint_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/crdcases"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/internal/structuraltest"
)

// TestLintAnswersCasesAsTheServer compares with answers of the API server that are stored: see the conformance suite.
func TestLintAnswersCasesAsTheServer(t *testing.T) {
	files, err := crdcases.Load()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, f := range files {
		for _, c := range f.Cases {
			var got []string
			for _, f := range structuraltest.FindAll(string(c.CRD)) {
				if f.Severity != structural.SeverityError {
					continue
				}
				got = append(got, crdcases.Line(f.Message))
				if f.Line == 0 || f.Column == 0 {
					t.Errorf("%s: no place: %+v", c.Name, f)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, c.Errors) {
				t.Errorf("%s: got\n%s\nwant\n%s", c.Name, strings.Join(got, "\n"), strings.Join(c.Errors, "\n"))
			}
			n++
		}
	}
	if n < 900 {
		t.Errorf("only %d cases", n)
	}
}
