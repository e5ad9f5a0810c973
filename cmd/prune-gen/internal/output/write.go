package output

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// Write makes the changes: all of them, or none unless the disk fails in the middle. It writes everything under other
// names first, then renames.
func (t *Tree) Write(files []*File) error {
	var todo []*File
	for _, f := range files {
		if f.Change() != Keep {
			todo = append(todo, f)
		}
	}
	if len(todo) == 0 {
		return nil
	}
	if err := t.create(); err != nil {
		return fmt.Errorf("%w; nothing was written", err)
	}
	temps := make([]string, len(todo))
	defer func() {
		for _, temp := range temps {
			if temp != "" {
				t.root.Remove(temp)
			}
		}
	}()
	for i, f := range todo {
		if f.Change() == Remove {
			continue
		}
		var err error
		if temps[i], err = t.writeTemp(f); err != nil {
			return fmt.Errorf("%w; nothing was written", t.named(err))
		}
	}
	for i, f := range todo {
		if err := t.replace(temps[i], f); err != nil {
			return t.halfway(todo[:i], todo[i:], t.named(err))
		}
		temps[i] = ""
	}
	return nil
}

// writeTemp writes the new content of a file beside it and returns the name, which begins with a dot: the go command
// ignores such files.
func (t *Tree) writeTemp(f *File) (string, error) {
	dir, base := filepath.Split(f.Name)
	if err := t.root.MkdirAll(filepath.Clean("./"+dir), 0o777); err != nil {
		return "", err
	}
	name := filepath.Join(dir, fmt.Sprintf(".%s.%d.%d.tmp", base, os.Getpid(), rand.Uint32()))
	w, err := t.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, f.perm)
	if err != nil {
		return "", err
	}
	_, err = w.Write(f.new)
	if closeErr := w.Close(); err == nil {
		err = closeErr
	}
	return name, err
}

// replace renames the temporary file, or removes the old one.
func (t *Tree) replace(temp string, f *File) error {
	if f.Change() == Remove {
		return t.root.Remove(f.Name)
	}
	// Another program may have changed the directory since.
	switch info, err := t.root.Lstat(f.Name); {
	case err == nil && !info.Mode().IsRegular():
		return &fs.PathError{Op: "replace", Path: f.Name, Err: errIrregular}
	case err == nil && f.old == nil:
		return &fs.PathError{Op: "create", Path: f.Name, Err: fs.ErrExist}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return t.root.Rename(temp, f.Name)
}

// halfway returns the error of a disk that failed in the middle: what was done, and what was not.
func (t *Tree) halfway(done, left []*File, err error) error {
	if len(done) == 0 {
		return fmt.Errorf("%w; nothing was written", err)
	}
	names := func(files []*File) string {
		var all []string
		for _, f := range files {
			all = append(all, filepath.Join(t.dir, f.Name))
		}
		return strings.Join(all, ", ")
	}
	return fmt.Errorf("%w; done: %s; not done: %s", err, names(done), names(left))
}

// named adds the directory to the path in an error: an os.Root has only the part below it.
func (t *Tree) named(err error) error {
	var e *fs.PathError
	if errors.As(err, &e) {
		return &fs.PathError{Op: strings.TrimSuffix(e.Op, "at"), Path: filepath.Join(t.dir, e.Path), Err: e.Err}
	}
	return err
}
