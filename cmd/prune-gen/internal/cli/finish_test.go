package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/structural"
)

// How a command ends, by its findings, its error and its form.
func TestReportsAreFinished(t *testing.T) {
	cause := errors.New("why")
	for _, test := range []struct {
		args    string
		finding structural.Severity // "" for none
		cause   error
		want    string // the text, and the error
		quietly string
	}{
		{"", "", nil, "read no files: no errors, no warnings\n <nil>", " <nil>"},
		{"", "", cause, " why", " why"},
		{"", structural.SeverityNote, nil, "read no files: no errors, no warnings, 1 note\n <nil>", " <nil>"},
		{"", structural.SeverityWarning, nil, "read no files: no errors, 1 warning\n <nil>", " <nil>"},
		{"--strict", structural.SeverityWarning, nil, "read no files: no errors, 1 warning\n the input has errors", "read no files: no errors, 1 warning\n the input has errors"},
		{"", structural.SeverityWarning, cause, "read no files: no errors, 1 warning\n why", "read no files: no errors, 1 warning\n why"},
		{"", structural.SeverityError, nil, "read no files: 1 error, no warnings\n the input has errors", "read no files: 1 error, no warnings\n the input has errors"},
		{"", structural.SeverityError, cause, "read no files: 1 error, no warnings\n why", "read no files: 1 error, no warnings\n why"},
		{"--quiet", structural.SeverityError, nil, " the input has errors", " the input has errors"},
		{"--output github", "", nil, "read no files: no errors, no warnings\n <nil>", "read no files: no errors, no warnings\n <nil>"},
		{"--output github", "", cause, "::error::why\n why", "::error::why\n why"},
		{"--output github", "", ErrFindings, "read no files: no errors, no warnings\n the input has errors", "read no files: no errors, no warnings\n the input has errors"},
		{"--output github", structural.SeverityError, cause, "::error::why\nread no files: 1 error, no warnings\n why", "::error::why\nread no files: 1 error, no warnings\n why"},
		{"--disable crd/name-mismatch", structural.SeverityError, nil, "read no files: 1 error, no warnings\n the input has errors", "read no files: 1 error, no warnings\n the input has errors"},
		{"--disable crd/name-mismatch", structural.SeverityWarning, nil, "read no files: no errors, no warnings, 1 ignored (disabled ids and comments)\n <nil>", " <nil>"},
	} {
		for _, quietly := range []bool{false, true} {
			cmd := &cobra.Command{}
			ff := AddFindingFlags(cmd, MuteWarnings, "")
			if err := cmd.ParseFlags(strings.Fields(test.args)); err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			r := ff.Report(&b, false)
			if test.finding != "" {
				r.Add([]findings.Snippet{{Finding: structural.Finding{ID: "crd/name-mismatch", Severity: test.finding}}})
			}
			b.Reset()
			finish, want := ff.Finish, test.want
			if quietly {
				finish, want = ff.FinishQuietly, test.quietly
			}
			err := finish(r, test.cause)
			if have := strings.TrimPrefix(b.String(), "\n") + " " + fmt.Sprint(err); have != want {
				t.Errorf("%+v, quietly %t: %q, want %q", test, quietly, have, want)
			}
		}
	}
}

// People read findings on standard error, machines on standard output, and the rest is on the other one.
func TestStreamsOfFindings(t *testing.T) {
	for format, onStdout := range map[string]bool{"text": false, "json": true, "sarif": true, "github": true} {
		cmd := &cobra.Command{}
		ff := AddFindingFlags(cmd, MuteWarnings, "")
		var stdout, stderr bytes.Buffer
		env := &Environment{Stdout: bufio.NewWriter(&stdout), Stderr: &stderr}
		if err := cmd.ParseFlags([]string{"--output", format}); err != nil {
			t.Fatal(err)
		}
		report, notes := ff.Streams(env)
		fmt.Fprint(notes, "a note")
		report.Finish()
		env.Stdout.Flush()
		have, other := &stderr, &stdout
		if onStdout {
			have, other = other, have
		}
		if other.String() != "a note" || have.Len() == 0 || strings.Contains(have.String(), "a note") || ff.Text() == onStdout {
			t.Errorf("%s: %q and %q", format, stdout.String(), stderr.String())
		}
	}
}

