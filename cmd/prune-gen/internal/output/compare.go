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

// Compare returns the files that exist in a subdirectory or should, sorted by name. Generated files that are not wanted
// are among them unless keepStale is set. The findings are about files that are in the way.
func (t *Tree) Compare(sub string, have map[string]*Existing, want []generator.File, keepStale bool) ([]*File, []structural.Finding) {
	var files []*File
	var found []structural.Finding
	wanted := map[string]bool{}
	for _, w := range want {
		wanted[w.Name] = true
		f := t.file(sub, w.Name)
		f.new = w.Content
		if h := have[w.Name]; h != nil {
			if h.wrong != nil {
				found = append(found, structural.Finding{
					Rule: h.wrong.rule, File: f.path, Severity: structural.SeverityError,
					Message: h.wrong.message, Hint: "move it away, or generate into another directory",
				})
				continue
			}
			f.old, f.perm = h.Data, h.perm
		}
		files = append(files, f)
	}
	for name, h := range have {
		if h.Generated() && !wanted[name] && !keepStale {
			f := t.file(sub, name)
			f.old = h.Data
			files = append(files, f)
		}
	}
	slices.SortFunc(files, func(a, b *File) int { return strings.Compare(a.Name, b.Name) })
	return files, found
}

func (t *Tree) file(sub, name string) *File {
	name = filepath.Join(sub, name)
	return &File{Name: name, path: filepath.Join(t.dir, name)}
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
		Rule: findings.RuleStale, File: f.path, Severity: structural.SeverityError, Message: message,
		Hint: "run prune-gen generate with the same flags",
	}
}
