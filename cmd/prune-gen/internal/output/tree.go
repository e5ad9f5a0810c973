// Package output compares generated files with those in the output directory, and writes them.
package output

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/structural"
)

// Tree is the output directory. All access goes through an os.Root: neither names from a CRD nor links lead out of it.
type Tree struct {
	dir  string
	root *os.Root // nil if the directory does not exist
}

// Open opens the output directory, which need not exist.
func Open(dir string) (*Tree, error) {
	t := &Tree{dir: dir}
	if err := t.open(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("output directory: %w", err)
	}
	return t, nil
}

func (t *Tree) open() error {
	root, err := os.OpenRoot(t.dir)
	if err == nil {
		t.root = root
	}
	return err
}

// Close closes the directory.
func (t *Tree) Close() {
	if t.root != nil {
		t.root.Close()
	}
}

// Existing is a file in the directory with the name of a generated file.
type Existing struct {
	Data []byte
	perm fs.FileMode
	// wrong is the reason not to overwrite the file, nil if prune-gen made it.
	wrong *obstacle
}

// Generated reports whether prune-gen made the file. It is false for nil.
func (e *Existing) Generated() bool { return e != nil && e.wrong == nil }

// Foreign reports whether the file is a regular file that prune-gen did not make. Links are not followed.
func (e *Existing) Foreign() bool { return e != nil && e.wrong == foreign }

// obstacle is why a file is not overwritten.
type obstacle struct {
	id      structural.ID
	message string
}

var (
	foreign   = &obstacle{findings.IDForeign, "this file was not made by prune-gen and is not overwritten"}
	link      = &obstacle{findings.IDLink, "this is a symbolic link, and links are not followed"}
	irregular = &obstacle{findings.IDIrregular, "this is not a regular file"}
)

var errOutside = errors.New("this is a symbolic link that leads out of the output directory, and it is not followed")

// List returns the files in a subdirectory that have names of generated files of kinds.
func (t *Tree) List(sub string) (map[string]*Existing, error) {
	return t.Named(sub, generator.IsFileName)
}

// Named returns the files in a subdirectory whose names satisfy is.
func (t *Tree) Named(sub string, is func(name string) bool) (map[string]*Existing, error) {
	files := map[string]*Existing{}
	entries, err := t.readDir(sub)
	if err != nil {
		return nil, fmt.Errorf("output directory: %w", t.named(err))
	}
	for _, e := range entries {
		if !is(e.Name()) {
			continue
		}
		f := &Existing{}
		files[e.Name()] = f
		switch {
		case e.Type()&fs.ModeSymlink != 0:
			f.wrong = link
		case !e.Type().IsRegular():
			f.wrong = irregular
		case isHuge(e):
			f.wrong = foreign
		default:
			f.Data, f.perm, err = t.read(filepath.Join(sub, e.Name()))
			if err != nil {
				return nil, t.named(err)
			}
			if !generator.IsGenerated(f.Data) {
				f.wrong = foreign
			}
		}
	}
	return files, nil
}

// isHuge reports whether a file is larger than any generated file. Such a file is not read.
func isHuge(e fs.DirEntry) bool {
	info, err := e.Info()
	return err == nil && info.Size() > meter.Generated
}

// readDir returns the entries of a subdirectory, none if it does not exist.
func (t *Tree) readDir(sub string) ([]fs.DirEntry, error) {
	if t.root == nil {
		return nil, nil
	}
	dir, err := t.root.Open(sub)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		if info, lstatErr := t.root.Lstat(sub); lstatErr == nil && info.Mode()&fs.ModeSymlink != 0 {
			err = &fs.PathError{Op: "open", Path: sub, Err: errOutside}
		}
		return nil, err
	}
	defer dir.Close()
	return dir.ReadDir(-1)
}

func (t *Tree) read(name string) ([]byte, fs.FileMode, error) {
	f, err := t.root.Open(name)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	data, err := io.ReadAll(f)
	return data, info.Mode().Perm(), err
}

// IsCurrent reports whether dir is the current directory.
func IsCurrent(dir string) bool {
	here, err := os.Stat(".")
	if err != nil {
		return false
	}
	there, err := os.Stat(dir)
	return err == nil && os.SameFile(here, there)
}
