package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Replacer replaces files, all of them or none. New contents are written beside the old ones first.
type Replacer struct {
	files       []*replacement
	interrupted func() error
	stop        func()
}

type replacement struct {
	path         string // of the file itself, not of a link to it
	before       fs.FileInfo
	temp, backup string
	replaced     bool
}

// NewReplacer returns a Replacer. Signals do not end the program until Close is called; Replace then returns an *Interrupted.
func NewReplacer() *Replacer {
	r := &Replacer{}
	r.interrupted, r.stop = catchSignals()
	return r
}

// Create returns a new file for what is to be the content of a file, which must exist. The caller closes it.
func (r *Replacer) Create(path string) (*os.File, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "replace", Path: path, Err: errors.New("not a regular file")}
	}
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*"+tempSuffix)
	if err != nil {
		return nil, err
	}
	r.files = append(r.files, &replacement{path: path, before: info, temp: temp.Name()})
	return temp, temp.Chmod(info.Mode().Perm())
}

// Drop removes the file that Create made last: the content has not changed.
func (r *Replacer) Drop() {
	last := len(r.files) - 1
	os.Remove(r.files[last].temp)
	r.files = r.files[:last]
}

// Replace replaces the files. After an error all files are as they were.
func (r *Replacer) Replace() (err error) {
	defer func() {
		if err != nil {
			err = r.undo(err)
		}
	}()
	for _, f := range r.files {
		info, err := os.Lstat(f.path)
		if err != nil {
			return err
		}
		if !os.SameFile(info, f.before) || info.Size() != f.before.Size() || !info.ModTime().Equal(f.before.ModTime()) {
			return &fs.PathError{Op: "replace", Path: f.path, Err: errChanged}
		}
	}
	for _, f := range r.files {
		if err := r.interrupted(); err != nil {
			return err
		}
		if err := f.replace(); err != nil {
			return err
		}
	}
	if err := r.interrupted(); err != nil {
		return err
	}
	for _, f := range r.files {
		os.Remove(f.backup)
	}
	r.files = nil
	return nil
}

// replace keeps the old file and puts the new one in its place.
func (f *replacement) replace() error {
	backup := f.temp + backupSuffix
	if err := os.Link(f.path, backup); err != nil {
		// Not every file system has links. Between the two renames the file does not exist.
		if err := os.Rename(f.path, backup); err != nil {
			return err
		}
	}
	f.backup = backup
	if err := os.Rename(f.temp, f.path); err != nil {
		return err
	}
	f.replaced = true
	return nil
}

// undo restores the files and returns err with the state that they are in.
func (r *Replacer) undo(err error) error {
	for _, f := range r.files {
		if f.backup == "" {
			continue
		}
		if failed := os.Rename(f.backup, f.path); failed != nil {
			return fmt.Errorf("%w; %s could not be restored and is now %s", err, f.path, f.backup)
		}
		// Renaming a file to another name of the same file does nothing.
		os.Remove(f.backup)
	}
	var signal *Interrupted
	if errors.As(err, &signal) {
		return err
	}
	return fmt.Errorf("%w; nothing was written", err)
}

// Close removes what was not put into place, and lets signals end the program again.
func (r *Replacer) Close() {
	for _, f := range r.files {
		os.Remove(f.temp)
	}
	r.files = nil
	r.stop()
}
