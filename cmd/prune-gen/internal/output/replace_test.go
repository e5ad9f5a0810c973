package output

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// replacing returns a Replacer that is to replace the files a and b in a new directory, and the directory.
func replacing(t *testing.T) (*Replacer, string) {
	t.Helper()
	dir := t.TempDir()
	r := NewReplacer()
	t.Cleanup(r.Close)
	for _, name := range []string{"a", "b"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("old "+name), 0o600); err != nil {
			t.Fatal(err)
		}
		w, err := r.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		w.WriteString("new " + name)
		w.Close()
	}
	return r, dir
}

// wantTexts fails unless a directory has the files a and b with the texts, and no others.
func wantTexts(t *testing.T, dir, a, b string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("%v, %v", entries, err)
	}
	for name, want := range map[string]string{"a": a, "b": b} {
		if have, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(have) != want {
			t.Errorf("%s is %q, want %q, %v", name, have, want, err)
		}
	}
}

func TestReplacePutsAllFilesIntoPlace(t *testing.T) {
	r, dir := replacing(t)
	if err := r.Replace(); err != nil {
		t.Fatal(err)
	}
	wantTexts(t, dir, "new a", "new b")
}

func TestReplaceNamesTheFilesThatItReplaced(t *testing.T) {
	r, dir := replacing(t)
	if err := os.Remove(r.changes[1].temp); err != nil {
		t.Fatal(err)
	}
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	if err, want := r.Replace(), "; already replaced: "+a+"; not replaced: "+b; !errors.Is(err, os.ErrNotExist) || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	r.Close()
	wantTexts(t, dir, "new a", "old b")
}

func TestReplaceChangesNothing(t *testing.T) {
	const changed = "another program has changed this file in the meantime: run prune-gen again; nothing was written"
	t.Run("a file that has changed", func(t *testing.T) {
		r, dir := replacing(t)
		if err := os.Chtimes(filepath.Join(dir, "b"), time.Time{}, time.Now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		if err := r.Replace(); err == nil || !strings.HasSuffix(err.Error(), changed) {
			t.Error(err)
		}
		r.Close()
		wantTexts(t, dir, "old a", "old b")
	})
	t.Run("a file of another size", func(t *testing.T) {
		r, dir := replacing(t)
		b := filepath.Join(dir, "b")
		if err := os.WriteFile(b, []byte("old b, and more"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(b, time.Time{}, r.changes[1].before.ModTime()); err != nil {
			t.Fatal(err)
		}
		if err := r.Replace(); err == nil || err.Error() != b+": "+changed {
			t.Error(err)
		}
		r.Close()
		wantTexts(t, dir, "old a", "old b, and more")
	})
	t.Run("another file", func(t *testing.T) {
		r, dir := replacing(t)
		b := filepath.Join(dir, "b")
		if err := os.WriteFile(b+"2", []byte("odd b"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(b+"2", time.Time{}, r.changes[1].before.ModTime()); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(b+"2", b); err != nil {
			t.Fatal(err)
		}
		if err := r.Replace(); err == nil || !strings.HasSuffix(err.Error(), changed) {
			t.Error(err)
		}
		r.Close()
		wantTexts(t, dir, "old a", "odd b")
	})
	t.Run("a file that is gone", func(t *testing.T) {
		r, dir := replacing(t)
		if err := os.Remove(filepath.Join(dir, "a")); err != nil {
			t.Fatal(err)
		}
		if err := r.Replace(); !errors.Is(err, os.ErrNotExist) {
			t.Error(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "a"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		r.Close()
		wantTexts(t, dir, "", "old b")
	})
	t.Run("the last is dropped", func(t *testing.T) {
		r, dir := replacing(t)
		r.Drop()
		if err := r.Replace(); err != nil {
			t.Error(err)
		}
		wantTexts(t, dir, "new a", "old b")
	})
	t.Run("nothing asked for", func(t *testing.T) {
		r, dir := replacing(t)
		r.Close()
		wantTexts(t, dir, "old a", "old b")
	})
}
