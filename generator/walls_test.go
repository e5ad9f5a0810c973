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

// Emitters print what a plan says. They cannot ask a schema: neither they nor the plan import anything that knows one.
func TestNeitherPlansNorEmittersKnowSchemas(t *testing.T) {
	const module = "github.com/prune-gen/prune-gen/"
	for dir, allowed := range map[string][]string{
		"internal/plan": {module + "runtime"},
		"internal/emit": {"github.com/dave/jennifer/jen", module + "generator/internal/plan"},
	} {
		files, err := filepath.Glob(dir + "/*.go")
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", dir, len(files), err)
		}
		for _, name := range files {
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, spec := range f.Imports {
				path, _ := strconv.Unquote(spec.Path.Value)
				if strings.Contains(path, ".") && !slices.Contains(allowed, path) {
					t.Errorf("%s imports %s", name, path)
				}
			}
		}
	}
}
