package editors

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

const root = "../.."

var update = flag.Bool("update", false, "write the tables of docs/editors.md")

// binDir is where prune-gen is built.
var binDir = filepath.Join(os.TempDir(), fmt.Sprintf("prune-gen-editors-%d", os.Getpid()))

var build = sync.OnceValues(func() (string, error) {
	bin := filepath.Join(binDir, "prune-gen")
	cmd := exec.Command("go", "build", "-o", bin, "./cmd/prune-gen")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build: %w\n%s", err, out)
	}
	return bin, nil
})

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	os.RemoveAll(binDir)
	os.Exit(code)
}

// pruneGen builds prune-gen once.
func pruneGen(t *testing.T) string {
	t.Helper()
	bin, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return bin
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
