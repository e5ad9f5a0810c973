package conformance

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

const root = "../.."

// suite returns the files of the suite.
func suite(t *testing.T) []*File {
	t.Helper()
	files, err := Read(filepath.Join(root, "conformance"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// asked returns the results of a program, with all that it says on standard error.
func asked(t *testing.T, files []*File, version kubeversion.Version, program ...string) map[string]*Answer {
	t.Helper()
	var stderr bytes.Buffer
	answers, err := (&Program{Command: program, Within: time.Hour, Stderr: &stderr}).Ask(Questions(files, version))
	if err != nil {
		t.Fatalf("%s: %v\n%s", version, err, stderr.String())
	}
	return answers
}

// written writes files of a suite and returns its directory.
func written(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// lines returns the lines of a file of known failures.
func lines(t *testing.T, file string) map[string]bool {
	t.Helper()
	known, err := ReadKnown(file, false)
	if err != nil || len(known.Failures()) == 0 {
		t.Fatal(known, err)
	}
	return known.Failures()
}

func contains(err error, part string) bool { return err != nil && strings.Contains(err.Error(), part) }
