package lint_test

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/sorted"
	"github.com/prune-gen/prune-gen/internal/testing/crdcases"
	"github.com/prune-gen/prune-gen/internal/testing/recorded"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/structural"
	"sigs.k8s.io/yaml"
)

var update = flag.Bool("update", false, "write the recorded files")

// TestLintAnswersCasesAsTheServer compares with answers of the API server that are stored: see the conformance suite. What the server
// does not say is recorded in testdata: rules, hints, places and warnings.
func TestLintAnswersCasesAsTheServer(t *testing.T) {
	testsize.NotShort(t)
	files, err := crdcases.Load()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	places := map[string]map[string]bool{}
	for _, f := range files {
		for _, c := range f.Cases {
			text, err := yaml.JSONToYAML(c.CRD)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			documents := structuraltest.Documents(string(text))
			for _, f := range structuraltest.FindAll(string(text)) {
				structuraltest.CheckSteps(t, f, documents...)
				about, place := recordedFinding(string(text), f)
				if places[about] == nil {
					places[about] = map[string]bool{}
				}
				places[about][place] = true
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
	var have strings.Builder
	for _, about := range sorted.Keys(places) {
		fmt.Fprintf(&have, "%s\n    %s\n", about, strings.Join(slices.Sorted(maps.Keys(places[about])), "\n    "))
	}
	recorded.Compare(t, *update, "testdata/findings.txt", have.String())
}

// recordedFinding returns what a finding says, without the words of the server, and its path with the key that stands at its place.
func recordedFinding(text string, f structural.Finding) (about, place string) {
	about = fmt.Sprintf("%s %s", f.Severity, f.ID)
	if f.Severity != structural.SeverityError {
		about += "\n  message: " + strings.TrimPrefix(f.Message, f.Path)
	}
	if f.Hint != "" {
		about += "\n  hint: " + f.Hint
	}
	lines := strings.Split(text, "\n")
	if f.Line < 1 || f.Line > len(lines) || f.Column < 1 || f.Column > len(lines[f.Line-1]) {
		return about, fmt.Sprintf("%s: line %d, column %d", f.Path, f.Line, f.Column)
	}
	at, _, _ := strings.Cut(lines[f.Line-1][f.Column-1:], ":")
	return about, strings.TrimSpace(fmt.Sprintf("%.10s %s: %.30s", f.Version, strings.Replace(f.Path, ".schema.openAPIV3Schema", ".schema", 1), at))
}
