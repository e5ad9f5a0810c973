package output

import (
	"os"
	"path/filepath"
	"testing"
)

// What a run that was killed left is removed wherever runs write: the directory, versions, and the versions of groups.
func TestRecoverSweepsAllDirectories(t *testing.T) {
	dir := t.TempDir()
	var left []string
	for _, sub := range []string{".", "v1", "apps.example.com/v1"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o777); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(dir, sub, ".zz_generated.prune.a.go.123"+tempSuffix)
		if err := os.WriteFile(name, []byte("half"), 0o666); err != nil {
			t.Fatal(err)
		}
		left = append(left, name)
	}
	tree, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	if undone, err := tree.Recover(); err != nil || undone {
		t.Fatalf("undone: %t, error: %v", undone, err)
	}
	for _, name := range left {
		if _, err := os.Stat(name); !os.IsNotExist(err) {
			t.Errorf("%s is still there (%v)", name, err)
		}
	}
}
