package generator

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/prune-gen/prune-gen/"

// Emitters print what a plan says. They cannot ask a schema: neither they nor the plan import anything that knows one.
func TestNeitherPlansNorEmittersKnowSchemas(t *testing.T) {
	for dir, allowed := range map[string][]string{
		"internal/plan": {module + "runtime", module + "runtime/kubeversion"},
		"internal/emit": {"github.com/dave/jennifer/jen", module + "generator/internal/plan"},
	} {
		eachImport(t, dir, func(file, path string) {
			if strings.Contains(path, ".") && !slices.Contains(allowed, path) {
				t.Errorf("%s imports %s", file, path)
			}
		})
	}
}

// A reference that decides what generated code does agrees with it, right or wrong.
func TestLoweringAsksNoReference(t *testing.T) {
	eachImport(t, "internal/lower", func(file, path string) {
		if strings.HasPrefix(path, module+"internal/answer/interpret") && !strings.HasSuffix(file, "_test.go") {
			t.Errorf("%s imports %s", file, path)
		}
	})
}

// eachImport calls f with the imports of the files in a directory.
func eachImport(t *testing.T, dir string, f func(file, path string)) {
	files, err := filepath.Glob(dir + "/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %d files, %v", dir, len(files), err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range file.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			f(name, path)
		}
	}
}
