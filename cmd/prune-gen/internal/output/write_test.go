package output

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/generator"
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

// A disk that fails before anything was put in its place leaves everything as it was.
func TestWriteThatFailsEarlyChangesNothing(t *testing.T) {
	files := map[string]string{"out/a": "1", "out/file": "1", "out/z": "1"}
	tr := openTestTree(t, files)
	err := tr.Write([]*File{
		{Name: "a", old: []byte("1"), new: []byte("2"), perm: 0o666},
		{Name: "file/b", new: []byte("2"), perm: 0o666},
		{Name: "z", old: []byte("1")},
	})
	if err == nil || !strings.Contains(err.Error(), "out/file") || !strings.HasSuffix(err.Error(), "; nothing was written") {
		t.Errorf("%v", err)
	}
	wantFiles(t, files)
}

// Whatever appears in the place of a file in the meantime is not overwritten.
func TestWriteDoesNotOverwriteWhatCameInTheMeantime(t *testing.T) {
	for name, inTheWay := range map[string]struct {
		put  func() error
		says string
	}{
		"a file":                         {func() error { return os.WriteFile("out/b", []byte("theirs"), 0o666) }, "out/b: another program has changed this file"},
		"a link":                         {func() error { return os.Symlink("theirs", "out/b") }, "out/b: this is a symbolic link"},
		"a directory":                    {func() error { return os.MkdirAll("out/b/theirs", 0o777) }, "out/b: this is not a regular file"},
		"a change":                       {func() error { return os.WriteFile("out/c", []byte("theirs"), 0o666) }, "out/c: another program has changed this file"},
		"a removal":                      {func() error { return os.Remove("out/c") }, "out/c: another program has changed this file"},
		"a change of what is not wanted": {func() error { return os.WriteFile("out/d", []byte("theirs"), 0o666) }, "out/d: another program has changed this file"},
	} {
		t.Run(name, func(t *testing.T) {
			tr := openTestTree(t, map[string]string{"out/a": "1", "out/c": "1", "out/d": "1"})
			if err := inTheWay.put(); err != nil {
				t.Fatal(err)
			}
			before := tree(t)
			err := tr.Write([]*File{
				{Name: "a", old: []byte("1"), new: []byte("2"), perm: 0o666},
				{Name: "b", new: []byte("2"), perm: 0o666},
				{Name: "c", old: []byte("1"), new: []byte("2"), perm: 0o666},
				{Name: "d", old: []byte("1")},
			})
			if err == nil || !strings.Contains(err.Error(), inTheWay.says) || !strings.HasSuffix(err.Error(), "; nothing was written") {
				t.Errorf("%v", err)
			}
			wantTree(t, name, before)
		})
	}
}

// What another run has done already is done.
func TestWriteTakesWhatAnotherRunHasDone(t *testing.T) {
	tr := openTestTree(t, map[string]string{"out/a": "2", "out/b": "2", "out/d": "1"})
	err := tr.Write([]*File{
		{Name: "a", old: []byte("1"), new: []byte("2"), perm: 0o666},
		{Name: "b", new: []byte("2"), perm: 0o666},
		{Name: "c", old: []byte("1")},
		{Name: "d", old: []byte("1"), new: []byte("2"), perm: 0o666},
	})
	if err != nil {
		t.Error(err)
	}
	wantFiles(t, map[string]string{"out/a": "2", "out/b": "2", "out/d": "2"})
}

// A file that need not be written is part of the whole all the same: if another run changes it before the others are written,
// the directory would have files of both.
func TestAFileToKeepThatHasChangedIsAnError(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"replaced": func(path string) error { return os.WriteFile(path, []byte(newText+"\nvar other = 1\n"), 0o666) },
		"removed":  os.Remove,
	} {
		t.Run(name, func(t *testing.T) {
			const a, b = "zz_generated.prune.a.go", "zz_generated.prune.b.go"
			tr := openTestTree(t, map[string]string{"out/" + a: newText, "out/" + b: oldText})
			have, err := tr.List(".")
			if err != nil {
				t.Fatal(err)
			}
			files, _ := tr.Compare(".", have, []generator.File{{Name: a, Content: []byte(newText)}, {Name: b, Content: []byte(newText)}}, false)
			if err := change("out/" + a); err != nil {
				t.Fatal(err)
			}
			if err := tr.Write(files); !errors.Is(err, errChanged) {
				t.Errorf("got %v", err)
			}
			if text := contents(t)["out/"+b]; text != oldText {
				t.Errorf("the other file is %q", text)
			}
		})
	}
}
