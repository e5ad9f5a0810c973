package rules

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/hack/conformance/scratch"
	"github.com/prune-gen/prune-gen/internal/testsize"
)

// foreign are tests of Kubernetes, which stay in the module cache. An overlay shows their package as one of this module, with changes.
type foreign struct {
	pkg   string   // the package of Kubernetes
	files []string // its test files
	// alone says that the tests are from outside of their package, so that only they are shown.
	alone bool
	// dropped are declarations that the files are shown without, and without the imports that only these need.
	dropped []string
	// edits are replacements in files, by name. Each must be found.
	edits map[string][][2]string
	// added are further files, by name.
	added map[string]string
	run   string // the tests to run
}

// answers runs the tests, and returns the lines that they wrote to the file that CONFORMANCE_ANSWERS names.
func (f foreign) answers(t *testing.T) [][]byte {
	t.Helper()
	testsize.Large(t, "compiles tests of Kubernetes")
	root, err := scratch.ModuleRoot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	list := exec.CommandContext(t.Context(), "go", "list", "-find", "-f", `{{.Dir}}{{range .GoFiles}} {{.}}{{end}}`, f.pkg)
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
		if f.dropped != nil {
			source = withoutDeclarations(t, source, f.dropped)
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

// withoutDeclarations returns a source without some functions, methods and types. A method is named as in Type.Method.
func withoutDeclarations(t *testing.T, source []byte, names []string) []byte {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	dropped := 0
	file.Decls = slices.DeleteFunc(file.Decls, func(d ast.Decl) bool {
		found := slices.Contains(names, declared(d))
		if found {
			dropped++
		}
		return found
	})
	if dropped != len(names) {
		t.Fatalf("%d of %q are declared", dropped, names)
	}
	used := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok {
				used[id.Name] = true
			}
		}
		return true
	})
	for _, d := range file.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.IMPORT {
			d.Specs = slices.DeleteFunc(d.Specs, func(s ast.Spec) bool {
				i := s.(*ast.ImportSpec)
				name := path.Base(strings.Trim(i.Path.Value, `"`))
				if i.Name != nil {
					name = i.Name.Name
				}
				return !used[name]
			})
		}
	}
	var out bytes.Buffer
	if err := format.Node(&out, files, file); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// declared returns the name of a function, a method or a type.
func declared(d ast.Decl) string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil {
			if receiver, ok := d.Recv.List[0].Type.(*ast.Ident); ok {
				return receiver.Name + "." + d.Name.Name
			}
		}
		return d.Name.Name
	case *ast.GenDecl:
		if len(d.Specs) == 1 {
			if s, ok := d.Specs[0].(*ast.TypeSpec); ok {
				return s.Name.Name
			}
		}
	}
	return ""
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
