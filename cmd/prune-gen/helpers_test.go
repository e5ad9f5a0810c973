package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/internal/generate/typecheck"
	"github.com/prune-gen/prune-gen/structural"
)

// modulePath is the module of the runtime.
const modulePath = "github.com/prune-gen/prune-gen"

// result is the output and the exit status of a run.
type result struct {
	code           int
	stdout, stderr string
}

// runWith runs the program with the given standard input.
func runWith(stdin string, args ...string) result {
	var stdout, stderr bytes.Buffer
	code := execute(args, strings.NewReader(stdin), &stdout, &stderr)
	return result{code, stdout.String(), stderr.String()}
}

// write puts files below a new directory and returns it.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// crd returns a CRD of the given plural name with one field, whose schema is field.
func crd(plural, field string) string {
	return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ` + plural + `.example.com
spec:
  group: example.com
  scope: Namespaced
  names:
    kind: Thing
    plural: ` + plural + `
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          field: ` + field + `
`
}

const (
	goodField = "{type: string}"
	badField  = "{minLength: 1}"
)

// wantClean fails when text has a character in it that a terminal acts on, apart from the ends of lines.
func wantClean(t *testing.T, what, text string) {
	t.Helper()
	for i, r := range text {
		switch {
		case r == '\n':
		case r == utf8.RuneError, r < 0x20, r >= 0x7f && r < 0xa0, r >= 0x202a && r <= 0x202e, r == 0x2028, r == 0x2029:
			t.Fatalf("%s has the character %U at %d: %q", what, r, i, text[max(0, i-40):min(len(text), i+40)])
		}
	}
}

// readFindings reads what --output json prints.
func readFindings(t *testing.T, text string) []structural.Finding {
	t.Helper()
	var report struct {
		Findings []structural.Finding `json:"findings"`
	}
	if err := json.Unmarshal([]byte(text), &report); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return report.Findings
}

// kindCRD returns a CRD of a kind with the given versions, each of which has one field in its spec.
func kindCRD(kind string, versions ...string) string {
	plural := strings.ToLower(kind) + "s"
	var b strings.Builder
	fmt.Fprintf(&b, `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: %[1]s.example.com
spec:
  group: example.com
  scope: Namespaced
  names:
    kind: %[2]s
    plural: %[1]s
  versions:
`, plural, kind)
	for i, v := range versions {
		fmt.Fprintf(&b, `  - name: %s
    served: true
    storage: %t
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              field: {type: string}
`, v, i == 0)
	}
	return b.String()
}

// pruneOnly asks for the features of the first pass alone. With it a kind has one file, whatever other features there are.
const pruneOnly = "--emit-only=prune,report"

const bareModule = "module example.com/app\n\ngo 1.26.0\n"

// repository is the root of this one. Tests change the directory, so it is looked up before.
var repository = func() string {
	root, err := filepath.Abs("../..")
	if err != nil {
		panic(err)
	}
	return root
}()

// runtimeModule returns a go.mod that has the runtime of this repository, with the go.sum for it.
func runtimeModule(t *testing.T) (mod, sum string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	return bareModule + "\nrequire " + modulePath + " v0.0.0\n\nreplace " + modulePath + " => " + repository + "\n", string(text)
}

// outdatedRuntime returns the files of a module that requires a runtime from before there were any names in it.
func outdatedRuntime() map[string]string {
	files := map[string]string{
		"go.mod":     bareModule + "require " + modulePath + " v0.0.1\n\nreplace " + modulePath + " => ./old\n",
		"old/go.mod": "module " + modulePath + "\n\ngo 1.21\n",
	}
	for _, pkg := range typecheck.RuntimePaths() {
		files["old"+strings.TrimPrefix(pkg, modulePath)+"/empty.go"] = "package " + path.Base(pkg) + "\n"
	}
	return files
}

// inModule puts files below a new directory with a module that requires the runtime, and goes there.
func inModule(t *testing.T, files map[string]string) {
	t.Helper()
	mod, sum := runtimeModule(t)
	all := map[string]string{"go.mod": mod, "go.sum": sum}
	for name, text := range files {
		all[name] = text
	}
	t.Chdir(write(t, all))
}

// contents returns the texts of all files below the current directory, apart from those of the module.
func contents(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(os.DirFS("."), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path == "go.mod" || path == "go.sum" {
			return err
		}
		if !d.Type().IsRegular() {
			all[path] = d.Type().String()
			return nil
		}
		text, err := os.ReadFile(path)
		all[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// generated returns the names of those that have names like ours.
func generated(t *testing.T) string {
	t.Helper()
	var names []string
	for _, path := range slices.Sorted(maps.Keys(contents(t))) {
		if generator.IsFileName(filepath.Base(path)) {
			names = append(names, path)
		}
	}
	return strings.Join(names, " ")
}

// wantRun runs the program and fails unless it exits with code, and stdout and stderr have the given parts in them; -
// stands for nothing at all.
func wantRun(t *testing.T, code int, stdout, stderr string, args ...string) result {
	t.Helper()
	r := runWith("", args...)
	if r.code != code {
		t.Errorf("%q: exit status %d, want %d", args, r.code, code)
	}
	for _, stream := range []struct{ name, want, have string }{{"standard output", stdout, r.stdout}, {"standard error", stderr, r.stderr}} {
		if stream.want == "-" && stream.have != "" || stream.want != "-" && !strings.Contains(stream.have, stream.want) {
			t.Errorf("%q: %s is\n%s\nwant %q", args, stream.name, stream.have, stream.want)
		}
	}
	return r
}
