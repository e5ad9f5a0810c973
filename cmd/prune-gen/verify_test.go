package main

import (
	"encoding/json"
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/structural"
)

func TestVerify(t *testing.T) {
	const (
		a = "api/zz_generated.prune.a.go"
		b = "api/zz_generated.prune.b.go"
		c = "api/zz_generated.prune.c.go"
	)
	stale := generatedMark + ". DO NOT EDIT.\n\npackage v1\n"
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
			name: "a file that differs", change: func() error { return replaceIn(a, "package v1", "package v1 // mine") }, code: 1,
			stdout: []string{"--- " + a + "\n+++ " + a + "\n@@ -1,6 +1,6 @@\n", "\n-package v1 // mine\n+package v1\n"},
			stderr: "prune-gen verify: 1 of 2 files not up to date: run prune-gen generate with the same flags\n",
			file:   a, message: "the generated file is not up to date",
		},
		{
			name: "a file that is missing", change: func() error { return os.Remove(b) }, code: 1,
			stdout: []string{"--- /dev/null\n+++ " + b + "\n@@ -0,0 +1,", "\n+func PruneB("}, stderr: "1 of 2 files not up to date",
			file: b, message: "the generated file is missing",
		},
		{
			name: "a file too many", change: func() error { return os.WriteFile(c, []byte(stale), 0o666) }, code: 1,
			stdout: []string{"--- " + c + "\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-" + generatedMark}, stderr: "1 of 3 files not up to date",
			file: c, message: "the generated file is no longer wanted",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Chdir(write(t, map[string]string{"a.yaml": kindCRD("A", "v1"), "b.yaml": kindCRD("B", "v1")}))
			args := []string{"--output-dir", "api", "a.yaml", "b.yaml"}
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
				if back := patch(t, before[test.file], r.stdout); back != current[test.file] {
					t.Errorf("the diff does not lead to what generate writes:\n%s", r.stdout)
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

func verifyForMachines(t *testing.T, verify []string, file, message string) {
	t.Helper()
	r := wantRun(t, exitInput, "-", "", append(verify, "--output", "json")...)
	var report struct {
		Findings []structural.Finding `json:"findings"`
	}
	if err := json.Unmarshal([]byte(r.stderr), &report); err != nil || len(report.Findings) != 1 {
		t.Fatalf("%v\n%s", err, r.stderr)
	}
	if f := report.Findings[0]; f.File != file || f.Message != message || f.Hint == "" {
		t.Errorf("%+v, want %s: %s", f, file, message)
	}
}

func replaceIn(file, old, new string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return os.WriteFile(file, []byte(strings.Replace(string(text), old, new, 1)), 0o666)
}

// A file that lies about can have anything in it, and a diff shows it.
func TestDiffIsFitForATerminal(t *testing.T) {
	var out strings.Builder
	writeDiff(&out, palette{}, ".", &outputFile{name: "x.go", old: []byte("\ta\x1b[31m\tb\n##[error]c\n"), new: []byte("\ta\n")})
	want := "--- x.go\n+++ x.go\n@@ -1,2 +1 @@\n-\ta\\x1b[31m\tb\n-#\\x23[error]c\n+\ta\n"
	if out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	out.Reset()
	writeDiff(&out, palette{on: true}, ".", &outputFile{name: "x.go", old: []byte("a\n"), new: []byte("b\n")})
	for _, part := range []string{"\x1b[1m--- x.go\x1b[0m\n", "\x1b[1;31m-a\x1b[0m\n", "\x1b[32m+b\x1b[0m\n"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("no %q in %q", part, out.String())
		}
	}
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
	for _, name := range sortedKeys(generate) {
		if only := name == "dry-run" || name == "dump-plan"; verify[name] == only {
			t.Errorf("verify takes --%s: %t", name, verify[name])
		}
	}
	if len(verify) != len(generate)-2 {
		t.Errorf("verify has %d flags, generate %d", len(verify), len(generate))
	}
}
