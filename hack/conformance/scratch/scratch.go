// Package scratch shows files to the Go command that are not in the repository: an overlay puts temporary files where those of this
// module would be. What did not change is not compiled again.
package scratch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/internal/testing/gocmd"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// Module is the path of this module.
const Module = "github.com/prune-gen/prune-gen/hack/conformance"

// Go runs the Go command in a folder and returns what it prints.
func Go(t testing.TB, dir string, args ...string) []byte {
	t.Helper()
	cmd := gocmd.Command(t, dir, nil, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %.200q: %v\n%.4000s%.4000s", args, err, out, stderr.String())
	}
	return out
}

// ModuleRoot returns the folder of this module's go.mod.
func ModuleRoot(t testing.TB) string {
	t.Helper()
	return strings.TrimSpace(string(Go(t, "", "list", "-m", "-f", "{{.Dir}}", Module)))
}

// modFile returns the mod file that has the version of Kubernetes that is linked, and the build tag that goes with it.
func modFile(root string) (file, tag string) {
	tag = fmt.Sprintf("v0.%d", kube.Minor())
	file = filepath.Join(root, "kubernetes", tag+".mod")
	if _, err := os.Stat(file); err != nil {
		return filepath.Join(root, "go.mod"), ""
	}
	return file, tag
}

// Newest skips a test of what only the newest version of Kubernetes answers, if an older one is linked.
func Newest(t testing.TB, why string) {
	t.Helper()
	if _, tag := modFile(ModuleRoot(t)); tag != "" {
		t.Skipf("Kubernetes %s: %s", tag, why)
	}
}

// Overlay returns the flags with which the Go command, run in root, sees files of this module as well, by their names in it.
func Overlay(t testing.TB, root string, files map[string][]byte, tags ...string) []string {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		file := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for name, data := range files {
		overlay.Replace[filepath.Join(root, name)] = write(name, data)
	}
	data, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	overlayFile := write("overlay.json", data)
	// The files may import what nothing else in this module does: a copy of go.mod may learn of that.
	file, tag := modFile(root)
	for _, ext := range []string{".sum", ".mod"} {
		data, err := os.ReadFile(strings.TrimSuffix(file, ".mod") + ext)
		if err != nil {
			t.Fatal(err)
		}
		write("go"+ext, data)
	}
	// Linking takes half as long without what a debugger needs.
	return []string{"-vet=off", "-ldflags=-w", "-modfile", filepath.Join(dir, "go.mod"), "-mod=mod", "-tags", strings.Join(append(tags, tag), ","), "-overlay", overlayFile}
}

// Foreign are tests of Kubernetes, which stay in the module cache. An overlay shows their package as one of this module, with changes.
type Foreign struct {
	Package string   // the package of Kubernetes
	Files   []string // its test files
	// Alone says that the tests are from outside of their package, so that only they are shown.
	Alone bool
	// Change returns what a file is shown as, nil for no change.
	Change func(source []byte) []byte
	// Edits are replacements in files, by name. Each must be found.
	Edits map[string][][2]string
	// Added are further files, by name, one of them with the text Answer.
	Added map[string]string
	Run   string // the tests to run
}

// Answers runs the tests, and returns the lines that they wrote with the function answer.
func (f Foreign) Answers(t testing.TB) [][]byte {
	t.Helper()
	testsize.Large(t, "compiles tests of Kubernetes")
	Newest(t, "its tests are changed where the newest ones have these lines")
	root := ModuleRoot(t)
	words := strings.Fields(string(Go(t, root, "list", "-find", "-f", `{{.Dir}}{{range .GoFiles}} {{.}}{{end}}`, f.Package)))
	names := f.Files
	if !f.Alone {
		names = append(words[1:], names...)
	}
	const folder = "generated/foreign"
	files := map[string][]byte{}
	for _, name := range names {
		source, err := os.ReadFile(filepath.Join(words[0], name))
		if err != nil {
			t.Fatal(err)
		}
		if f.Change != nil {
			source = f.Change(source)
		}
		for _, r := range f.Edits[name] {
			if !bytes.Contains(source, []byte(r[0])) {
				t.Fatalf("%s has no %q", name, r[0])
			}
			source = bytes.ReplaceAll(source, []byte(r[0]), []byte(r[1]))
		}
		files[folder+"/"+name] = source
	}
	for name, source := range f.Added {
		files[folder+"/"+name] = []byte(source)
	}
	// Built and run apart: there is no such folder to run the tests in.
	program := filepath.Join(t.TempDir(), "program")
	args := append([]string{"test", "-c", "-o", program}, Overlay(t, root, files)...)
	Go(t, root, append(args, "./"+folder)...)
	run := exec.CommandContext(t.Context(), program, "-test.run", f.Run, "-test.parallel=1")
	run.Dir = words[0] // where the tests find files
	answers := filepath.Join(t.TempDir(), "answers")
	run.Env = append(run.Environ(), "CONFORMANCE_ANSWERS="+answers)
	if text, err := run.CombinedOutput(); err != nil {
		t.Errorf("%v\n%.4000s", err, text)
	}
	data, err := os.ReadFile(answers)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
}

// Answer is the source of a function with which tests write a line.
const Answer = `
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
