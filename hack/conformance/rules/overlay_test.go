package rules

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/hack/conformance/scratch"
)

// foreign are tests of Kubernetes, which stay in the module cache. An overlay shows their package as one of this module, with changes.
type foreign struct {
	pkg   string   // the package of Kubernetes
	files []string // its test files
	// alone says that the tests are from outside of their package, so that only they are shown.
	alone bool
	// edits are replacements in files, by name. Each must be found.
	edits map[string][][2]string
	// added are further files, by name.
	added map[string]string
	run   string // the tests to run
}

// answers runs the tests, and returns the lines that they wrote to the file that CONFORMANCE_ANSWERS names.
func (f foreign) answers(t *testing.T) [][]byte {
	t.Helper()
	root, err := scratch.ModuleRoot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	list := exec.CommandContext(t.Context(), "go", "list", "-f", `{{.Dir}}{{range .GoFiles}} {{.}}{{end}}`, f.pkg)
	list.Dir = root
	found, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(string(found))
	names := slices.Clone(f.files)
	if !f.alone {
		names = append(names, words[1:]...)
	}
	temp := t.TempDir()
	overlay := scratch.Overlay{Replace: map[string]string{}}
	write := func(name string, data []byte) string {
		file := filepath.Join(temp, name)
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	const folder = "generated/celtests"
	for _, name := range names {
		source, err := os.ReadFile(filepath.Join(words[0], name))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range f.edits[name] {
			if !bytes.Contains(source, []byte(r[0])) {
				t.Fatalf("%s has no %q", name, r[0])
			}
			source = bytes.ReplaceAll(source, []byte(r[0]), []byte(r[1]))
		}
		overlay.Replace[filepath.Join(root, folder, name)] = write(name, source)
	}
	for name, source := range f.added {
		overlay.Replace[filepath.Join(root, folder, name)] = write(name, []byte(source))
	}
	data, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	overlayFile := write("overlay.json", data)
	// The tests import what nothing else in this module does: a copy of go.mod may learn of that.
	for _, name := range []string{"go.sum", "go.mod"} {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		write(name, data)
	}
	program := filepath.Join(temp, "program")
	build := exec.CommandContext(t.Context(), "go", "test", "-c", "-vet=off", "-ldflags=-w", "-modfile", filepath.Join(temp, "go.mod"), "-mod=mod", "-overlay", overlayFile,
		"-o", program, "./"+folder)
	build.Dir = root
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%.4000s", err, text)
	}
	run := exec.CommandContext(t.Context(), program, "-test.run", f.run, "-test.parallel=1")
	run.Dir = words[0] // where the tests find files
	answers := filepath.Join(temp, "answers")
	run.Env = append(run.Environ(), "CONFORMANCE_ANSWERS="+answers)
	if text, err := run.CombinedOutput(); err != nil {
		t.Errorf("%v\n%.4000s", err, text)
	}
	data, err = os.ReadFile(answers)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
}

// answer is the source of a function with which tests write a line.
const answer = `
func answer(v any) {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	f, err := os.OpenFile(os.Getenv("CONFORMANCE_ANSWERS"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	if _, err := f.Write(append(data, '\n')); err != nil {
		panic(err)
	}
}
`
