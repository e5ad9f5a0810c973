package run

import (
	"strings"
	"testing"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

var few = []string{"--sample", "0", "--random", "6", "--random-rules", "1", "--objects", "4", "--mutations", "1"}

func TestTheSuiteRunsWithoutGeneratedCode(t *testing.T) {
	var stdout, stderr strings.Builder
	if code := Main(nil, few, &stdout, &stderr); code != ExitAgree {
		t.Fatalf("exit code %d\n%s%s", code, stderr.String(), stdout.String())
	}
	for _, want := range []string{"interpret.Prune", "load.Load", "no disagreements", "seed 1"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("%q is not in\n%s", want, stdout.String())
		}
	}
	if strings.Contains(stdout.String(), "PruneReport") {
		t.Errorf("there is nothing to compare:\n%s", stdout.String())
	}
}

func TestCodeThatIsMissingOrWrongIsADisagreement(t *testing.T) {
	var stdout, stderr strings.Builder
	args := append([]string{"--function", "Prune"}, few...) // the others take their time, and have nothing to do with it
	if code := Main(map[string]Generated{}, args, &stdout, &stderr); code != ExitDisagree {
		t.Errorf("no code: exit code %d", code)
	}
	if !strings.Contains(stdout.String(), "nothing was generated, but Kubernetes accepts the CRD") {
		t.Errorf("no code:\n%s", stdout.String())
	}

	o, err := Parse("test", few, &stderr)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Load(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	subjects, err := Subjects(c, o)
	if err != nil {
		t.Fatal(err)
	}
	wrong := map[string]Generated{}
	for _, s := range subjects {
		wrong[s.ID()] = Generated{Resource: prunert.Resource{Prune: func(map[string]any) {}}}
	}
	stdout.Reset()
	if code := Main(wrong, args, &stdout, &stderr); code != ExitDisagree || !strings.Contains(stdout.String(), "Prune differs from Kubernetes") {
		t.Errorf("wrong code: exit code %d\n%s", code, stdout.String())
	}
}

func TestOneCRDCanBeChosen(t *testing.T) {
	var stderr strings.Builder
	o, err := Parse("test", few, &stderr)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Load(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	key := c.CRDs[3].Key
	var stdout strings.Builder
	args := append([]string{"--crd", key, "--function", "interpret.Prune"}, few...)
	if code := Main(nil, args, &stdout, &stderr); code != ExitAgree || !strings.Contains(stdout.String(), "1 CRDs with") {
		t.Errorf("exit code %d\n%s", code, stdout.String())
	}
	if code := Main(nil, append(args, "--crd", "none"), &stdout, &stderr); code != ExitTrouble {
		t.Errorf("a CRD that is not there: exit code %d", code)
	}
}
