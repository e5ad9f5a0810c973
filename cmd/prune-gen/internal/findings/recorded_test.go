package findings

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/structural"
)

var update = flag.Bool("update", false, "write the recorded reports instead of comparing with them")

const (
	longPath  = "spec.versions[0].schema.openAPIV3Schema.properties[spec].type"
	exactPath = "spec.versions[0].schema.openAPIV3Schema." // 40 characters
)

// source is the file of all findings that have lines.
const source = `kind: CRD
spec: {names: {kind: Crön, plural: "cröns"}}
  tabbed:	x
# prune-gen:ignore x/ignored,x/too why not
ignored: here
`

// everything is findings that differ in what they say, one from the other.
func everything() []Snippet {
	const crd, err, warning, note = "crons.example.com", structural.SeverityError, structural.SeverityWarning, structural.SeverityNote
	lines := strings.Split(source, "\n")
	all := []structural.Finding{
		{ID: "x/all", File: "a.yaml", Line: 2, Column: 8, CRD: crd, Version: "v1", Severity: err, Path: longPath, Message: longPath + ": Required value", Hint: "add it"},
		{ID: "x/short", File: "a.yaml", Line: 2, Column: 22, CRD: crd, Severity: err, Path: "spec.names", Message: "spec.names: Invalid value"},
		{ID: "x/exact", File: "a.yaml", Line: 2, Column: 36, CRD: crd, Version: "v1", Severity: err, Path: exactPath, Message: exactPath + ": Invalid value"},
		{ID: "x/longer", File: "a.yaml", Line: 2, Column: 1, CRD: crd, Version: "v1", Severity: err, Path: exactPath + "x", Message: exactPath + "x: Invalid value"},
		{ID: "x/quoted", File: "a.yaml", Line: 3, Column: 3, CRD: crd, Version: "v1", Severity: warning, Path: "spec.a", Message: `unknown field "spec.a"`, Hint: "did you mean b?"},
		{ID: "x/elsewhere", File: "a.yaml", Line: 3, Column: 11, CRD: crd, Version: "v1", Severity: warning, Path: "spec.a", Message: "no path in it"},
		{ID: "x/steps", File: "a.yaml", Severity: err, Path: strings.Repeat("ö", 50), Message: strings.Repeat("ö", 50) + ": Invalid value"},
		{ID: "x/step", File: "a.yaml", Severity: err, Path: strings.Repeat("o", 50) + ".end", Message: strings.Repeat("o", 50) + ".end: Invalid value"},
		{ID: "schema/rule-expression", File: "a.yaml", Line: 1, Column: 1, Severity: err, Message: "rule: no such thing\n | self\n | ^"},
		{ID: "x/lines", File: "a.yaml", Line: 1, Column: 1, Severity: err, Message: "two\nlines"},
		{ID: "x/line", File: "b c.yaml", Line: 3, Severity: err, Message: "the line is known"},
		{ID: "x/file", File: "b c.yaml", Severity: err, Message: "only the file is known"},
		{ID: "x/stdin", File: Stdin, Line: 1, Column: 7, Severity: warning, Message: "a stream"},
		{ID: "x/object", File: "a.yaml", Line: 1, Column: 7, CRD: crd, Version: "v1", Object: "Cron default/a", Severity: err, Path: "spec.a", Message: "spec.a: Required value"},
		{ID: "x/unknown", File: "a.yaml", Line: 1, Column: 7, Object: "Cron default/b", Severity: warning, Message: "an object without a CRD"},
		{ID: "x/note", File: "a.yaml", Line: 1, Column: 7, CRD: crd, Version: "v1", Severity: note, Message: "a note", Hint: "do nothing"},
		{ID: "x/second", File: "a.yaml", Severity: note, Message: "another note"},
		{ID: "x/ignored", File: "a.yaml", Line: 5, Column: 1, Severity: warning, Message: "ignored by a comment"},
		{ID: "x/too", File: "a.yaml", Line: 5, Column: 10, Severity: err, Message: "ignored if errors are"},
		{ID: "x/disabled", File: "a.yaml", Line: 5, Column: 1, Severity: note, Message: "disabled"},
	}
	for i, f := range all {
		if body, ok := strings.CutPrefix(f.Message, f.Path+": "); ok && f.Path != "" {
			all[i] = f.Saying(f.Path, body)
		} else if f.ID == "x/quoted" {
			all[i] = f.Quoting(f.Path, nil)
		}
	}
	return Snippets(all, func(n int) []byte {
		if n > len(lines) {
			return nil
		}
		return []byte(lines[n-1])
	})
}

