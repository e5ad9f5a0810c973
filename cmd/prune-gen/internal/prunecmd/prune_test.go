package prunecmd

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"sigs.k8s.io/yaml"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/internal/answer/builtin"
)

const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {kind: Thing, plural: things, singular: thing, listKind: ThingList}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {type: string}}}}}
`

func TestMain(m *testing.M) {
	os.Setenv(builtin.Variable, "none") // the results are the same for those who have it
	os.Exit(m.Run())
}

// run runs the command on standard input.
func run(t *testing.T, stdin io.Reader, stdoutTerminal bool, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "crd.yaml")
	if err := os.WriteFile(file, []byte(crd), 0o666); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	env := &cli.Environment{Stdin: stdin, Stdout: bufio.NewWriter(&out), Stderr: &errs, StdoutTerminal: stdoutTerminal}
	cmd := Command(env)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(append([]string{"--crd", file}, args...))
	err = cmd.Execute()
	env.Stdout.Flush()
	return out.String(), errs.String(), err
}

// What a terminal would act on is escaped for terminals, which also get an end of the last line. Others get every byte.
func TestTerminalsGetTextThatIsSafe(t *testing.T) {
	const yaml = "apiVersion: example.com/v1\nkind: Thing\nb: c\na: 'é\u202e31m'"
	for _, test := range []struct {
		terminal   bool
		args, want string
	}{
		{true, "-", "apiVersion: example.com/v1\nkind: Thing\na: 'é\\u202e31m'\n"},
		{false, "-", "apiVersion: example.com/v1\nkind: Thing\na: 'é\u202e31m'"},
		{true, "--diff --color never -", "--- <stdin>\n+++ <stdin>\n@@ -1,4 +1,3 @@\n apiVersion: example.com/v1\n kind: Thing\n-b: c\n a: 'é\\u202e31m'\n\\ No newline at end of file\n"},
	} {
		stdout, stderr, err := run(t, strings.NewReader(yaml), test.terminal, strings.Fields(test.args)...)
		if stdout != test.want || stderr != "" || err != nil {
			t.Errorf("terminal %t, %s: %q, want %q\n%s%v", test.terminal, test.args, stdout, test.want, stderr, err)
		}
	}
}

// A stream that breaks off is an error, and nothing of it is printed, whether it is JSON or YAML.
func TestStreamsThatBreakAreReported(t *testing.T) {
	broken := errors.New("the stream broke")
	for _, text := range []string{"", `{"apiVersion": "example.com/v1", "kind": "Thing"`, "apiVersion: example.com/v1\nkind: Thing\n"} {
		for _, args := range []string{"-", "--diff -", "--normalize -"} {
			stdout, stderr, err := run(t, io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)), false, strings.Fields(args)...)
			if stdout != "" || !strings.HasPrefix(stderr, "<stdin>: error: the stream broke [text/unreadable]\n") || !errors.Is(err, cli.ErrFindings) {
				t.Errorf("%s of %q: %v\n%s%s", args, text, err, stdout, stderr)
			}
		}
	}
}

// Indentation of what is nested deeply takes more room than the document. Both ways of writing it are YAML.
func TestDeepDocumentsAreWrittenInOneLine(t *testing.T) {
	for _, depth := range []int{deepestIndented, deepestIndented + 1} {
		var doc any = "x"
		for i := range depth {
			if i%2 == 0 {
				doc = []any{doc}
			} else {
				doc = map[string]any{"a": doc}
			}
		}
		deep := depth > deepestIndented
		asYAML, err := printed([]any{doc, doc}, []byte("a: 1"))
		if err != nil {
			t.Fatal(err)
		}
		one, two, ok := strings.Cut(string(asYAML), "---\n")
		if !ok || one != two || strings.Count(one, "\n") == 1 != deep {
			t.Errorf("%d levels in YAML: %.300s", depth, asYAML)
		}
		var again any
		if err := yaml.Unmarshal([]byte(one), &again); err != nil || !reflect.DeepEqual(again, doc) {
			t.Errorf("%d levels in YAML: another document is read, %v", depth, err)
		}
		asJSON, err := printed([]any{doc, doc}, []byte("{}"))
		if err != nil || strings.Count(string(asJSON), "\n") == 2 != deep || deep != (string(asJSON) == one+two) {
			t.Errorf("%d levels in JSON: %.300s, %v", depth, asJSON, err)
		}
	}
}
