package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// write makes the changes, all of them or, unless the disk fails in the middle of it, none: first everything is written
// under other names, then the files change places.
func (t *tree) write(files []*outputFile) error {
	var todo []*outputFile
	for _, f := range files {
		if f.change() != changeNone {
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
		if f.change() == changeRemove {
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

// writeTemp writes the new content of a file beside it and returns the name. The go command does not look at files that
// begin with a dot.
func (t *tree) writeTemp(f *outputFile) (string, error) {
	dir, base := filepath.Split(f.name)
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

// replace puts a file in its place, or removes it.
func (t *tree) replace(temp string, f *outputFile) error {
	if f.change() == changeRemove {
		return t.root.Remove(f.name)
	}
	// Somebody may have put something there since we looked.
	switch info, err := t.root.Lstat(f.name); {
	case err == nil && !info.Mode().IsRegular():
		return &fs.PathError{Op: "replace", Path: f.name, Err: errNoFile}
	case err == nil && f.old == nil:
		return &fs.PathError{Op: "create", Path: f.name, Err: fs.ErrExist}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return t.root.Rename(temp, f.name)
}

// halfway says what was done and what was not, when the disk failed in between.
func (t *tree) halfway(done, left []*outputFile, err error) error {
	if len(done) == 0 {
		return fmt.Errorf("%w; nothing was written", err)
	}
	names := func(files []*outputFile) string {
		var all []string
		for _, f := range files {
			all = append(all, filepath.Join(t.dir, f.name))
		}
		return strings.Join(all, ", ")
	}
	return fmt.Errorf("%w; done: %s; not done: %s", err, names(done), names(left))
}

// named gives an error the whole path of its file: an os.Root knows only the part below it.
func (t *tree) named(err error) error {
	var e *fs.PathError
	if errors.As(err, &e) {
		return &fs.PathError{Op: strings.TrimSuffix(e.Op, "at"), Path: filepath.Join(t.dir, e.Path), Err: e.Err}
	}
	return err
}
