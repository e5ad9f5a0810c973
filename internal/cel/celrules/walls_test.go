package celrules_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNothingElseImportsCEL keeps cel-go in this package, and with it 80 packages out of programs that do not check rules.
func TestNothingElseImportsCEL(t *testing.T) {
	const root = "../../.."
	here := 0
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil && name != root {
				return fs.SkipDir // a module of its own
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return nil // a test of what does not parse
		}
		for _, spec := range f.Imports {
			if !strings.HasPrefix(spec.Path.Value, `"github.com/google/cel-go`) {
				continue
			}
			if filepath.Dir(name) == filepath.Join(root, "internal", "celrules") {
				here++
				continue
			}
			t.Errorf("%s imports %s", name, spec.Path.Value)
		}
		return nil
	})
	if err != nil || here == 0 {
		t.Errorf("%d imports here, %v", here, err)
	}
}
