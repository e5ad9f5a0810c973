package main

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// newModule makes a module that has a package that passes and one that fails, and goes there.
func newModule(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"go.mod":            "module example.com/m\n",
		"good/good_test.go": "package good\n\nimport \"testing\"\n\nfunc TestGood(t *testing.T) {}\n\nfunc TestNot(t *testing.T) { t.Skip() }\n",
		"bad/bad_test.go":   "package bad\n\nimport \"testing\"\n\nfunc TestBad(t *testing.T) { t.Error(\"wrong\") }\n",
	} {
		dir, _, _ := strings.Cut(name, "/")
		if dir != name {
			if err := os.Mkdir(dir, 0o777); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestEachPackageHasARow(t *testing.T) {
	testsize.NotShort(t)
	newModule(t)
	s := &step{module: ".", rows: []string{"example.com/m/good", "example.com/m/bad", "example.com/m/none"}, tests: true,
		command: []string{"go", "test", "-json", "-vet=off"}}
	var b board
	if err := s.run(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	if failed := b.print(&table); failed != 2 {
		t.Errorf("%d failed:\n%s", failed, &table)
	}
	if !regexp.MustCompile(`(?m)^\.\s+example.com/m/good\s+ok, 1 skipped\s+\d+\.\d$`).MatchString(table.String()) {
		t.Errorf("the table is\n%s", &table)
	}
}

func TestStepsCoverEveryModule(t *testing.T) {
	t.Chdir("../..")
	out, err := exec.Command("git", "ls-files", "go.mod", "*/go.mod").Output()
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.Lines(string(out)) {
		dir := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(name), "go.mod"), "/")
		if dir == "" {
			dir = "."
		}
		// kubectl is a tool that a test builds; the others are what tests read.
		if !slices.Contains(modules, dir) && !strings.Contains(dir, "/testdata/") && dir != "examples/apiserver/kubectl" {
			t.Errorf("nothing tests %s", dir)
		}
	}
}
