package output

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/interrupt"
)

// tempPrefix begins the names of new files until they are renamed. The go command ignores such files, and so do all commands.
const tempPrefix = ".prune-gen-"

// Replacer replaces files. It writes all new contents to temporary files beside the old ones first, and then renames these: each
// file is whole or untouched. An interrupt removes the temporary files, and directories that were made for them.
type Replacer struct {
	at      place
	dir     string // what names are relative to, for people
	changes []change
	made    []madeDir // the ones below after those above
}

// madeDir is a directory that the Replacer may have made.
type madeDir struct {
	at   place
	name string
}

// place is where files are: an os.Root or anywhere.
type place interface {
	OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error)
	MkdirAll(name string, perm fs.FileMode) error
	Stat(name string) (fs.FileInfo, error)
	Rename(old, new string) error
	Remove(name string) error
}

type anywhere struct{}

func (anywhere) OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	return os.OpenFile(name, flag, perm)
}
func (anywhere) MkdirAll(name string, perm fs.FileMode) error { return os.MkdirAll(name, perm) }
func (anywhere) Stat(name string) (fs.FileInfo, error)        { return os.Stat(name) }
func (anywhere) Rename(old, new string) error                 { return os.Rename(old, new) }
func (anywhere) Remove(name string) error                     { return os.Remove(name) }

type change struct {
	name   string
	temp   string      // "" if the file is to be removed
	before fs.FileInfo // nil if it does not matter
}

// NewReplacer returns a Replacer for files of other people. The caller closes it.
func NewReplacer() *Replacer { return &Replacer{at: anywhere{}} }

// Create returns a temporary file for the new content of a file, which must exist. Links are followed. The caller
// closes it.
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
	w, err := r.create(change{name: path, before: info})
	if err != nil {
		return nil, err
	}
	return w, w.Chmod(info.Mode().Perm())
}

// Write sets the new content of a file, which must exist. Links are followed.
func (r *Replacer) Write(path string, content []byte) error {
	w, err := r.Create(path)
	if err != nil {
		return err
	}
	_, err = w.Write(content)
	return errors.Join(err, w.Close())
}

func (r *Replacer) create(c change) (w *os.File, err error) {
	c.temp = filepath.Join(filepath.Dir(c.name), fmt.Sprintf("%s%016x", tempPrefix, rand.Uint64()))
	interrupt.Hold(func() {
		if w, err = r.at.OpenFile(c.temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666); err == nil {
			r.changes = append(r.changes, c)
			interrupt.Add(r)
		}
	})
	return w, err
}

// mkdirAll makes a directory and those above it. They are removed again if they are empty in the end.
func (r *Replacer) mkdirAll(at place, name string) (err error) {
	interrupt.Hold(func() {
		var missing []madeDir
		for dir := name; ; dir = filepath.Dir(dir) {
			if _, err := at.Stat(dir); !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
				break
			}
			missing = append(missing, madeDir{at, dir})
		}
		slices.Reverse(missing)
		r.made = append(r.made, missing...)
		interrupt.Add(r)
		err = at.MkdirAll(name, 0o777)
	})
	return err
}

// Drop removes the file that Create made last: the content has not changed.
func (r *Replacer) Drop() {
	interrupt.Hold(func() {
		last := len(r.changes) - 1
		r.at.Remove(r.changes[last].temp)
		r.changes = r.changes[:last]
	})
}

// Replace replaces the files. If that fails, the error names the files that were replaced and those that were not.
func (r *Replacer) Replace() error {
	for _, c := range r.changes {
		if c.before == nil {
			continue
		}
		info, err := os.Lstat(c.name)
		if err != nil {
			return fmt.Errorf("%w; nothing was written", err)
		}
		if !os.SameFile(info, c.before) || info.Size() != c.before.Size() || !info.ModTime().Equal(c.before.ModTime()) {
			return fmt.Errorf("%s: another program has changed this file in the meantime: run prune-gen again; nothing was written", c.name)
		}
	}
	for i := range r.changes {
		if err := r.replace(i); err != nil {
			err = fmt.Errorf("replace %s: %w", r.names(r.changes[i:i+1]), cause(err))
			if i == 0 {
				return fmt.Errorf("%w; nothing was written", err)
			}
			return fmt.Errorf("%w; already replaced: %s; not replaced: %s", err, r.names(r.changes[:i]), r.names(r.changes[i:]))
		}
	}
	return nil
}

// replace makes a change.
func (r *Replacer) replace(i int) (err error) {
	interrupt.Hold(func() {
		if c := &r.changes[i]; c.temp == "" {
			err = r.at.Remove(c.name)
		} else if err = r.at.Rename(c.temp, c.name); err == nil {
			c.temp = ""
		}
	})
	if r.changes[i].temp == "" && errors.Is(err, fs.ErrNotExist) {
		return nil // another run may have been faster
	}
	return err
}

// names lists the files of changes.
func (r *Replacer) names(changes []change) string {
	var all []string
	for _, c := range changes {
		all = append(all, filepath.Join(r.dir, c.name))
	}
	return strings.Join(all, ", ")
}

// cause returns an error without the file names in it, some of which are temporary.
func cause(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// Close removes the temporary files that are left, and new directories that are empty.
func (r *Replacer) Close() {
	interrupt.Hold(func() {
		r.Remove()
		interrupt.Forget(r)
	})
}

// Remove implements interrupt.Unfinished.
func (r *Replacer) Remove() {
	for _, c := range r.changes {
		if c.temp != "" {
			r.at.Remove(c.temp)
		}
	}
	for _, dir := range slices.Backward(r.made) {
		dir.at.Remove(dir.name) // which fails if there is something in it
	}
}
