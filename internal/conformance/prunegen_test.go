package conformance

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/gocmd"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

var update = flag.Bool("update", false, "record the answers of API servers")

const known = root + "/conformance/executors/prune-gen/known.txt"

// The interpreter answers as the servers of all versions do, apart from what is known.
func TestInterpreterPasses(t *testing.T) {
	testsize.NotShort(t)
	versions := kubeversion.Known()
	if !testsize.All() {
		versions = []kubeversion.Version{kubeversion.Newest}
	}
	passes(t, gocmd.Build(t, ".", "./conformance/executors/prune-gen"), versions...)
}

// Generated code answers as the newest servers do.
func TestGeneratedCodePasses(t *testing.T) {
	testsize.Large(t, "compiles generated code for all CRDs of the suite")
	gocmd.Sources(t, "./conformance/executors/generated", "./conformance/executors/internal/answer", "./runtime/...")
	program := gocmd.Build(t, ".", "./conformance/executors/generated")
	passes(t, program, kubeversion.Newest)
}

// passes asks a program as servers of some versions, and compares its failures with those that are known. Each of these must happen.
func passes(t *testing.T, program string, versions ...kubeversion.Version) {
	t.Helper()
	files, expected, happened := suite(t), lines(t, known), map[string]bool{}
	for _, version := range versions {
		results := Judge(files, version, asked(t, files, version, program), Levels())
		if len(results) < 1000 {
			t.Errorf("%s: only %d cases are judged", version, len(results))
		}
		for _, r := range results {
			if len(r.Failed) == 0 {
				continue
			}
			if happened[r.Failure()] = true; !expected[r.Failure()] {
				t.Errorf("Kubernetes %s: %s", version, r.Difference())
			}
		}
	}
	for line := range maps.Keys(expected) {
		if !happened[line] && len(versions) > 1 {
			t.Errorf("known, and does not happen: %s", line)
		}
	}
}

// The answers of the suite are those of servers of all versions, which run here. With -update they are recorded.
func TestServersAnswerAsRecorded(t *testing.T) {
	if !*update {
		testsize.Large(t, "compiles API servers of all versions")
	}
	versions := kubeversion.Known()
	if !testsize.Soaking() && !*update { // those between them differ in what one of the two answers
		versions = []kubeversion.Version{versions[0], versions[len(versions)-1]}
	}
	for _, version := range slices.Backward(versions) {
		var flags []string
		if version != kubeversion.Newest {
			name := fmt.Sprintf("v0.%d", version)
			flags = []string{"-modfile=kubernetes/" + name + ".mod", "-tags=" + name}
		}
		files := suite(t)
		answers := asked(t, files, version, gocmd.Build(t, "hack/apiserver/server", "./answer", flags...))
		if *update {
			unanswered, err := record(files, version, answers)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("Kubernetes %s has no answers to %q", version, unanswered)
			continue
		}
		for _, r := range Judge(files, version, answers, Levels()) {
			if len(r.Failed) > 0 {
				t.Errorf("Kubernetes %s: %s", version, r.Difference())
			}
		}
		for _, f := range files {
			for _, c := range f.Cases {
				if recorded, now := c.answers[version] != nil, answers[c.ID()].Error == ""; recorded != now {
					t.Errorf("Kubernetes %s: %s: recorded %t, answered %t", version, c.ID(), recorded, now)
				}
			}
		}
	}
}

// Every case has an answer of some version, and a name that is not too long for a line.
func TestSuiteIsWhole(t *testing.T) {
	for _, f := range suite(t) {
		for _, c := range f.Cases {
			if len(c.answers) == 0 {
				t.Errorf("%s: no server has answered: go test ./internal/conformance -run Servers -update", c.ID())
			}
		}
	}
}