func TestWordsAreListed(t *testing.T) {
	for want, words := range map[string][]string{"a": {"a"}, "a or b": {"a", "b"}, "a, b or c": {"a", "b", "c"}} {
		if have := OneOf(words); have != want {
			t.Errorf("%s, want %s", have, want)
		}
	}
}

func TestPathsAreShortened(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		filepath.Join(here, "a.go"): "a.go", filepath.Join(here, "d", "a.go"): "d/a.go", here: ".", "a.go": "a.go", "/a": "/a", filepath.Join(filepath.Dir(here), "b", "a.go"): "../b/a.go",
	} {
		if have := filepath.ToSlash(ShortPath(path)); have != want {
			t.Errorf("%s is %s, want %s", path, have, want)
		}
	}
}

// A word of a choice is taken in any case, and the first is the default.
func TestChoices(t *testing.T) {
	for args, want := range map[string]string{
		"": "one", "--c two": "two", "--c three": "three", "--c one": "one", "--c TWO": "two", "--c=": `invalid argument "" for "--c" flag: want one, two or three`,
		"--c thr": `invalid argument "thr" for "--c" flag: want one, two or three; did you mean three?`, "--c x": `invalid argument "x" for "--c" flag: want one, two or three`,
	} {
		cmd := &cobra.Command{}
		c := AddChoice(cmd, "c", "choose", "one", "two", "three")
		have := ""
		if err := cmd.ParseFlags(strings.Fields(args)); err != nil {
			have = err.Error()
		} else {
			have = c.Value
		}
		if have != want || c.Type() != "one|two|three" || c.String() != c.Value {
			t.Errorf("%s: %s, want %s", args, have, want)
		}
	}
}

func TestReleasesHavePlainVersions(t *testing.T) {
	for version, want := range map[string]string{"v1.2.3": "v1.2.3", "v0.0.1": "v0.0.1", "(devel)": "", "": "", "1.2.3": "", "v1.2.3-rc.1": "", "v0.0.0-20260101000000-0123456789ab": "", "v1.2.3+dirty": ""} {
		if have := releaseOf(version); have != want {
			t.Errorf("%s is %q, want %q", version, have, want)
		}
	}
}

// On a terminal, what is known about a file is shown before the next one is read.
func TestTerminalsSeeEachFile(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a.yaml", "b.yaml"} {
		if err := os.WriteFile(name, []byte("a: 1\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	args := input.Args{Names: []string{"a.yaml", "b.yaml"}}
	for _, terminal := range []bool{true, false} {
		for what, each := range map[string]func(env *Environment, seen, emit func(string)) error{
			"texts": func(env *Environment, seen, emit func(string)) error {
				return EachText(env, "reading", args, func(f *input.Text) { seen(f.Name); emit(f.Name) })
			},
			"CRDs": func(env *Environment, seen, emit func(string)) error {
				return EachSource(env, "reading", args, func(f *input.Source) { seen(f.Name); emit(f.Name) })
			},
		} {
			var out, errs bytes.Buffer
			env := &Environment{Stdout: bufio.NewWriter(&out), Stderr: &errs, StdoutTerminal: terminal}
			var have []string
			each(env, func(name string) { have = append(have, name+":"+out.String()) }, func(name string) { fmt.Fprintf(env.Stdout, "(%s)", name) })
			want := "a.yaml: b.yaml:"
			if terminal {
				want += "(a.yaml)"
			}
			if have := strings.Join(have, " "); have != want || errs.Len() > 0 {
				t.Errorf("%s on a terminal %t: %s, want %s\n%s", what, terminal, have, want, errs.String())
			}
		}
	}
}
