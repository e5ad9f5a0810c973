package output

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"strings"

	"github.com/prune-gen/prune-gen/generator"
)

// Names of the files that exist only while a run writes. They begin with a dot, so the go command ignores them. Nobody else
// uses such names: if no process holds the lock, they are left over from a crash.
const (
	crashPrefix  = "." + generator.FilePrefix + "."
	journalName  = crashPrefix + "journal"
	tempSuffix   = ".new" // the new content of a file
	backupSuffix = ".old" // the old content
)

// A journal says how to undo the changes of a run. It exists from before the first change until after the last one: a run
// that did not remove it did not finish. Undoing twice has the same effect as undoing once.
type journal struct {
	Steps []step `json:"steps"`
}

// step is the change of one file.
type step struct {
	Name   string `json:"name"`
	Temp   string `json:"temp,omitempty"`   // the new file, "" where the file is removed
	Backup string `json:"backup,omitempty"` // the old file, "" where there was none
	// New is the hash of the new content, "" where the file is removed.
	New string `json:"new,omitempty"`
}

// besideName returns a name for a file that belongs to another for as long as a run writes.
func besideName(name, suffix string) string {
	dir, base := filepath.Split(name)
	return filepath.Join(dir, fmt.Sprintf(".%s.%08x%s", base, rand.Uint32(), suffix))
}

// isBeside reports whether name is one of those that besideName returns for some file.
func isBeside(name string) bool {
	for _, suffix := range []string{tempSuffix, backupSuffix} {
		if stem, ok := strings.CutSuffix(name, suffix); ok && strings.HasPrefix(stem, ".") {
			base := strings.TrimSuffix(stem[1:], filepath.Ext(stem))
			return base == journalName || generator.IsFileName(base)
		}
	}
	return false
}

// valid reports whether a journal is one that Write wrote: it must not be possible to have other files changed by
// checking one in.
func (j *journal) valid() bool {
	beside := func(name, other string) bool {
		return other == "" || filepath.Dir(other) == filepath.Dir(name) && isBeside(filepath.Base(other))
	}
	for _, s := range j.Steps {
		if !filepath.IsLocal(s.Name) || !generator.IsFileName(filepath.Base(s.Name)) || !beside(s.Name, s.Temp) || !beside(s.Name, s.Backup) {
			return false
		}
	}
	return true
}

// writeJournal writes the journal, whole or not at all.
func (t *Tree) writeJournal(j *journal) error {
	data, err := json.Marshal(j)
	if err != nil {
		return err
	}
	temp := besideName(journalName, tempSuffix)
	if err = t.root.Create(temp, data, 0o666); err == nil {
		err = t.root.Rename(temp, journalName)
	}
	if err != nil {
		t.root.Remove(temp)
	}
	return err
}

// readJournal returns the journal of a run that did not finish, nil if there is none.
func (t *Tree) readJournal() (*journal, error) {
	data, _, err := t.readRegular(journalName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	j := &journal{}
	if err := json.Unmarshal(data, j); err != nil || !j.valid() {
		return nil, &fs.PathError{Op: "read", Path: journalName, Err: errors.New("prune-gen did not write this file: remove it")}
	}
	return j, nil
}

// undo restores the files as they were before the steps, except those that somebody else has changed since.
func (t *Tree) undo(j *journal) error {
	for _, s := range j.Steps {
		if err := t.undoStep(s); err != nil {
			return err
		}
	}
	if err := t.removeIfThere(journalName); err != nil {
		return err
	}
	for _, s := range j.Steps {
		for _, name := range []string{s.Temp, s.Backup} {
			if name != "" {
				t.root.Remove(name) // if this fails, the next run does it
			}
		}
	}
	return nil
}

func (t *Tree) undoStep(s step) error {
	data, _, err := t.readRegular(s.Name)
	there := err == nil
	switch {
	case errors.Is(err, errLink), errors.Is(err, errIrregular):
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case there && (s.New == "" || hashOf(data) != s.New):
		return nil // it was not replaced, or somebody has written it since
	case s.Backup != "":
		err := t.root.Rename(s.Backup, s.Name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it was put back before
		}
		return err
	case there:
		return t.root.Remove(s.Name)
	}
	return nil
}

func (t *Tree) removeIfThere(name string) error {
	if err := t.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// readRegular reads a file, and neither a link nor anything else.
func (t *Tree) readRegular(name string) ([]byte, fs.FileMode, error) {
	info, err := t.root.Lstat(name)
	switch {
	case err != nil:
		return nil, 0, err
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, 0, &fs.PathError{Op: "replace", Path: name, Err: errLink}
	case !info.Mode().IsRegular():
		return nil, 0, &fs.PathError{Op: "replace", Path: name, Err: errIrregular}
	}
	return t.read(name)
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
