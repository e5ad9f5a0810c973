package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/gocmd"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// Tests are run with this program, too.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == execute {
		os.Exit(runTest(os.Args[2:]))
	}
	os.Exit(m.Run())
}

// newModule makes a module with packages that pass, fail, do not compile and have no tests, and goes there.
func newModule(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"go.mod":                "module " + modulePath + "\n",
		".gitignore":            "/build/\n",
		"good/good_test.go":     "package good\n\nimport \"testing\"\n\nfunc TestGood(t *testing.T) {}\n\nfunc TestNot(t *testing.T) { t.Skip(\"no tool\") }\n",
		"fine/fine_test.go":     "package fine\n\nimport \"testing\"\n\nfunc TestLarge(t *testing.T) { t.Skip(\"" + testsize.Left + "because\") }\n",
		"none/none.go":          "package none\n",
		"broken/broken_test.go": "package broken\n\nvar x int = \"\"\n",
		"bad/bad_test.go":       "package bad\n\nimport \"testing\"\n\nfunc TestBad(t *testing.T) { t.Error(\"wrong\") }\n",
	} {
		write(t, name, text)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(name), 0o777)
	if err == nil {
		err = os.WriteFile(name, []byte(text), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// inCommit commits everything in the working directory.
func inCommit(t *testing.T) {
	t.Helper()
	for _, args := range []string{"init -q", "add .", "-c user.name=n -c user.email=e commit -q -m m"} {
		if out, err := exec.Command("git", strings.Fields(args)...).CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
}

// verdicts returns the results of the last run, by their rows.
func verdicts(t *testing.T, b *board, checks []check) (map[string]string, string) {
	t.Helper()
	var table strings.Builder
	if _, err := b.print(&table, checks); err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for line := range strings.Lines(table.String()) {
		if cells := regexp.MustCompile(`  +`).Split(strings.TrimSpace(line), -1); len(cells) == 6 {
			all[cells[1]] = cells[2]
		}
	}
	return all, table.String()
}

func TestEachPackageHasARow(t *testing.T) {
	testsize.NotShort(t)
	t.Setenv(gocmd.Variable, "1") // it runs tests of tests
	newModule(t)
	inCommit(t)
	b, err := readBoard("build/board.json")
	if err != nil {
		t.Fatal(err)
	}
	checks := []check{{".", tests, "", false}, {".", "passes", "echo '{not an event'", false}, {".", "fails", "exit 3", false}, {".", "partly", "echo a: b skipped: no c", false}}
	run := func() {
		t.Helper()
		for _, c := range checks {
			if err := c.run(t.Context(), b, false); err != nil {
				t.Fatal(err)
			}
		}
	}
	run()
	want := map[string]string{"row": "result", "./good": "1 skipped", "./broken": "FAIL", "./bad": "FAIL", "./fine": "ok", "passes": "ok", "fails": "FAIL", "partly": "1 skipped"}
	have, table := verdicts(t, b, checks)
	if !maps.Equal(have, want) || !strings.HasSuffix(table[:strings.LastIndex(table, ";")], "\n2 ok, 3 FAIL, 2 with a part skipped") ||
		!strings.Contains(table, "skipped: . ./good: TestNot: no tool\n") {
		t.Errorf("%q\n%s", have, table)
	}

	// What has passed does not run again, here or in another process, until a file that it depends on changes. Pages are none.
	again, err := readBoard("build/board.json")
	if err != nil {
		t.Fatal(err)
	}
	b = again
	passed := b.results[". passes"]
	passed.Wall = 1000
	b.results[". passes"] = passed
	write(t, "README.md", "# New\n")
	run()
	if have, table := verdicts(t, b, checks); !maps.Equal(have, want) || b.results[". passes"].Wall != 1000 {
		t.Errorf("%q\n%s", have, table)
	}
	write(t, "fine/fine.go", "package fine\n")
	if have, table := verdicts(t, b, checks); have["passes"] != "changed since" || have["./fine"] != "changed since" || have["fails"] != "FAIL" {
		t.Errorf("%q\n%s", have, table)
	}
	run()
	if have, table := verdicts(t, b, checks); !maps.Equal(have, want) || b.results[". passes"].Wall == 1000 || !strings.Contains(b.results[". passes"].Commit, "+") {
		t.Errorf("%q\n%s", have, table)
	}
}

// In a run of everything, a test that builds a program by itself fails.
func TestOnlyGocmdBuilds(t *testing.T) {
	testsize.NotShort(t)
	t.Chdir(t.TempDir())
	t.Setenv(gocmd.Variable, "1")
	write(t, "go.mod", "module "+modulePath+"\n")
	write(t, "a/a_test.go", `package a

import (
	"os/exec"
	"testing"
)

func TestBuild(t *testing.T) {
	cmd := exec.Command("go", "build", "-o", t.TempDir(), "../b")
	cmd.Env = append(cmd.Environ(), "`+gocmd.Variable+`=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s", out)
	}
}
`)
	write(t, "b/b.go", "package main\n\nfunc main() {}\n")
	inCommit(t)
	b, err := readBoard("build/board.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := (check{".", tests, "", false}).run(t.Context(), b, false); err != nil {
		t.Fatal(err)
	}
	if r := b.results[". ./a"]; r.Passed || r.Commit == "" {
		t.Errorf("%+v", r)
	}
}

func TestTestsThatCallAPackageAreFound(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "a_test.go", "package a\n\nimport \"x/p\"\n\nfunc TestOne() { p.F() }\n\nfunc help() { other() }\n\nfunc TestThree() { p.G() }\n")
	write(t, "b_test.go", "package a\n\nfunc TestTwo() { help() }\n\nfunc TestNone() { p.F() }\n")
	write(t, "c_test.go", "package a\n\nimport \"x/p\"\n\nfunc other() { _ = p.F }\n")
	for names, want := range map[string]string{"F": "TestOne TestTwo", "G": "TestThree", "": "TestOne TestThree TestTwo"} {
		have, err := testsCalling(".", "x/p", strings.Fields(names)...)
		if err != nil || strings.Join(have, " ") != want {
			t.Errorf("%q: %q, %v", names, have, err)
		}
	}
}

func TestChangesReachTheTestsOfAllModules(t *testing.T) {
	testsize.NotShort(t)
	t.Chdir("../..")
	for _, test := range []struct{ changed, module, reached, not string }{
		{"internal/crd/skeleton/skeleton.go", ".", "internal/crd/skeleton", "runtime/prunejson"},
		{"internal/crd/skeleton/skeleton.go", ".", "docs", "internal/text/yamltext"}, // which builds the program
		{"internal/crd/skeleton/skeleton_test.go", ".", "internal/crd/skeleton", "docs"},
		{"golden/crontab/crd.yaml", ".", "golden", ""},
		{"docs/crds.md", ".", "docs", "golden"},
		{"runtime/prunejson/scanner.go", "kube", "kube", ""},
		{"kube/convert.go", "kube", "kube", ""},
		{"internal/crd/skeleton/skeleton_test.go hack/page/doc.go hack/page/page_test.go", ".", "internal/crd/skeleton", "docs"},
		{"kube/convert_test.go", "kube", "kube", "kube/prunetest"},
	} {
		reached, err := reachedIn(t.Context(), test.module, strings.Fields(test.changed))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(reached, modulePath+"/"+test.reached) || slices.Contains(reached, modulePath+"/"+test.not) {
			t.Errorf("%s reaches %q", test.changed, reached)
		}
	}
	if reached, err := reachedIn(t.Context(), "kube", []string{"internal/crd/skeleton/skeleton.go", "docs/crds.md", "runtime/set_test.go"}); err != nil || len(reached) != 0 {
		t.Errorf("%q, %v", reached, err)
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