// writeReport writes a report of everything.
func writeReport(r *Report) {
	all := everything()
	r.Verdict(Verdict{CRD: "good.example.com", Kind: "Good", Versions: []string{"v1 (served)", "v2"}})
	r.Verdict(Verdict{File: "a.yaml", CRD: "better.example.com", Kind: "Better"})
	r.Add(all)
	r.Skip(Skipped{File: "c.yaml", Reason: NotManifest})
	r.Skip(Skipped{File: "a.yaml", Line: 3, Object: "Pod a", Reason: "a built-in kind"})
	r.Finish()
}

// Every form of a report is as it is recorded, with all that findings, verdicts and counts can say.
func TestReportsAreAsRecorded(t *testing.T) {
	t.Setenv("GITHUB_WORKSPACE", "")
	crds := []Tally{{File: "a.yaml", Files: 1, CRDs: 1, Versions: 2, Passed: 1}, {File: "b c.yaml", Files: 1, CRDs: 2, Versions: 1, Skipped: 2}}
	manifests := []Tally{
		{File: "a.yaml", Files: 1, Manifests: true, Objects: 3, Refused: 1, Passed: 2, UnknownKinds: []KindCount{{"v1", "Pod", 2}, {"v1", "Node", 1}}},
		{File: "b c.yaml", Files: 1, Manifests: true, Objects: 1, Skipped: 1, BuiltIn: 1, LeftOut: 2, UnknownKinds: []KindCount{{"apps/v1", "Job", 1}, {"v1", "Node", 4}}},
	}
	tests := []struct {
		name    string
		options Options
		tallies []Tally
	}{
		{"crds", Options{Version: "v1.2.3"}, crds},
		{"manifests", Options{Version: "v1.2.3", MuteErrors: true}, manifests},
		{"quiet", Options{Version: "v1.2.3", Quiet: true, Strict: true}, crds},
		{"colour", Options{Version: "v1.2.3", Verbose: true, Palette: terminal.NewPalette("always", false)}, manifests},
		{"none", Options{}, nil},
	}
	for _, test := range tests {
		for _, format := range Formats() {
			if test.name == "colour" && format != "text" {
				continue
			}
			t.Run(test.name+"."+format, func(t *testing.T) {
				var b bytes.Buffer
				o := test.options
				o.Format, o.Disabled = format, []structural.ID{"x/disabled", "x/file"}
				r := New(&b, o)
				for _, tally := range test.tallies {
					r.Count(tally)
				}
				if test.name == "none" {
					r.Finish()
				} else {
					writeReport(r)
				}
				name := filepath.Join("testdata", test.name+"."+format)
				want, err := os.ReadFile(name)
				switch {
				case err == nil && bytes.Equal(want, b.Bytes()):
				case *update:
					if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
						t.Fatal(err)
					}
				default:
					t.Errorf("%v; to write %s again: go test ./cmd/prune-gen/internal/findings -update\nhave\n%s\nwant\n%s", err, name, b.Bytes(), want)
				}
			})
		}
	}
}

// A finding that several parts of a report have is printed once, and decides of each part whether it failed.
func TestPartsOfAReport(t *testing.T) {
	finding := func(id structural.ID, severity structural.Severity) []Snippet {
		return []Snippet{{Finding: structural.Finding{ID: id, File: "a.yaml", Severity: severity, Message: "m"}}}
	}
	var b bytes.Buffer
	r := New(&b, Options{Format: "text", Policy: Policy{Disabled: []structural.ID{"x/off"}}})
	for _, disabled := range [][]structural.ID{nil, {"x/warn"}} {
		r.BeginPart(Policy{Disabled: disabled})
		r.Count(Tally{File: "a.yaml", Files: 1, CRDs: 1, Versions: 1})
		r.Add(finding("x/err", structural.SeverityError))
		r.Add(finding("x/warn", structural.SeverityWarning))
		r.Add(finding("x/off", structural.SeverityNote))
		if !r.PartFailed() {
			t.Errorf("a part without %v has not failed", disabled)
		}
	}
	r.BeginPart(Policy{})
	r.Add(finding("x/warn", structural.SeverityWarning))
	if r.PartFailed() {
		t.Error("a part with a warning has failed")
	}
	if r.Finish(); !r.Failed() || r.Errors() != 1 || r.Len() != 2 {
		t.Errorf("failed %t with %d errors in %d findings", r.Failed(), r.Errors(), r.Len())
	}
	const want = "a.yaml: error: m [x/err]\n\na.yaml: warning: m [x/warn]\n\nread 1 CRD with 1 version in 1 file: 1 error, 1 warning, 3 ignored (disabled ids and comments)\n"
	if b.String() != want {
		t.Errorf("have\n%s\nwant\n%s", b.String(), want)
	}
}
