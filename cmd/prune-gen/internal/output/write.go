package output

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Write makes all changes or none: after an error or a signal it restores the files, and Recover undoes the changes of a
// process that was killed. Write first writes the new files beside the old ones and keeps copies of those, then writes a
// journal that says how to undo the rest, then renames the new files, and last removes the journal.
func (t *Tree) Write(files []*File) (err error) {
	var todo, kept []*File
	for _, f := range files {
		if f.Change() == Keep {
			kept = append(kept, f)
		} else {
			todo = append(todo, f)
		}
	}
	if len(todo) == 0 {
		return nil
	}
	w := &writing{Tree: t}
	var stop func()
	w.interrupted, stop = catchSignals()
	defer stop()
	defer w.unlock()
	if err = w.write(todo, kept); err == nil {
		return nil
	}
	return w.abort(t.named(err))
}

// writing is one call of Write.
type writing struct {
	*Tree
	interrupted func() error
	locks       []io.Closer
	begun       bool // there is something to put back; a journal from before is another run's
	journal     journal
	// outside and inside are the directories that were made, above and below the root.
	outside, inside []string
}

func (w *writing) write(todo, kept []*File) error {
	if err := w.makeRoot(); err != nil {
		return err
	}
	if err := w.lockDirs(slices.Concat(todo, kept)); err != nil {
		return err
	}
	if _, err := w.undoCrashed(); err != nil {
		return err
	}
	todo, err := w.stillToDo(todo)
	if err != nil {
		return err
	}
	if len(todo) > 0 {
		err = w.stillThere(kept)
	}
	if err != nil {
		return err
	}
	w.begun = true
	for _, f := range todo {
		if err := w.interrupted(); err != nil {
			return err
		}
		if err := w.prepare(f); err != nil {
			return err
		}
	}
	if err := w.writeJournal(&w.journal); err != nil {
		return err
	}
	for _, s := range w.journal.Steps {
		if err := w.interrupted(); err != nil {
			return err
		}
		if err := w.replace(s); err != nil {
			return err
		}
	}
	if err := w.interrupted(); err != nil {
		return err
	}
	// Without the journal, the changes are final.
	if err := w.root.Remove(journalName); err != nil {
		return err
	}
	for _, s := range w.journal.Steps {
		if s.Backup != "" {
			w.root.Remove(s.Backup) // if this fails, the next run does it
		}
	}
	return nil
}

// makeRoot makes the output directory if it does not exist.
func (w *writing) makeRoot() error {
	if w.root != nil {
		return nil
	}
	var missing []string
	for dir := filepath.Clean(w.dir); ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			break
		}
		missing = append(missing, dir)
	}
	slices.Reverse(missing)
	for _, dir := range missing {
		switch err := os.Mkdir(dir, 0o777); {
		case err == nil:
			w.outside = append(w.outside, dir)
		case !errors.Is(err, fs.ErrExist): // another run may have been faster
			return err
		}
	}
	return w.open()
}

// lockDirs makes the directories of the files and keeps other runs out of them. Directories above come first, so that two
// runs do not wait for each other.
func (w *writing) lockDirs(todo []*File) error {
	subs := []string{"."}
	for _, f := range todo {
		subs = append(subs, filepath.Dir(f.Name))
	}
	slices.Sort(subs)
	for _, sub := range slices.Compact(subs) {
		if err := w.makeDir(sub); err != nil {
			return err
		}
		lock, err := w.lock(sub, lockPatience, w.interrupted)
		if err != nil {
			return err
		}
		if lock != nil {
			w.locks = append(w.locks, lock)
		}
	}
	return nil
}

func (w *writing) makeDir(sub string) error {
	if sub == "." {
		return nil
	}
	if err := w.makeDir(filepath.Dir(sub)); err != nil {
		return err
	}
	switch err := w.root.Mkdir(sub, 0o777); {
	case err == nil:
		w.inside = append(w.inside, sub)
	case !errors.Is(err, fs.ErrExist):
		return err
	}
	return nil
}

func (w *writing) unlock() {
	for _, l := range w.locks {
		l.Close()
	}
}

// stillToDo returns the changes that another run has not made in the meantime. If one has made other changes, or somebody
// has put something else in the place of a file, it returns an error.
func (w *writing) stillToDo(todo []*File) ([]*File, error) {
	var left []*File
	for _, f := range todo {
		data, _, err := w.readRegular(f.Name)
		there := err == nil
		switch {
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return nil, err
		case !there && f.new == nil, there && f.new != nil && bytes.Equal(data, f.new):
			continue
		case there != (f.old != nil), !bytes.Equal(data, f.old):
			return nil, &fs.PathError{Op: "replace", Path: f.Name, Err: errChanged}
		}
		left = append(left, f)
	}
	return left, nil
}

// stillThere returns an error if a file that is kept has changed: the files written beside it would not fit.
func (w *writing) stillThere(kept []*File) error {
	for _, f := range kept {
		data, _, err := w.readRegular(f.Name)
		switch {
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return err
		case err != nil, !bytes.Equal(data, f.old):
			return &fs.PathError{Op: "keep", Path: f.Name, Err: errChanged}
		}
	}
	return nil
}

var errChanged = errors.New("another program has changed this file in the meantime: run prune-gen again")

// prepare writes the new content of a file beside it and keeps the old.
func (w *writing) prepare(f *File) error {
	s := step{Name: f.Name}
	if f.new != nil {
		s.Temp, s.New = besideName(f.Name, tempSuffix), hashOf(f.new)
	}
	if f.old != nil {
		s.Backup = besideName(f.Name, backupSuffix)
	}
	w.journal.Steps = append(w.journal.Steps, s)
	if s.Temp != "" {
		if err := w.root.Create(s.Temp, f.new, f.perm); err != nil {
			return err
		}
	}
	if s.Backup != "" {
		if err := w.root.Link(f.Name, s.Backup); err != nil {
			return w.root.Create(s.Backup, f.old, f.perm) // not every file system has links
		}
	}
	return nil
}

func (w *writing) replace(s step) error {
	if s.Temp == "" {
		return w.root.Remove(s.Name)
	}
	return w.root.Rename(s.Temp, s.Name)
}

// abort restores the files and returns err with the state that they are in.
func (w *writing) abort(err error) error {
	if w.begun {
		if undoErr := w.undo(&w.journal); undoErr != nil {
			return fmt.Errorf("%w; the files could not be restored (%w): the next run tries again", err, w.named(undoErr))
		}
	}
	for _, dir := range slices.Backward(w.inside) {
		w.root.Remove(dir)
	}
	for _, dir := range slices.Backward(w.outside) {
		os.Remove(dir)
	}
	var signal *Interrupted
	if errors.As(err, &signal) {
		return err
	}
	return fmt.Errorf("%w; nothing was written", err)
}

// named adds the directory to the path in an error: an os.Root has only the part below it.
func (t *Tree) named(err error) error {
	var e *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &e):
		path := e.Path
		if !filepath.IsAbs(path) && path != t.dir && !strings.HasPrefix(path, t.dir+string(filepath.Separator)) {
			path = filepath.Join(t.dir, path)
		}
		return &fs.PathError{Op: strings.TrimSuffix(e.Op, "at"), Path: path, Err: e.Err}
	case errors.As(err, &l):
		return &fs.PathError{Op: strings.TrimSuffix(l.Op, "at"), Path: filepath.Join(t.dir, l.New), Err: l.Err}
	}
	return err
}
