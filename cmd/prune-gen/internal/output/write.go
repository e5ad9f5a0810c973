package output

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// Write makes the changes of files. It changes nothing unless all new contents could be written to the disk.
func (t *Tree) Write(files []*File) error {
	r := &Replacer{dir: t.dir}
	for _, f := range files {
		if f.Change() == Keep {
			continue
		}
		if err := t.prepare(r, f); err != nil {
			r.Close()
			return fmt.Errorf("%w; nothing was written", t.named(err))
		}
	}
	defer r.Close()
	return r.Replace()
}

// prepare writes the new content of a file beside it.
func (t *Tree) prepare(r *Replacer, f *File) error {
	if t.root == nil {
		if err := r.mkdirAll(anywhere{}, t.dir); err != nil {
			return err
		}
		if err := t.open(); err != nil {
			return err
		}
	}
	r.at = t.root
	if f.new == nil {
		r.changes = append(r.changes, change{name: f.Name})
		return nil
	}
	if err := r.mkdirAll(t.root, filepath.Dir(f.Name)); err != nil {
		return err
	}
	w, err := r.create(change{name: f.Name})
	if err != nil {
		return err
	}
	if _, err = w.Write(f.new); err == nil && f.old != nil {
		err = w.Chmod(f.perm)
	}
	return errors.Join(err, w.Close())
}

// named adds the directory to the path in an error: an os.Root has only the part below it.
func (t *Tree) named(err error) error {
	var e *fs.PathError
	if !errors.As(err, &e) {
		return err
	}
	path := e.Path
	if !filepath.IsAbs(path) && path != t.dir && !strings.HasPrefix(path, t.dir+string(filepath.Separator)) {
		path = filepath.Join(t.dir, path)
	}
	return &fs.PathError{Op: strings.TrimSuffix(e.Op, "at"), Path: path, Err: e.Err}
}
