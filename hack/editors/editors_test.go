package editors

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/gocmd"
)

const root = "../.."

var update = flag.Bool("update", false, "write the tables of docs/editors.md")

// pruneGen builds prune-gen.
func pruneGen(t *testing.T) string {
	t.Helper()
	return gocmd.Build(t, ".", "./cmd/prune-gen")
}

// write writes a file below a directory.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	file := filepath.Join(dir, name)
	err := os.MkdirAll(filepath.Dir(file), 0o777)
	if err == nil {
		err = os.WriteFile(file, []byte(text), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// read reads a file of the repository.
func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
