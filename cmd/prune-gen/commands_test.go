package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
)

// visible returns the commands that people see.
func visible() []*cobra.Command {
	var all []*cobra.Command
	for _, c := range newRoot(&cli.Environment{}).Commands() {
		if !c.Hidden {
			all = append(all, c)
		}
	}
	return all
}

// with returns the names of the commands that have a flag.
func with(flag string) (names []string) {
	for _, c := range visible() {
		if c.Flags().Lookup(flag) != nil {
			names = append(names, c.Name())
		}
	}
	return names
}

// formatsOf returns the values of --output of a command.
func formatsOf(t *testing.T, command string) []string {
	t.Helper()
	for _, c := range visible() {
		if f := c.Flags().Lookup("output"); c.Name() == command && f != nil {
			return strings.Split(f.Value.Type(), "|")
		}
	}
	t.Fatalf("%s has no flag --output", command)
	return nil
}

// calls has the command line of each command with --output for a directory with the files of inCalls.
var calls = map[string]string{
	"generate": "generate --output-dir out crds",
	"verify":   "verify --output-dir out crds",
	"lint":     "lint crds",
	"validate": "validate --crd crds object.yaml",
	"prune":    "prune --crd crds object.yaml",
	"explain":  "explain --tree-only crds",
	"diff":     "diff crds crds object.yaml",
	"test":     "test --crd crds suite.yaml",
	"schema":   "schema crds",
	"skeleton": "skeleton crds",
	"project":  "project --crd crds --keep keep --output-dir out",
}

// eachCall calls do with the command line of each command, in each of its formats, in a directory with a CRD. Its object, its suite and its
// list are about Thing.
func eachCall(t *testing.T, crd string, do func(t *testing.T, args []string)) {
	t.Helper()
	if have, want := len(calls), len(with("output")); have != want {
		t.Fatalf("there are calls of %d commands, and %d have --output", have, want)
	}
	for _, name := range with("output") {
		if name == "project" && testing.Short() { // it compiles for a second
			continue
		}
		for _, format := range formatsOf(t, name) {
			t.Run(name+" "+format, func(t *testing.T) {
				inModule(t, map[string]string{"crds/crd.yaml": crd, "object.yaml": thing("a", "abc"), "keep": "field\n",
					"suite.yaml": "crdName: things.example.com\ntests: {onCreate: [{name: a, initial: '{apiVersion: example.com/v1, kind: Thing}', expected: '{}'}]}\n"})
				do(t, append(strings.Fields(calls[name]), "--output", format))
			})
		}
	}
}

// What machines read says which form it has.
func TestJSONHasAVersion(t *testing.T) {
	eachCall(t, crd("things", goodField), func(t *testing.T, args []string) {
		if args[len(args)-1] != "json" || args[0] == "schema" || args[0] == "skeleton" || args[0] == "prune" { // which print other things
			return
		}
		r := runWith("", args...)
		var out struct{ Version int }
		if err := json.Unmarshal([]byte(r.stdout), &out); err != nil || out.Version != 1 {
			t.Errorf("version %d (%v) of\n%s%s", out.Version, err, r.stdout, r.stderr)
		}
	})
}

func TestOutputThatCannotBeWrittenIsTheFaultOfTheDisk(t *testing.T) {
	failing := func(t *testing.T, args []string) {
		var stderr bytes.Buffer
		if code := execute(args, strings.NewReader(""), failingWriter{}, &stderr); code != exitInput || !strings.Contains(stderr.String(), "no space left on device") {
			t.Errorf("exit status %d, %q", code, stderr.String())
		}
	}
	eachCall(t, crd("things", goodField), failing)
	failing(t, []string{"version"})
}

// Every command has a transcript, with JSON if it prints that.
func TestEveryCommandHasATranscript(t *testing.T) {
	var all strings.Builder
	names, err := filepath.Glob("transcripts/*.txt")
	for _, name := range names {
		text, readErr := os.ReadFile(name)
		if all.Write(text); readErr != nil {
			err = readErr
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range visible() {
		if c.Name() == "version" { // which is another one in each release
			continue
		}
		line := `(?m)^\$ prune-gen (help )?` + c.Name() + `\b`
		if c.Flags().Lookup("output") != nil && c.Name() != "project" { // whose findings are those of verify
			line += ".* --output json"
		}
		if !regexp.MustCompile(line).MatchString(all.String()) {
			t.Errorf("no transcript has %s", line)
		}
	}
}

// The documentation of the program lists the commands with their summaries. Their flags are in their own manuals.
func TestManualListsTheCommands(t *testing.T) {
	source, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(source), "// The commands are:\n//\n")
	list, _, _ = strings.Cut(list, "//\n")
	var have, want []string
	for line := range strings.Lines(list) {
		have = append(have, strings.Join(strings.Fields(line), " "))
	}
	for _, c := range visible() {
		want = append(want, "// "+c.Name()+" "+c.Short)
	}
	if !slices.Equal(have, want) {
		t.Errorf("main.go lists\n%s\nwant\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
}

// What reads untrusted input is tried with hostile files.
func TestHostileFilesAreForAllCommands(t *testing.T) {
	var have []string
	for _, line := range slices.Concat(hostileCommands["crds"], hostileCommands["manifests"]) {
		have = append(have, strings.Fields(line)[0])
	}
	for _, name := range with("limit") {
		if !slices.Contains(have, name) && name != "lsp" { // it reads by the code of lint, validate and test
			t.Errorf("%s is not tried with hostile files", name)
		}
	}
}
