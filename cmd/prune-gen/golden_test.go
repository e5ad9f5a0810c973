package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/structural"
)

var update = flag.Bool("update", false, "write the expected outputs in testdata instead of comparing with them")

// outputs are the files that a folder of testdata has beside its CRD: what the command writes, and where to.
var outputs = []struct {
	file   string
	args   []string
	stream func(result) string
}{
	{"lint.txt", []string{"lint"}, func(r result) string { return r.stdout }},
	{"lint.json", []string{"lint", "--output=json"}, func(r result) string { return r.stdout }},
	{"lint.sarif", []string{"lint", "--output=sarif"}, func(r result) string { return r.stdout }},
	{"lint.github", []string{"lint", "--output=github"}, func(r result) string { return r.stdout }},
	{"skeleton.yaml", []string{"skeleton"}, func(r result) string { return r.stdout }},
	{"skeleton.txt", []string{"skeleton"}, func(r result) string { return r.stderr }},
}

func TestOutputsAreAsRecorded(t *testing.T) {
	if *update && os.Getenv("CI") != "" {
		t.Fatal("-update is for people who look at what it changes, not for CI")
	}
	t.Setenv("GITHUB_WORKSPACE", "")
	folders, err := filepath.Glob("testdata/*")
	if err != nil || len(folders) == 0 {
		t.Fatalf("no folders in testdata: %v", err)
	}
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Chdir(folder)
			crds, err := filepath.Glob("crd.*")
			if err != nil || len(crds) != 1 {
				t.Fatalf("want one CRD, have %v (%v)", crds, err)
			}
			for _, out := range outputs {
				r := runWith("", append(out.args, crds[0])...)
				if r.code != exitOK && r.code != exitInput {
					t.Errorf("%v: exit status %d\n%s", out.args, r.code, r.stderr)
				}
				compare(t, out.file, out.stream(r))
			}
		})
	}
}

func compare(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Errorf("%v; to write it: go test ./cmd/prune-gen -run %s -update", err, t.Name())
		return
	}
	if got != string(want) {
		t.Errorf("%s differs\n--- want\n%s\n--- have\n%s\nto accept it: go test ./cmd/prune-gen -run %s -update",
			file, want, got, t.Name())
	}
}

// The exit status and every form of output tell the same story.
func TestFormsAgree(t *testing.T) {
	folders, err := filepath.Glob("testdata/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			crds, _ := filepath.Glob(filepath.Join(folder, "crd.*"))
			asJSON := runWith("", "lint", "--output=json", crds[0])
			errors, warnings := 0, 0
			for _, f := range readFindings(t, asJSON.stdout) {
				if f.Line == 0 || f.Column == 0 {
					t.Errorf("no place: %+v", f)
				}
				switch f.Severity {
				case structural.SeverityError:
					errors++
				case structural.SeverityWarning:
					warnings++
				default:
					t.Errorf("severity is %q", f.Severity)
				}
			}
			code := exitOK
			if errors > 0 {
				code = exitInput
			}
			strict := code
			if warnings > 0 {
				strict = exitInput
			}
			text := runWith("", "lint", crds[0])
			github := runWith("", "lint", "--output=github", crds[0])
			sarif := runWith("", "lint", "--output=sarif", crds[0])
			for what, r := range map[string]result{"json": asJSON, "text": text, "github": github, "sarif": sarif} {
				if r.code != code {
					t.Errorf("%s: exit status %d, want %d", what, r.code, code)
				}
				if r.stderr != "" {
					t.Errorf("%s: standard error has %q", what, r.stderr)
				}
			}
			if r := runWith("", "lint", "--strict", crds[0]); r.code != strict {
				t.Errorf("--strict: exit status %d, want %d", r.code, strict)
			}
			if n := strings.Count(text.stdout, ": error: "); n != errors {
				t.Errorf("text has %d errors, json %d", n, errors)
			}
			if n := strings.Count("\n"+github.stdout, "\n::error "); n != errors {
				t.Errorf("github has %d errors, json %d", n, errors)
			}
			if n := strings.Count("\n"+github.stdout, "\n::warning "); n != warnings {
				t.Errorf("github has %d warnings, json %d", n, warnings)
			}
			if n := strings.Count(sarif.stdout, `"level": "error"`); n != errors {
				t.Errorf("sarif has %d errors, json %d", n, errors)
			}
		})
	}
}
