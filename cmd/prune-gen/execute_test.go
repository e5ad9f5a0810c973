package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/generator"
)

func TestExitStatus(t *testing.T) {
	dir := write(t, map[string]string{
		"good.yaml":   crd("goods", goodField),
		"bad.yaml":    crd("bads", badField),
		"warn.yaml":   crd("warns", "{type: string, maxlength: 3}"),
		"other.yaml":  "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n",
		"broken.yaml": "a: [\n",
		"empty/x.txt": "",
	})
	t.Chdir(dir)
	tests := []struct {
		args   string
		code   int
		stdout string // a part of it; - for nothing at all
		stderr string
	}{
		{"", 2, "-", "Usage: prune-gen <command>"},
		{"-h", 0, "Usage: prune-gen <command>", "-"},
		{"--help", 0, "Commands:\n  generate", "-"},
		{"help", 0, "Exit status:", "-"},
		{"help lint", 0, "Usage: prune-gen lint [flags] CRD...", "-"},
		{"help help", 0, "Usage: prune-gen help", "-"},
		{"help lnit", 2, "-", "Did you mean 'prune-gen lint'?"},
		{"help lint skeleton", 2, "-", `unknown command "skeleton"`},
		{"lint -h", 0, "--output", "-"},
		{"lint --help good.yaml", 0, "Flags:", "-"},
		{"version", 0, "apiextensions-apiserver v0.37.2, Kubernetes v1.37.2", "-"},
		{"--version", 0, "prune-gen ", "-"},
		{"version now", 2, "-", `unexpected argument "now"`},
		{"lnit", 2, "-", "Did you mean 'prune-gen lint'?"},
		{"skel", 2, "-", "Did you mean 'prune-gen skeleton'?"},
		{"frobnicate", 2, "-", `unknown command "frobnicate"`},
		{"frobnicate --crd x", 2, "-", "unknown command \"frobnicate\"\nRun 'prune-gen --help' for the manual.\n"},
		{"valdate --crd x -h y", 2, "-", "prune-gen: unknown command \"valdate\"\nDid you mean 'prune-gen validate'?\n"},
		{"--output", 2, "-", "unknown flag --output"},
		{"lint", 2, "-", "no CRD given"},
		{"skeleton", 2, "-", "no CRD given"},
		{"lint --outptu json good.yaml", 2, "-", "Did you mean --output?"},
		{"lint -output json good.yaml", 2, "-", "Did you mean --output?"},
		{"lint -x good.yaml", 2, "-", "unknown flag -x"},
		{"validate -f good.yaml", 2, "-", "Files are arguments: prune-gen validate FILE"},
		{"validate -o json good.yaml", 2, "-", "Did you mean --output?"},
		{"generate --crd good.yaml", 2, "-", "Files are arguments: prune-gen generate FILE"},
		{"explain Deployment", 2, "-", "there is no file Deployment: name the CRD of a kind with --crd; built-in kinds have none"},
		{"diff git:HEAD", 2, "-", "with git:REF alone, --crd or prune-gen.yaml names the new ones"},
		{"lint https://example.com/crd.yaml", 1, "hint: nothing is downloaded", "-"},
		{"test --run --crd good.yaml", 2, "-", "--run needs a value, and --crd looks like a flag"},
		{"validate --crd --strict good.yaml", 2, "-", "--crd needs a value, and --strict looks like a flag"},
		{"lint --output jsn good.yaml", 2, "-", "did you mean json?"},
		{"lint --output", 2, "-", "flag needs an argument: --output"},
		{"lint good.yaml", 0, "ok  goods.example.com  Thing  v1 (1 field, served, storage, pruned)\n", "-"},
		{"lint --quiet good.yaml", 0, "-", "-"},
		{"lint good.yaml --quiet", 0, "-", "-"},
		{"lint bad.yaml", 1, "bad.yaml:19:11: error: ", "-"},
		{"lint bad.yaml good.yaml", 1, "ok  goods.example.com", "-"},
		{"lint warn.yaml", 0, "warn.yaml:19:33: warning: ", "-"},
		{"lint --strict warn.yaml", 1, "warning: ", "-"},
		{"lint broken.yaml", 1, "broken.yaml:", "-"},
		{"lint missing.yaml", 1, "missing.yaml: error: no such file or directory", "-"},
		{"lint --output json missing.yaml", 1, `"file": "missing.yaml"`, "-"},
		{"lint *.yml", 1, "*.yml: error: the pattern matches no file [text/unreadable]\n  = hint: ", "-"},
		{"lint other.yaml", 1, "-", "no CustomResourceDefinition in other.yaml: looked at 1 file with 1 other document"},
		{"lint --output json other.yaml", 1, `"findings": []`, "no CustomResourceDefinition in other.yaml"},
		{"lint empty", 1, "-", "no CustomResourceDefinition in empty: there is no *.yaml, *.yml or *.json file"},
		{"skeleton good.yaml", 0, "# goods.example.com v1\n", "-"},
		{"skeleton --crd-version v2 good.yaml", 1, "-", "no CRD has version v2"},
		{"skeleton missing.yaml good.yaml", 1, "# goods.example.com v1\n", "missing.yaml: error: "},
		{"skeleton --output json missing.yaml", 1, "-", `"file": "missing.yaml"`},
	}
	for _, test := range tests {
		t.Run(test.args, func(t *testing.T) {
			r := runWith("", strings.Fields(test.args)...)
			if r.code != test.code {
				t.Errorf("exit status %d, want %d", r.code, test.code)
			}
			for _, stream := range []struct{ name, want, have string }{
				{"standard output", test.stdout, r.stdout},
				{"standard error", test.stderr, r.stderr},
			} {
				if stream.want == "-" && stream.have != "" || !strings.Contains(stream.have, strings.TrimPrefix(stream.want, "-")) &&
					stream.want != "-" {
					t.Errorf("%s is %q, want %q", stream.name, stream.have, stream.want)
				}
			}
			if r.code == exitUsage && test.args != "" && strings.Count(r.stderr, "\n") > 2 {
				t.Errorf("more than two lines about a slip on the command line:\n%s", r.stderr)
			}
		})
	}
}

