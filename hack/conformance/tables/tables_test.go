package tables

import (
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/hack/conformance/verdicts"
	"github.com/prune-gen/prune-gen/internal/testsize"
)

// What Kubernetes' own tests create is taken and refused as there, for the same reasons.
func TestLintSaysWhatTheServerSaysOfItsOwnTables(t *testing.T) {
	testsize.Large(t, "compiles tests of Kubernetes")
	cases, err := Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	taken, refused, knownDifferences := 0, 0, 0
	for _, c := range cases {
		accepted, diffs := verdicts.Verdict(c.Raw)
		if accepted {
			taken++
		} else {
			refused++
		}
		for _, d := range diffs {
			if d.Known != "" {
				knownDifferences++
				continue
			}
			t.Errorf("%s: %s\n%.1500s", c.Name, d, c.Raw)
		}
	}
	t.Logf("%d CRDs: %d taken, %d refused, %d known differences", len(cases), taken, refused, knownDifferences)
	if taken < 140 || refused < 400 { // many of the tables are about rules that are refused
		t.Errorf("only %d CRDs are taken and %d refused", taken, refused)
	}
}

func TestTheFunctionsAreThere(t *testing.T) {
	_, err := withCalls([]byte("package validation\n\nfunc ValidateCustomResourceDefinition() {}\n"))
	if err == nil || !strings.Contains(err.Error(), "1 of 3") {
		t.Errorf("got %v", err)
	}
}
