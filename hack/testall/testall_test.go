package main

import (
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// newModule makes a module with packages that pass, fail, do not compile and have no tests, and goes there.
func newModule(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"go.mod":                "module example.com/m\n",
		"good/good_test.go":     "package good\n\nimport \"testing\"\n\nfunc TestGood(t *testing.T) {}\n\nfunc TestNot(t *testing.T) { t.Skip() }\n",
		"none/none.go":          "package none\n",
		"broken/broken_test.go": "package broken\n\nvar x int = \"\"\n",
		"bad/bad_test.go":       "package bad\n\nimport \"testing\"\n\nfunc TestBad(t *testing.T) { t.Error(\"wrong\") }\n",
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
	var b board
	check{".", "tests", "go test -json -vet=off ./..."}.run(t.Context(), &b)
	check{".", "passes", "echo '{not an event'"}.run(t.Context(), &b)
	check{".", "fails", "exit 3"}.run(t.Context(), &b)
	check{".", "refused", "go test -json ./nowhere"}.run(t.Context(), &b)
	check{"missing", "not started", "true"}.run(t.Context(), &b)
	var table strings.Builder
	if failed := b.print(&table); failed != 7 {
		t.Errorf("%d failed", failed)
	}
	for _, row := range []string{"example.com/m/bad  +FAIL", "example.com/m/broken  +FAIL", "example.com/m/good  +ok, 1 skipped", "tests  +FAIL", "passes  +ok", "fails  +FAIL", "./nowhere  +FAIL"} {
		if !regexp.MustCompile(`(?m)^\.  +` + row + `  +\d+\.\d(  +\d+\.\d)?$`).MatchString(table.String()) {
			t.Errorf("no %s in the table\n%s", row, &table)
		}
	}
	if len(b) != 9 {
		t.Errorf("%d rows", len(b))
	}
}

func TestChecksCoverEveryModule(t *testing.T) {
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

// Every command that reads hostile files has its day.
func TestHostileFilesAreForAllCommands(t *testing.T) {
	data, err := os.ReadFile("../../cmd/prune-gen/bounds_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(data), "var hostileCommands = ")
	text, _, _ = strings.Cut(text, "\n}\n")
	commands := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\t\t"([a-z]+) `).FindAllStringSubmatch(text, -1) {
		commands[m[1]] = true
	}
	if all := slices.Sorted(maps.Keys(commands)); !slices.Equal(all, hostile) {
		t.Errorf("commands %q, days for %q", all, hostile)
	}
}
