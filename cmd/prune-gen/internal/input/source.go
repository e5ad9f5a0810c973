package input

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/meter"
	"github.com/prune-gen/prune-gen/internal/yamltext"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/load"
)

// Source is a file that was read.
type Source struct {
	*load.File
	// Later are the kinds of the CRDs in the file, if these were not read.
	Later []Kind
	// hash is the SHA-256 of the bytes that were read.
	hash   [sha256.Size]byte
	listed bool // found in a directory
	meter  *meter.Meter
	// skipped reports that the file is not YAML and does not mention CRDs.
	skipped bool
	// text reads the file again. Most files are not needed again, so their text is not kept.
	text func() []byte
	// doubts are those of Doubts, nil before they are known.
	doubts []findings.Snippet
}

// read reads a file. Errors are findings in it.
func read(f file, stdin io.Reader, m *meter.Meter) *Source {
	src := &Source{listed: f.listed}
	if f.name == stdinArg {
		src.loadOnce(findings.Stdin, stdin, m)
	} else {
		r, info, err := f.open()
		if err != nil {
			return unreadable(f.name, err)
		}
		defer r.Close()
		if info.Mode().IsRegular() {
			src.load(f.name, r, m)
			src.text = func() []byte { return src.readAgain(f.name) }
		} else {
			src.loadOnce(f.name, r, m)
		}
	}
	if f.listed && src.Foreign {
		return &Source{File: &load.File{Name: f.name}, listed: true, skipped: true}
	}
	return src
}

// load reads a file, and hashes what it reads.
func (src *Source) load(name string, r io.Reader, m *meter.Meter) {
	h := sha256.New()
	src.take(load.Within(m, name, io.TeeReader(r, h)), m)
	h.Sum(src.hash[:0])
}

// take takes over what was read.
func (src *Source) take(f *load.File, m *meter.Meter) {
	src.File, src.meter = f, m
	for _, c := range slices.Concat(src.CRDs, src.Refused) {
		c.Meter = m
	}
	lint.Refused(src.File)
}

// loadOnce reads from what can be read only once.
func (src *Source) loadOnce(name string, r io.Reader, m *meter.Meter) {
	var data bytes.Buffer
	src.load(name, io.TeeReader(r, &data), m)
	src.text = data.Bytes
}

// readAgain returns the text of the file called name, nil if it has changed: its lines are then not those of the findings.
func (src *Source) readAgain(name string) []byte {
	data := ReadAgain(name)
	if sha256.Sum256(data) != src.hash {
		return nil
	}
	return data
}

// unreadable returns a source with the finding that a file cannot be read.
func unreadable(name string, err error) *Source {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err // the finding has the name already
	}
	if name == "" {
		name = `""` // an unset variable of the shell
	}
	f := structural.Finding{
		Rule: structural.RuleUnreadable, File: name, Severity: structural.SeverityError, Message: err.Error(),
	}
	if errors.Is(err, fs.ErrNotExist) {
		f.Hint = hintForMissing(name)
		if isPattern(name) {
			f.Message, f.Hint = "the pattern matches no file", "* matches a part of a name, not directories in between; name a directory to read all files below it"
		}
	}
	return &Source{File: &load.File{Name: name, Findings: []structural.Finding{f}}}
}

// Tally counts the contents of the file.
func (src *Source) Tally() findings.Tally {
	t := findings.Tally{File: src.Name, Files: 1, CRDs: len(src.CRDs), Passed: src.Passed}
	if src.skipped {
		t.Skipped = 1
	}
	for _, c := range src.CRDs {
		t.Versions += len(c.Versions)
	}
	return t
}

// Check returns the findings of the file and those of check about each CRD, sorted, as far as the limits of the run leave room for them.
func (src *Source) Check(check func(*structural.CRD) []structural.Finding) []structural.Finding {
	all := slices.Clone(src.Findings)
	for _, c := range src.CRDs {
		if src.meter.Spent() {
			break // a finding says so
		}
		found := check(c)
		for _, f := range found {
			f.Spend(src.meter)
		}
		all = append(all, found...)
		if !slices.ContainsFunc(found, func(f structural.Finding) bool { return f.Rule == yamltext.RuleTooLarge }) {
			all = append(all, c.TooLarge(src.meter.Err())...)
		}
	}
	findings.Sort(all)
	return all
}

// Doubts returns the findings of the file, and as warnings what the API server would refuse about its CRDs apart from their schemas.
// They are looked for once, however many directives name the file.
func (src *Source) Doubts() []findings.Snippet {
	if src.doubts == nil {
		src.doubts = src.Snippets(src.Check(lint.DefinitionWarnings))
	}
	return src.doubts
}

// Snippets returns findings in the file with the lines that they are about.
func (src *Source) Snippets(found []structural.Finding) []findings.Snippet {
	if len(found) == 0 || src.text == nil {
		return findings.Snippets(found, nil)
	}
	data := yamltext.Decode(src.text())
	return findings.Snippets(found, func(n int) []byte { return src.Lines.Line(data, n) })
}

// GoSnippets returns findings in Go files with the lines that they are about, file by file.
func GoSnippets(found []structural.Finding) []findings.Snippet {
	return findings.ByFile(found, func(file string, found []structural.Finding) []findings.Snippet {
		return findings.Snippets(found, Lines(ReadAgain(file)))
	})
}

// Lines returns a function that returns the nth line of a text, counted from 1.
func Lines(text []byte) func(n int) []byte {
	lines := bytes.Split(text, []byte("\n"))
	return func(n int) []byte {
		if n > len(lines) {
			return nil
		}
		return bytes.TrimSuffix(lines[n-1], []byte("\r"))
	}
}

// ReadAgain returns the text of a file that was read before, as much as was read then, nil if that is no longer possible.
func ReadAgain(name string) []byte {
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, meter.Bytes+1))
	if err != nil {
		return nil
	}
	return data
}
