package output

import (
	"bytes"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/structural"
)

// Change is what happens to a file.
type Change uint8

const (
	Keep Change = iota
	Create
	Update
	Remove
)

// String returns the change as a verb.
func (c Change) String() string { return [...]string{"keep", "create", "update", "remove"}[c] }

// File is a generated file, as it is and as it should be.
type File struct {
	Name     string // below the output directory
	path     string
	old, new []byte      // nil for none
	perm     fs.FileMode // of the old file
}

// Path returns the path of the file.
func (f *File) Path() string { return f.path }

// Change returns what has to happen to the file.
func (f *File) Change() Change {
	switch {
	case f.new == nil:
		return Remove
	case f.old == nil:
		return Create
	case bytes.Equal(withoutCR(f.old), f.new):
		return Keep
	}
	return Update
}

// withoutCR undoes what git does to text files on Windows. Generated files have no carriage returns.
func withoutCR(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

// Stale says what happens to generated files that are not wanted.
type Stale uint8

const (
	RemoveStale Stale = iota
	KeepStale
	EmptyStale
)

// Compare returns the files of a package that exist in a subdirectory or should, sorted by name. The findings are about files
// that are in the way.
func (t *Tree) Compare(sub, pkg string, have map[string]*Existing, want []generator.File, stale Stale) ([]*File, []structural.Finding) {
	var files []*File
	var found []structural.Finding
	wanted := map[string]bool{}
	for _, w := range want {
		wanted[w.Name] = true
		f := t.file(sub, w.Name, have[w.Name])
		f.new = w.Content
		if h := have[w.Name]; h != nil && h.wrong != nil {
			found = append(found, structural.Finding{
				ID: h.wrong.id, File: f.path, Severity: structural.SeverityError,
				Message: h.wrong.message, Hint: "move it away, or generate into another directory",
			})
			continue
		}
		files = append(files, f)
	}
	for name, h := range have {
		if !h.Generated() || wanted[name] || stale == KeepStale {
			continue
		}
		f := t.file(sub, name, h)
		switch {
		case isEmptied(withoutCR(h.Data)):
			f.new = withoutCR(h.Data)
		case stale == EmptyStale:
			f.new = []byte(emptiedText + pkg + "\n")
		}
		files = append(files, f)
	}
	slices.SortStableFunc(files, func(a, b *File) int { return strings.Compare(a.Name, b.Name) })
	return files, found
}

// go generate first lists the files of all packages, then reads one after the other. It fails if a listed file is gone, and
// generates no later package. So under go generate, files that are no longer wanted are emptied, not removed. The build
// constraint keeps them out of the next list. No run removes them: what one run leaves and people commit, the next run must not
// change.
const emptiedText = generator.GeneratedBy + `

//go:build ignore

// Nothing is generated into this file any more: delete it. It was emptied because go generate fails if a file goes away while
// it runs.

package `

func isEmptied(text []byte) bool { return bytes.HasPrefix(text, []byte(emptiedText)) }

// Empties reports whether the file should have nothing in it.
func (f *File) Empties() bool { return isEmptied(f.new) }

// File returns a file that is to have a content, whatever it has now. Links are not followed: the file replaces them.
func (t *Tree) File(name string, content []byte) *File {
	f := &File{Name: name, path: filepath.Join(t.dir, name), new: content}
	if t.root == nil {
		return f
	}
	if info, err := t.root.Lstat(name); err == nil && info.Mode().IsRegular() {
		f.old, f.perm, _ = t.read(name) // one that cannot be read is replaced
	}
	return f
}

// file returns a file of a subdirectory as it is.
func (t *Tree) file(sub, name string, is *Existing) *File {
	name = filepath.Join(sub, name)
	f := &File{Name: name, path: filepath.Join(t.dir, name)}
	if is != nil {
		f.old, f.perm = is.Data, is.perm
	}
	return f
}

// Finding reports a file that has to change.
func (f *File) Finding() structural.Finding {
	message := "the generated file is not up to date"
	switch f.Change() {
	case Create:
		message = "the generated file is missing"
	case Remove:
		message = "the generated file is no longer wanted"
	}
	return structural.Finding{
		ID: findings.IDStale, File: f.path, Severity: structural.SeverityError, Message: message,
		Hint: "run prune-gen generate with the same flags",
	}
}
