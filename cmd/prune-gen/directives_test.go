package main

import (
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// verify ./... is for CI: it checks what every directive of the module generates, from any directory, with its own flags.
func TestVerifyChecksEveryDirective(t *testing.T) {
	const bases = "../../../config/crd/bases"
	files := map[string]string{
		"config/crd/bases/apps_jobs.yaml":  groupCRD("apps.example.com", "Job", "v1", "v1beta1"),
		"config/crd/bases/batch_runs.yaml": groupCRD("batch.example.com", "Run", "v1"),
		"config/crd/bases/other.yaml":      strings.Replace(groupCRD("odd.example.com", "Odd", "v1"), "name: odds.", "name: others.", 1),
		"hack/header.txt":                  "Ours.\n",
		"api/apps/v1/doc.go":               marked("apps.example.com", "v1") + "\n//go:generate go tool prune-gen generate --emit-only prune --header-file ../../../hack/header.txt " + bases + "\n",
		"api/apps/v1beta1/doc.go":          marked("apps.example.com", "v1beta1") + "\n//go:generate go tool prune-gen generate --emit-only prune " + bases + "/*.yaml\n",
		"api/batch/v1/doc.go":              marked("batch.example.com", "v1") + "\n//go:generate go tool prune-gen generate --emit-only prune --group batch.example.com --exclude other.yaml --output-dir ../../gen/v1 " + bases + "\n",
		"api/doc.go":                       "package api\n\n//go:generate go tool prune-gen generate --dry-run ../config/crd/bases\n",
	}
	inModule(t, files)
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"api/apps/v1", "api/apps/v1beta1", "api/batch/v1"} {
		t.Chdir(root + "/" + dir)
		_, words, _ := strings.Cut(strings.TrimSpace(files[dir+"/doc.go"]), "prune-gen ")
		wantRun(t, exitOK, "1 file written", "", strings.Fields(words)...)
	}
	t.Chdir(root)
	// A directive can name files by absolute paths.
	const absolute = "api/apps/v1/doc.go"
	if err := os.WriteFile(absolute, []byte(strings.Replace(files[absolute], "../../../hack", root+"/hack", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	before := contents(t)
	const stale = "api/gen/v1/zz_generated.prune.run.go"
	// What two directives find is printed once.
	r := wantRun(t, exitOK, "3 files up to date\n", "[crd/name-mismatch]", "verify", "./...")
	if n := strings.Count(r.stderr, "warning:"); n != 1 {
		t.Errorf("%d warnings:\n%s", n, r.stderr)
	}
	wantRun(t, exitInput, "", "1 warning", "verify", "--strict", "./...")
	wantRun(t, exitOK, "3 files up to date\n", "-", "verify", "--strict", "--disable", "crd/name-mismatch", "./...")
	wantRun(t, exitOK, "3 files up to date\n", "-", "verify", "--exclude", "other.yaml", "./...")
	wantRun(t, exitOK, "2 files up to date\n", "", "verify", "./api/apps/...")
	if err := os.WriteFile(stale, []byte(strings.Replace(before[stale], "\n\n", "\n// mine\n", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	wantRun(t, exitInput, "--- "+stale+"\n+++ "+stale+"\n", "1 of 3 files not up to date: run go generate ./...\n", "verify", "./...")
	r = wantRun(t, exitInput, `"files/stale"`, "-", "verify", "--output", "json", "./...")
	if found := readFindings(t, r.stdout); len(found) != 2 || found[1].File != stale {
		t.Errorf("%+v", found)
	}
	t.Chdir("api/gen")
	wantRun(t, exitInput, "-", "no go:generate directive in ./... calls prune-gen generate", "verify", "./...")
	wantRun(t, exitInput, "-", "nowhere: no such file or directory", "verify", "./nowhere/...")
	t.Chdir(root)
	if err := os.WriteFile(stale, []byte(before[stale]), 0o666); err != nil {
		t.Fatal(err)
	}

	// A directive that fails is reported with its line, and those after it are still checked.
	const failing = "api/apps/doc.go"
	for _, test := range []struct{ directive, want string }{
		{"prune-gen generate --group gone ../crd", "no such file or directory"},
		{"prune-gen generate --group gone ../../config/crd/bases", failing + `:3:1: error: this directive cannot be checked: no CRD has group "gone"`},
		{"prune-gen generate --gruop x ../../config/crd/bases", failing + ":3:1: error: this directive cannot be checked: unknown flag --gruop [package/directive]\n  = hint: Did you mean --group?\n"},
		{"prune-gen generate -", "the CRDs come from standard input"},
		{`sh -c "prune-gen generate ../../config/crd/bases"`, "prune-gen is called in a script"},
	} {
		if err := os.WriteFile(failing, []byte("package apps\n\n//go:generate "+test.directive+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(stale); err != nil {
			t.Fatal(err)
		}
		wantRun(t, exitInput, stale+": missing", test.want, "verify", "./...")
		if err := os.WriteFile(stale, []byte(before[stale]), 0o666); err != nil {
			t.Fatal(err)
		}
		wantRun(t, exitInput, "", test.want, "verify", "./...")
	}
	before[failing] = contents(t)[failing]
	if !maps.Equal(before, contents(t)) {
		t.Error("verify changed something")
	}

	wantRun(t, exitUsage, "-", "--group cannot be combined with ./...: the directives have flags of their own", "verify", "--group", "a", "./...")
	wantRun(t, exitUsage, "-", "CRDs and packages cannot be combined: config is not a pattern", "verify", "./...", "config")
	wantRun(t, exitInput, "-", "no such file or directory", "verify", "./gone/...")
}

// The CRDs of all directives are one run for the limits on what is read, and a file that several name counts once.
func TestDirectivesShareTheLimits(t *testing.T) {
	testsize.Large(t, "reads 90 MB several times")
	padding := strings.Repeat("#", 30<<20) + "\n"
	const directive = "\n//go:generate go tool prune-gen generate --emit-only prune "
	inModule(t, map[string]string{
		"crds/a.yaml":     groupCRD("a.example.com", "A", "v1", "v1beta1") + padding,
		"crds/b.yaml":     groupCRD("b.example.com", "B", "v1") + padding,
		"crds/c.yaml":     groupCRD("c.example.com", "C", "v1") + padding,
		"api/av1/v1.go":   marked("a.example.com", "v1") + directive + "../../crds/a.yaml\n",
		"api/av2/v1.go":   marked("a.example.com", "v1beta1") + directive + "../../crds/a.yaml\n",
		"api/b/v1/doc.go": marked("b.example.com", "v1") + directive + "../../../crds/b.yaml\n",
	})
	wantRun(t, exitInput, "", "3 of 3 files not up to date", "verify", "./...")
	if err := os.MkdirAll("api/c/v1", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("api/c/v1/doc.go", []byte(marked("c.example.com", "v1")+directive+"../../../crds/c.yaml\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	wantRun(t, exitInput, "", "too large: the run exceeds the limit of 64 MiB; raise it with --limit 2", "verify", "./...")
}

// A directive can name CRDs by the path of a Go module, whichever directory verify runs in.
func TestVerifyFindsModulesOfDirectives(t *testing.T) {
	testsize.NotShort(t)
	mod, _ := runtimeModule(t)
	inModule(t, map[string]string{
		"go.mod":       mod + "\nrequire example.com/there v0.0.0\n\nreplace example.com/there => ./there\n",
		"there/go.mod": "module example.com/there\n", "there/crds/crd.yaml": kindCRD("Thing", "v1"),
		"api/v1/doc.go": "package v1\n\n//go:generate go tool prune-gen generate --emit-only prune example.com/there/crds\n",
	})
	wantRun(t, exitOK, "1 file written", "-", "generate", "--emit-only=prune", "--output-dir=api/v1", "example.com/there/crds")
	wantRun(t, exitOK, "1 file up to date", "-", "verify", "./...")
}