func TestEmptyArgumentIsNamed(t *testing.T) {
	if r := runWith("", "lint", ""); r.code != exitInput || !strings.HasPrefix(r.stdout, `"": error: no such file`) {
		t.Errorf("exit status %d\n%s", r.code, r.stdout)
	}
}

func TestManualOfGenerateListsEveryFunction(t *testing.T) {
	text := runWith("", "help", "generate").stdout
	for _, f := range generator.DescribeFeatures() {
		mark := " "
		if f.Default {
			mark = "*"
		}
		if line := fmt.Sprintf("\n    %s %-12s %-24s %s\n", mark, f.Name, f.Function, f.Summary); !strings.Contains(text, line) {
			t.Errorf("no line %q in\n%s", line, text)
		}
	}
}

func TestErrorsDecideTheExitStatus(t *testing.T) {
	tests := []struct {
		err  error
		code int
		text string
	}{
		{nil, 0, ""},
		{cli.ErrFindings, 1, ""},
		{fmt.Errorf("lint: %w", cli.ErrFindings), 1, ""},
		{errors.New("what you gave\x1b[31m"), 1, "prune-gen x: what you gave\\x1b[31m\n"},
		{&cli.UsageError{Message: "what you typed", Hint: "Type something else."}, 2, "prune-gen x: what you typed\nType something else.\n"},
		{&cli.InternalError{Err: errors.New("what we did")}, 3, "prune-gen x: what we did\n"},
		{&fs.PathError{Op: "create", Path: "x", Err: fs.ErrPermission}, 1, "prune-gen x: create x: permission denied\n"},
	}
	for _, test := range tests {
		var w bytes.Buffer
		if code := exitCode(&w, "prune-gen x", test.err); code != test.code || w.String() != test.text {
			t.Errorf("%v: exit status %d with %q, want %d with %q", test.err, code, w.String(), test.code, test.text)
		}
	}
}

// failingWriter is a full disk.
type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestPanicIsReportedWithoutAStack(t *testing.T) {
	// A reader that panics stands for a bug: it is deep inside the work on a file.
	broken := readerFunc(func([]byte) (int, error) { panic("index out of range\x1b[31m") })
	for _, debug := range []string{"", "1"} {
		t.Setenv("PRUNE_GEN_DEBUG", debug)
		var stdout, stderr bytes.Buffer
		if code := execute([]string{"lint", "-"}, broken, &stdout, &stderr); code != exitOurs {
			t.Errorf("exit status %d", code)
		}
		text := stderr.String()
		wantClean(t, "the report", strings.ReplaceAll(text, "\t", " "))
		for _, part := range []string{`internal error at <stdin>: index out of range\x1b[31m`, "Please report it", cli.IssuesURL} {
			if !strings.Contains(text, part) {
				t.Errorf("no %q in\n%s", part, text)
			}
		}
		const want = "prune-gen: internal error at <stdin>: index out of range\\x1b[31m\n" +
			"This is a bug in prune-gen. Please report it, with the input that shows it: https://github.com/prune-gen/prune-gen/issues\n"
		if rest, ok := strings.CutPrefix(text, want); !ok || debug == "" && rest != "Set PRUNE_GEN_DEBUG=1 to print the stack.\n" || debug != "" && strings.Contains(rest, "PRUNE_GEN_DEBUG") {
			t.Errorf("with PRUNE_GEN_DEBUG=%q it is\n%s", debug, text)
		}
		if has := strings.Contains(text, "execute_test.go"); has != (debug != "") {
			t.Errorf("with PRUNE_GEN_DEBUG=%q the stack is there: %t\n%s", debug, has, text)
		}
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
