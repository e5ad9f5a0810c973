package output

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func openTestTree(t *testing.T, files map[string]string) *Tree {
	t.Helper()
	t.Chdir(write(t, files))
	tr, err := Open("out")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tr.Close)
	return tr
}

// wantFiles fails unless exactly these files are below the current directory.
func wantFiles(t *testing.T, want map[string]string) {
	t.Helper()
	have := contents(t)
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if have[name] != want[name] {
			t.Errorf("%s is %q, want %q", name, have[name], want[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(have)) {
		if _, ok := want[name]; !ok {
			t.Errorf("there is %s", name)
		}
	}
}

func TestWriteCreatesUpdatesAndRemoves(t *testing.T) {
	tr := openTestTree(t, map[string]string{"out/update": "1", "out/remove": "1", "out/keep": "1"})
	err := tr.Write([]*File{
		{Name: "update", old: []byte("1"), new: []byte("2"), perm: 0o666},
		{Name: "remove", old: []byte("1")},
		{Name: "keep", old: []byte("1"), new: []byte("1"), perm: 0o666},
		{Name: "deep/down/create", new: []byte("2"), perm: 0o666},
		{Name: "empty", new: []byte{}, perm: 0o666},
	})
	if err != nil {
		t.Fatal(err)
	}
	wantFiles(t, map[string]string{"out/update": "2", "out/keep": "1", "out/deep/down/create": "2", "out/empty": ""})
}

func TestWriteMakesTheDirectoryOnlyWhenThereIsSomethingToWrite(t *testing.T) {
	tr := openTestTree(t, nil)
	if err := tr.Write(nil); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat("out"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if err := tr.Write([]*File{{Name: "a", new: []byte("1"), perm: 0o666}}); err != nil {
		t.Fatal(err)
	}
	wantFiles(t, map[string]string{"out/a": "1"})
}

// If the new content of one file cannot be written, no file changes.
func TestWriteThatFailsEarlyChangesNothing(t *testing.T) {
	files := map[string]string{"out/a": "1", "out/file": "1", "out/z": "1"}
	tr := openTestTree(t, files)
	err := tr.Write([]*File{
		{Name: "a", old: []byte("1"), new: []byte("2"), perm: 0o666},
		{Name: "file/b", new: []byte("2")},
		{Name: "z", old: []byte("1")},
	})
	if err == nil || !strings.Contains(err.Error(), "out/file") || !strings.HasSuffix(err.Error(), "; nothing was written") {
		t.Errorf("%v", err)
	}
	wantFiles(t, files)
}

// A run that writes nothing leaves no directories that it made, and removes none that it did not.
func TestWriteThatFailsRemovesItsDirectories(t *testing.T) {
	for _, theirs := range []string{"", "out", "out/deep"} {
		tr := openTestTree(t, nil)
		if err := os.MkdirAll(filepath.FromSlash(theirs), 0o777); theirs != "" && err != nil {
			t.Fatal(err)
		}
		if err := tr.Write([]*File{{Name: "deep/down/a", new: []byte("1")}, {Name: "../b", new: []byte("1")}}); err == nil {
			t.Error("a file outside is written")
		}
		var left []string
		filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
			left = append(left, filepath.ToSlash(path))
			return err
		})
		if last := left[len(left)-1]; last != cmp.Or(theirs, ".") {
			t.Errorf("%q: %q is left", theirs, left)
		}
	}
}

// If a file cannot be replaced, the error says what became of each. No temporary file is left.
func TestARenameThatFailsNamesTheFiles(t *testing.T) {
	for inTheWay, want := range map[string]string{
		"a": "; nothing was written",
		"c": "; already replaced: out/a, out/b; not replaced: out/c, out/d/e",
	} {
		tr := openTestTree(t, map[string]string{"out/b": "1", "out/" + inTheWay + "/theirs": "1"})
		err := tr.Write([]*File{
			{Name: "a", new: []byte("2")},
			{Name: "b", old: []byte("1")},
			{Name: "c", new: []byte("2")},
			{Name: "d/e", new: []byte("2")},
		})
		if have := filepath.ToSlash(fmt.Sprint(err)); !strings.HasPrefix(have, "replace out/"+inTheWay+": ") || !strings.HasSuffix(have, want) {
			t.Errorf("%s, want %s", have, want)
		}
		left := map[string]string{"out/" + inTheWay + "/theirs": "1"}
		if inTheWay == "c" {
			left["out/a"] = "2"
		} else {
			left["out/b"] = "1"
		}
		wantFiles(t, left)
	}
}

// A file that is replaced keeps its mode, and a link in its place does not lead elsewhere.
func TestWriteKeepsModesAndReplacesLinks(t *testing.T) {
	tr := openTestTree(t, map[string]string{"out/a": "1", "theirs": "1"})
	if err := errors.Join(os.Chmod("out/a", 0o600), os.Symlink("../theirs", "out/b")); err != nil {
		t.Fatal(err)
	}
	err := tr.Write([]*File{{Name: "a", old: []byte("1"), new: []byte("2"), perm: 0o600}, {Name: "b", new: []byte("2")}})
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat("out/a"); err != nil || info.Mode() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	wantFiles(t, map[string]string{"out/a": "2", "out/b": "2", "theirs": "1"})
}

// Neither names nor links lead out of the directory.
func TestWriteStaysInTheDirectory(t *testing.T) {
	files := map[string]string{"out/a": "1", "elsewhere/a": "1"}
	for _, name := range []string{"../elsewhere/a", "link/a"} {
		tr := openTestTree(t, files)
		if err := os.Symlink("../elsewhere", "out/link"); err != nil {
			t.Fatal(err)
		}
		err := tr.Write([]*File{{Name: "a", old: []byte("1"), new: []byte("2"), perm: 0o666}, {Name: name, new: []byte("2")}})
		if err == nil || !strings.HasSuffix(err.Error(), "; nothing was written") {
			t.Errorf("%s: %v", name, err)
		}
		if err := os.Remove("out/link"); err != nil {
			t.Fatal(err)
		}
		wantFiles(t, files)
	}
}

// Another run may have removed a file already.
func TestWriteRemovesWhatIsGone(t *testing.T) {
	tr := openTestTree(t, map[string]string{"out/a": "1"})
	if err := tr.Write([]*File{{Name: "b", old: []byte("1")}, {Name: "a", old: []byte("1")}}); err != nil {
		t.Error(err)
	}
	wantFiles(t, map[string]string{})
}
