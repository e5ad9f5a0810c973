package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// What machines read is on standard output, whole and alone, whatever the command and however it ends. Messages are on
// standard error.
func TestMachineOutputIsOnStandardOutput(t *testing.T) {
	testsize.NotShort(t)
	ruled := crd("things", `{type: string, x-kubernetes-validations: [{rule: "true"}]}`)
	for _, test := range []struct {
		name, args string
		code       int
		message    string // on standard error
	}{
		{"stale files", "verify crd.yaml", exitInput, ""},
		{"current files", "verify --output-dir current --emit-only prune crd.yaml", exitOK, "1 file up to date\n"},
		{"files to write", "generate --dry-run crd.yaml", exitOK, "would create zz_generated.prune.thing.go\n"},
		{"a warning", "generate --dry-run ruled.yaml", exitOK, "v1: 1 kind"},
		{"an error", "generate bad.yaml", exitInput, "nothing was written\n"},
		{"an error of the call", "generate --group other crd.yaml", exitInput, "no CRD has group"},
		{"lint", "lint bad.yaml", exitInput, "-"},
	} {
		for _, format := range []string{"json", "sarif", "github"} {
			t.Run(test.name+" as "+format, func(t *testing.T) {
				inModule(t, map[string]string{"crd.yaml": crd("things", goodField), "ruled.yaml": ruled, "bad.yaml": crd("things", badField)})
				if strings.Contains(test.args, "current") {
					wantRun(t, exitOK, "", "-", "generate", "--output-dir", "current", "--emit-only", "prune", "crd.yaml")
				}
				args := append(strings.Fields(test.args), "--output", format)
				r := wantRun(t, test.code, "", test.message, args...)
				if format == "github" {
					for line := range strings.Lines(r.stdout) {
						if !strings.HasPrefix(line, "::") && !strings.HasPrefix(line, "read ") {
							t.Errorf("standard output has %q", line)
						}
					}
					return
				}
				if !json.Valid([]byte(r.stdout)) {
					t.Errorf("standard output is not JSON:\n%s", r.stdout)
				}
			})
		}
	}
}

// The name and the version of the program are in SARIF's driver, whatever it was built from.
func TestSARIFNamesTheVersion(t *testing.T) {
	wantRun(t, exitOK, `"version": "`+cli.BuildVersion()+`"`, "-", "lint", "--output=sarif", "testdata/good/crd.yaml")
}

// People see the id of a finding: that is what --disable takes.
func TestTextNamesTheRule(t *testing.T) {
	r := runWith(crd("things", badField), "lint", "-")
	if want := "must not be empty for specified object fields [structural/type-required]\n"; !strings.Contains(r.stdout, want) {
		t.Errorf("no %q in\n%s", want, r.stdout)
	}
}
