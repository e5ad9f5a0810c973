package verdicts

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/crdcases"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
)

var update = flag.Bool("update", false, "write the errors of the cases in internal/testing/crdcases")

// caseFolder is where the files with cases are.
const caseFolder = "../../../internal/testing/crdcases/cases"

// TestCasesAreAnsweredAsByTheServer asks the server about each case, and compares every text in both directions. What lint says is
// stored with the case, and the tests of lint compare it again.
func TestCasesAreAnsweredAsByTheServer(t *testing.T) {
	files, err := crdcases.Load()
	if err != nil {
		t.Fatal(err)
	}
	taken, refused := 0, 0
	for _, f := range files {
		for _, c := range f.Cases {
			if compareVerdict(t, c.Name, c.CRD) {
				taken++
			} else {
				refused++
			}
			said := lintErrors(c.CRD)
			if !*update && !slices.Equal(said, c.Errors) {
				t.Errorf("%s: got\n%s\nwant\n%s\nIf the server says so: go test ./verdicts -run %s -update", c.Name,
					strings.Join(said, "\n"), strings.Join(c.Errors, "\n"), t.Name())
			}
			c.Errors = said
		}
	}
	t.Logf("%d taken, %d refused", taken, refused)
	if taken < 300 || refused < 450 {
		t.Errorf("only %d CRDs are taken and %d refused", taken, refused)
	}
	if !*update || t.Failed() {
		return
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(caseFolder, f.Name), []byte(f.Format()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// lintErrors returns the errors that reading and linting find in a CRD, as the files have them.
func lintErrors(crd []byte) []string {
	_, said := linted(crd, kubeversion.Newest)
	var texts []string
	for _, f := range said {
		if f.Severity == structural.SeverityError {
			texts = append(texts, crdcases.Line(f.Message))
		}
	}
	slices.Sort(texts)
	return texts
}

// TestEachGroupOfCasesHasBothAnswers wants the nearest CRD that is taken beside those that are refused.
func TestEachGroupOfCasesHasBothAnswers(t *testing.T) {
	files, err := crdcases.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		taken, refused := map[string]bool{}, map[string]bool{}
		for _, c := range f.Cases {
			taken[c.Group] = taken[c.Group] || len(c.Errors) == 0
			refused[c.Group] = refused[c.Group] || len(c.Errors) > 0
		}
		for group := range taken {
			if !taken[group] || !refused[group] {
				t.Errorf("%s: %q: taken: %t, refused: %t", f.Name, group, taken[group], refused[group])
			}
		}
	}
}
