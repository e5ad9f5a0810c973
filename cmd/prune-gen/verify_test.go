package main

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/generator"
)

func TestVerify(t *testing.T) {
	const (
		a = "api/zz_generated.prune.a.go"
		b = "api/zz_generated.prune.b.go"
		c = "api/zz_generated.prune.c.go"
	)
	stale := generator.GeneratedBy + "\n\npackage v1\n"
	tests := []struct {
		name    string
		change  func() error
		code    int
		stdout  []string
		stderr  string
		message string // for machines
		file    string
	}{
		{name: "all is current", change: func() error { return nil }, code: 0, stdout: []string{"2 files up to date\n"}, stderr: "-"},
		{
			name: "a file that differs", change: func() error { return replaceIn(a, "\n\n", "\n// mine\n") }, code: 1,
			stdout: []string{"--- " + a + "\n+++ " + a + "\n@@ -1,5 +1,5 @@\n " + generator.GeneratedBy + "\n-// mine\n+\n"},
			stderr: "prune-gen verify: 1 of 2 files not up to date: run prune-gen generate with the same flags\n",
			file:   a, message: "the generated file is not up to date",
		},
		{
			name: "a file that is missing", change: func() error { return os.Remove(b) }, code: 1,
			stdout: []string{b + ": missing, "}, stderr: "1 of 2 files not up to date",
			file: b, message: "the generated file is missing",
		},
		{
			name: "a file too many", change: func() error { return os.WriteFile(c, []byte(stale), 0o666) }, code: 1,
			stdout: []string{c + ": no longer wanted, 3 lines\n"}, stderr: "1 of 3 files not up to date",
			file: c, message: "the generated file is no longer wanted",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Chdir(write(t, map[string]string{"a.yaml": kindCRD("A", "v1"), "b.yaml": kindCRD("B", "v1")}))
			args := []string{pruneOnly, "--output-dir", "api", "a.yaml", "b.yaml"}
			wantRun(t, exitOK, "2 files written", "", append([]string{"generate"}, args...)...)
			current := contents(t)
			if err := test.change(); err != nil {
				t.Fatal(err)
			}
			before := contents(t)
			verify := append([]string{"verify"}, args...)
			var r result
			for _, part := range test.stdout {
				r = wantRun(t, test.code, part, test.stderr, verify...)
			}
			wantClean(t, "standard output", strings.ReplaceAll(r.stdout, "\t", " "))
			if !maps.Equal(before, contents(t)) {
				t.Fatal("verify changed something")
			}
			if test.code != 0 {
				verifyForMachines(t, verify, test.file, test.message)
				if before[test.file] == "" || current[test.file] == "" {
					if n := strings.Count(r.stdout, "\n"); n != 1 {
						t.Errorf("%d lines about one file:\n%s", n, r.stdout)
					}
				} else {
					wantDiff(t, r.stdout, before[test.file], current[test.file])
				}
			}
			wantRun(t, exitOK, "", "", append([]string{"generate"}, args...)...)
			wantRun(t, exitOK, "2 files up to date\n", "-", verify...)
			if r := wantRun(t, exitOK, "", "-", append(verify, "--quiet")...); r.stdout != "" {
				t.Errorf("--quiet prints %q", r.stdout)
			}
		})
	}
}

// wantDiff fails unless a diff removes lines of the old text and adds lines of the new one.
func wantDiff(t *testing.T, diff, old, new string) {
	t.Helper()
	lines := strings.Split(diff, "\n")
	for _, line := range lines[min(2, len(lines)):] {
		if strings.HasPrefix(line, "-") && !strings.Contains(old, line[1:]+"\n") || strings.HasPrefix(line, "+") && !strings.Contains(new, line[1:]+"\n") {
			t.Errorf("%s does not belong in the diff:\n%s", line, diff)
		}
	}
}

func verifyForMachines(t *testing.T, verify []string, file, message string) {
	t.Helper()
	r := wantRun(t, exitInput, "", "-", append(verify, "--output", "json")...)
	found := readFindings(t, r.stdout)
	if len(found) != 1 {
		t.Fatal(r.stdout)
	}
	if f := found[0]; f.ID != findings.IDStale || f.File != file || f.Message != message || f.Hint == "" {
		t.Errorf("%+v, want %s: %s", f, file, message)
	}
}

// Drift has an id of its own in every format for machines, and the file is named in all of them.
func TestDriftIsFoundInEveryFormat(t *testing.T) {
	t.Setenv("GITHUB_WORKSPACE", "")
	inModule(t, map[string]string{"a.yaml": kindCRD("A", "v1")})
	const file = "zz_generated.prune.a.go"
	for format, parts := range map[string][]string{
		"json":   {`"id": "files/stale"`, `"file": "` + file + `"`, `"severity": "error"`},
		"sarif":  {`"ruleId": "files/stale"`, `"uri": "` + file + `"`, `"level": "error"`},
		"github": {"::error file=" + file + ",title=files/stale::the generated file is missing"},
	} {
		r := wantRun(t, exitInput, "", "-", "verify", pruneOnly, "--output", format, "a.yaml")
		for _, part := range parts {
			if !strings.Contains(r.stdout, part) {
				t.Errorf("--output %s: no %s in\n%s", format, part, r.stdout)
			}
		}
	}
	for _, format := range findings.Formats()[1:] {
		if !slices.Contains([]string{"json", "sarif", "github"}, format) {
			t.Errorf("--output %s is not tested", format)
		}
	}
}

func replaceIn(file, old, new string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return os.WriteFile(file, []byte(strings.Replace(string(text), old, new, 1)), 0o666)
}

func TestVerifyTakesTheFlagsOfGenerate(t *testing.T) {
	flagNames := func(command string) map[string]bool {
		names := map[string]bool{}
		for line := range strings.Lines(runWith("", command, "--help").stdout) {
			if name, ok := strings.CutPrefix(strings.TrimSpace(line), "--"); ok {
				names[strings.Fields(name)[0]] = true
			}
		}
		return names
	}
	generate, verify := flagNames("generate"), flagNames("verify")
	for _, name := range slices.Sorted(maps.Keys(generate)) {
		if only := name == "dry-run" || name == "dump-plan"; verify[name] == only {
			t.Errorf("verify takes --%s: %t", name, verify[name])
		}
	}
	if len(verify) != len(generate)-2 {
		t.Errorf("verify has %d flags, generate %d", len(verify), len(generate))
	}
}
