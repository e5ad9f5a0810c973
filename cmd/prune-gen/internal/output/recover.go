package output

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// Recover undoes the changes of a run that was killed while it wrote, and removes its temporary files. It reports whether
// there was something to undo.
func (t *Tree) Recover() (undone bool, err error) {
	if t.root == nil || len(t.crashed()) == 0 {
		return false, nil
	}
	interrupted, stop := catchSignals()
	defer stop()
	lock, err := t.lock(".", lockPatience, interrupted)
	if err != nil {
		return false, t.named(err)
	}
	if lock == nil {
		return false, nil // they may be those of a process that is still there
	}
	defer lock.Close()
	if undone, err = t.undoCrashed(); err != nil {
		return false, fmt.Errorf("undo the changes of an interrupted run: %w", t.named(err))
	}
	t.sweep(interrupted)
	return undone, nil
}

// undoCrashed undoes the changes of a run that did not finish. The caller holds the lock of the output directory.
func (t *Tree) undoCrashed() (undone bool, err error) {
	j, err := t.readJournal()
	if j == nil || err != nil {
		return false, err
	}
	return true, t.undo(j)
}

// sweep removes the temporary files of runs that were killed. Files that it cannot remove do no harm.
func (t *Tree) sweep(interrupted func() error) {
	for _, sub := range t.crashed() {
		if sub != "." {
			lock, err := t.lock(sub, 0, interrupted)
			if lock == nil || err != nil {
				continue
			}
			defer lock.Close()
		}
		for _, name := range t.beside(sub) {
			t.root.Remove(name)
		}
	}
}

// crashed returns the directory and those below it that have files which a run has only while it writes.
func (t *Tree) crashed() []string {
	var subs []string
	if _, err := t.root.Lstat(journalName); !errors.Is(err, fs.ErrNotExist) || len(t.beside(".")) > 0 {
		subs = append(subs, ".")
	}
	for _, sub := range t.subdirs(".") {
		if len(t.beside(sub)) > 0 {
			subs = append(subs, sub)
		}
		if !strings.Contains(sub, ".") {
			continue
		}
		for _, below := range t.subdirs(sub) { // the versions of a group
			if len(t.beside(below)) > 0 {
				subs = append(subs, below)
			}
		}
	}
	return subs
}

// beside returns the files in a directory that a run has only while it writes, apart from the journal.
func (t *Tree) beside(sub string) []string {
	entries, err := t.readDir(sub)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if isBeside(e.Name()) {
			names = append(names, filepath.Join(sub, e.Name()))
		}
	}
	return names
}
