package modules

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// What is made for tests is imported by tests only: by their files, by its own packages, and by what is in hack.
func TestOnlyTestsImportWhatIsMadeForThem(t *testing.T) {
	const made = "internal/testing/"
	imports := 0
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git"):
			return filepath.SkipDir
		case !strings.HasSuffix(file, ".go"):
			return nil
		}
		name, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range f.Imports {
			if !strings.HasPrefix(spec.Path.Value, `"`+path+"/"+made) {
				continue
			}
			imports++
			if name = filepath.ToSlash(name); !strings.HasSuffix(name, "_test.go") && !below(name, made, "hack/") {
				t.Errorf("%s, which is not a test, imports %s", name, spec.Path.Value)
			}
		}
		return nil
	})
	if err != nil || imports < 100 {
		t.Errorf("found %d imports: %v", imports, err)
	}
}

func below(name string, folders ...string) bool {
	for _, folder := range folders {
		if strings.HasPrefix(name, folder) {
			return true
		}
	}
	return false
}
