package output

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// write puts files below a new directory and returns it.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// contents returns the texts of all files below the current directory.
func contents(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(os.DirFS("."), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if !d.Type().IsRegular() {
			all[path] = d.Type().String()
			return nil
		}
		text, err := os.ReadFile(path)
		all[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// tree is contents with the directories, whose text is a slash.
func tree(t *testing.T) map[string]string {
	t.Helper()
	all := contents(t)
	filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && path != "." {
			all[filepath.ToSlash(path)] = "/"
		}
		return err
	})
	return all
}

func wantTree(t *testing.T, what string, want map[string]string) {
	t.Helper()
	if have := tree(t); !maps.Equal(have, want) {
		t.Errorf("%s: have %q, want %q", what, slices.Sorted(maps.Keys(have)), slices.Sorted(maps.Keys(want)))
		for name := range want {
			if have[name] != want[name] {
				t.Errorf("%s is %q", name, have[name])
			}
		}
	}
}
