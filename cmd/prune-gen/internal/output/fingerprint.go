package output

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/outcomes"
	"github.com/prune-gen/prune-gen/generator"
)

var (
	errDirLink    = errors.New("there is a link to a directory, and what it leads to depends on more than is looked at")
	errUnfinished = errors.New("there are files of a run that has not finished")
)

// Fingerprint adds all that decides what a run finds in an output directory: to ours the generated files, which a run
// changes, to given all other Go files, which it leaves alone. It looks at the directory and those in it: each can be that
// of a version. To times it adds when all of these were last changed, which decides nothing, but shows what was changed and
// changed back. It returns an error if it cannot tell.
func Fingerprint(given, ours, times *outcomes.Sum, dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	p := &fingerprint{given, ours, times}
	if err := p.directory(dir, entries); err != nil {
		return err
	}
	for _, e := range entries {
		sub := filepath.Join(dir, e.Name())
		if e.Type()&fs.ModeSymlink != 0 {
			if info, err := os.Stat(sub); err == nil && info.IsDir() {
				return errDirLink
			}
		}
		if !e.IsDir() {
			continue
		}
		below, err := os.ReadDir(sub)
		if err != nil {
			return err
		}
		if err := p.directory(sub, below); err != nil {
			return err
		}
	}
	return nil
}

type fingerprint struct{ given, ours, times *outcomes.Sum }

// directory adds the Go files among the entries of a directory.
func (p *fingerprint) directory(dir string, entries []fs.DirEntry) error {
	// $GOPACKAGE counts for the current directory alone.
	p.ours.Text("directory", dir, strconv.FormatBool(IsCurrent(dir)))
	p.time(dir)
	for _, e := range entries {
		switch {
		case e.Name() == journalName, isBeside(e.Name()):
			return errUnfinished
		case filepath.Ext(e.Name()) != ".go":
			continue
		case isHuge(e):
			return outcomes.ErrTooLarge
		}
		if err := p.file(filepath.Join(dir, e.Name()), e.Type()); err != nil {
			return err
		}
	}
	return nil
}

// time adds when a file or a directory was last changed, and what it leads to if it is a link.
func (p *fingerprint) time(path string) {
	for _, stat := range []func(string) (fs.FileInfo, error){os.Lstat, os.Stat} {
		if info, err := stat(path); err == nil {
			p.times.Text("time", path, info.ModTime().UTC().Format(time.RFC3339Nano))
		}
	}
}

// file adds a Go file. A link with the name of a generated file is in the way, whatever it leads to; under another name it
// is as good as the file.
func (p *fingerprint) file(path string, kind fs.FileMode) error {
	p.time(path)
	named := generator.IsFileName(filepath.Base(path))
	if info, err := os.Stat(path); err == nil && !named && kind&fs.ModeSymlink != 0 && info.Mode().IsRegular() {
		p.given.Text("link", path)
		return p.given.File("content", path)
	}
	if !kind.IsRegular() {
		p.given.Text("no file", path, kind.String())
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	sum := p.given
	if named && generator.IsGenerated(data) {
		sum = p.ours
	}
	sum.Text("file", path)
	return sum.Content("content", data)
}
