package internal_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// floors are the rooms of this folder. Each imports only those before it, so that they can be read from the first to the last.
var floors = []string{"base", "text", "crd", "cel", "answer", "explain", "lint", "suite", "editor", "generate", "conformance"}

// mostArrows is how many pairs of rooms there may be of which one imports the other.
const mostArrows = 35

const module = "github.com/prune-gen/prune-gen/"

func TestRoomsImportOnlyThoseBelow(t *testing.T) {
	arrows := map[[2]string]string{}
	rooms := map[string]bool{}
	eachImport(t, ".", func(file, path string) {
		room, _, _ := strings.Cut(file, "/")
		if room == "testing" || strings.HasSuffix(file, "_test.go") {
			return
		}
		rooms[room] = true
		below, isRoom := strings.CutPrefix(path, module+"internal/")
		if below, _, _ = strings.Cut(below, "/"); !isRoom || below == room {
			return
		}
		arrows[[2]string{room, below}] = file
		if slices.Index(floors, below) >= slices.Index(floors, room) {
			t.Errorf("%s imports %s, which is not below", file, path)
		}
	})
	if len(arrows) > mostArrows {
		t.Errorf("%d arrows: %v", len(arrows), arrows)
	}
	for room := range rooms {
		if !slices.Contains(floors, room) {
			t.Errorf("internal/%s is on no floor", room)
		} else if _, err := os.Stat(filepath.Join(room, "doc.go")); err != nil {
			t.Errorf("nothing says what the room is for: %v", err)
		}
	}
	if len(rooms) != len(floors) {
		t.Errorf("%d rooms, %d floors", len(rooms), len(floors))
	}
}

// The model knows no texts, no limits of a run and no server.
func TestTheModelImportsOnlyTheBottomRoom(t *testing.T) {
	eachImport(t, "../structural", func(file, path string) {
		inside := strings.HasPrefix(path, module) && !strings.HasPrefix(path, module+"runtime") && !strings.HasPrefix(path, module+"internal/base/")
		if filepath.Dir(file) == "." && !strings.HasSuffix(file, "_test.go") && (inside || path == module+"internal/base/meter") {
			t.Errorf("structural/%s imports %s", file, path)
		}
	})
}

// Emitters print what a plan says. They cannot ask a schema: neither they nor the plan import anything that knows one.
func TestNeitherPlansNorEmittersKnowSchemas(t *testing.T) {
	for dir, allowed := range map[string][]string{
		"plan": {module + "runtime", module + "runtime/kubeversion", module + "runtime/prunecel"}, // the table of a rule is that of the runtime
		"emit": {"github.com/dave/jennifer/jen", module + "generator/internal/plan", module + "internal/base/gosource"},
	} {
		eachImport(t, "../generator/internal/"+dir, func(file, path string) {
			if strings.Contains(path, ".") && !slices.Contains(allowed, path) {
				t.Errorf("%s/%s imports %s", dir, file, path)
			}
		})
	}
}

// A reference that decides what generated code does agrees with it, right or wrong.
func TestLoweringAsksNoReference(t *testing.T) {
	eachImport(t, "../generator/internal/lower", func(file, path string) {
		if strings.HasPrefix(path, module+"internal/answer/interpret") && !strings.HasSuffix(file, "_test.go") {
			t.Errorf("lower/%s imports %s", file, path)
		}
	})
}

// Only the compiler of CEL rules imports cel-go, which is larger than all of this.
func TestOnlyTheCompilerImportsCEL(t *testing.T) {
	eachImport(t, "..", func(file, path string) {
		if strings.HasPrefix(path, "github.com/google/cel-go") && !strings.HasPrefix(file, "internal/cel/celrules/") && !strings.HasPrefix(file, "hack/") {
			t.Errorf("%s imports %s", file, path)
		}
	})
}

// eachImport calls f with the imports of the Go files below a directory. Other modules and files of tests are left out.
func eachImport(t *testing.T, dir string, f func(file, path string)) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if _, err := os.Stat(filepath.Join(name, "go.mod")); name != dir && (err == nil || d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") || d.Name() == "build" || d.Name() == "node_modules") {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Ext(name) != ".go" {
			return nil
		}
		files++
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			f(rel, path)
		}
		return nil
	})
	if err != nil || files == 0 {
		t.Fatalf("%s: %d files, %v", dir, files, err)
	}
}
