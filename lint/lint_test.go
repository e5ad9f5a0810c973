package lint_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/prune-gen/prune-gen/lint"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/load"
)

// A text has the findings of its CRDs, of those that cannot be used, and of what cannot be read, sorted.
func TestTextsHaveTheFindingsOfTheirCRDs(t *testing.T) {
	unusable := strings.Replace(crd, "type: string", "type: [string]", 1)
	found := lint.Text("crds.yaml", strings.NewReader(crd+"---\n"+unusable+"---\na: [\n"))
	c, err := load.CRD([]byte(crd), load.Options{Name: "crds.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	alone := lint.CRD(c)
	if len(alone) == 0 || len(found) <= len(alone) || !reflect.DeepEqual(found[:len(alone)], alone) {
		t.Errorf("%+v, want first %+v", found, alone)
	}
	if !slices.IsSortedFunc(found, func(a, b structural.Finding) int { return a.Line - b.Line }) {
		t.Errorf("not sorted: %+v", found)
	}
	var rules []structural.ID
	for _, r := range lint.IDs() {
		rules = append(rules, r.ID)
	}
	for _, want := range []structural.ID{"crd/wrong-type", "text/syntax"} {
		if !slices.ContainsFunc(found, func(f structural.Finding) bool { return f.ID == want }) {
			t.Errorf("no finding has the rule %s: %+v", want, found)
		}
	}
	for _, f := range found {
		if !slices.Contains(rules, f.ID) {
			t.Errorf("%s is not in the list of rules", f.ID)
		}
	}
}

func TestReadersThatFailAreFindings(t *testing.T) {
	found := lint.Text("f", iotest.ErrReader(errors.New("broken")))
	if len(found) != 1 || found[0].ID != structural.IDUnreadable || found[0].Severity != structural.SeverityError {
		t.Errorf("%+v", found)
	}
}
