package input

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/crd/origin"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/text/objects"
	"github.com/prune-gen/prune-gen/internal/text/report"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
)

// Source is a file that was read.
type Source struct {
	*crdread.File
	// Later are the kinds of the CRDs in the file, if these were not read.
	Later []Kind

	text       *Text
	listed     bool           // found in a directory
	skipped    report.Foreign // why it, or a part of it, is skipped
	meter      *meter.Meter
	kubernetes kubeversion.Version
	doubts     []findings.Snippet // those of Doubts, nil before they are known
}

// Kind is a kind that CRDs in a file define.
type Kind struct {
	crdread.Kind
	// Read reads these CRDs.
	Read func() *Source
}

// read reads a file. Errors are findings in it. CRDs are left for later if that is wanted and their kinds are known.
func read(f file, stdin io.Reader, args Args) *Source {
	m := args.Meter
	o, closeFile := open(f, stdin)
	defer closeFile()
	src := &Source{File: &crdread.File{Name: o.Name}, listed: f.listed, meter: m, kubernetes: args.Kubernetes}
	if o.wrong != nil && args.Mixed {
		return src
	}
	if args.Mixed && o.Again == nil && f.name != stdinArg {
		o.fail(errors.New("a pipe can be read only once, and the CRDs in it are read before the objects"))
		o.wrong.Hint = "name the CRDs with --crd, or pipe the manifests to -"
	}
	if o.wrong != nil {
		src.Findings = []structural.Finding{*o.wrong}
		return src
	}
	text, err := objects.Open(m, o.Source)
	if err == nil && args.Mixed && f.name == stdinArg {
		err = holdStdin(m, text)
	}
	if err != nil {
		src.File = crdread.Unreadable(m, o.Name, err)
		return src
	}
	if args.Mixed && !crdread.MentionsCRDs(m, text) {
		return src
	}
	src.text = &Text{Text: text}
	if args.Later && !text.IsJSON() && !(f.listed && yamltext.IsTemplate(text.Data)) {
		kinds, ok := crdread.Kinds(text.Data)
		for _, kind := range kinds {
			src.Later = append(src.Later, Kind{kind, func() *Source { return src.again(o.Source).parse(kind) }})
		}
		if ok && len(kinds) > 0 {
			if o.Again != nil { // few of many texts are read again
				src.text = nil
			}
			return src
		}
		src.Later = nil
	}
	parsed := src.parse()
	if !f.listed {
		return parsed
	}
	if parsed.Foreign.Whole() {
		src.skipped = parsed.Foreign
		return src
	}
	parsed.skipped = parsed.Foreign
	parsed.Findings, _ = parsed.Foreign.Keep(parsed.Findings)
	return parsed
}

// holdStdin reads all of standard input, which is read once more from memory for the objects in it.
func holdStdin(m *meter.Meter, text *objects.Text) error {
	if err := text.Hold(m); err != nil {
		return err
	}
	if p := text.Count(m); p != nil {
		p.Hint = "with --crd, or in a file, a JSON list can have any size"
		return p
	}
	return nil
}

// again returns the file with its text, which is read again if it is not held.
func (src *Source) again(from objects.Source) *Source {
	if src.text != nil {
		return src
	}
	held := *src
	in, err := from.Again()
	if err == nil {
		defer in.Close()
		from.Reader = in
		var text *objects.Text
		if text, err = objects.Open(src.meter, from); err == nil {
			held.text = &Text{Text: text}
		}
	}
	if err != nil {
		held.File = crdread.Unreadable(src.meter, src.Name, err)
	}
	return &held
}

// parse returns the file with its CRDs, or with those that define kinds.
func (src *Source) parse(kinds ...crdread.Kind) *Source {
	if src.text == nil { // it cannot be read again
		return src
	}
	parsed := &Source{File: crdread.Text(src.meter, src.text.Text, kinds...), text: src.text, listed: src.listed, meter: src.meter, kubernetes: src.kubernetes}
	for _, c := range slices.Concat(parsed.CRDs, parsed.Refused) {
		c.Kubernetes = src.kubernetes
		origin.SetMeter(c, src.meter)
	}
	lint.Refused(parsed.File)
	return parsed
}

// unreadable returns the finding that a file cannot be read.
func unreadable(name string, err error) structural.Finding {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err // the finding has the name already
	}
	if name == "" {
		name = `""` // an unset variable of the shell
	}
	f := findings.Unreadable(name, err)
	if errors.Is(err, fs.ErrNotExist) {
		f.Hint = hintForMissing(name)
		if isPattern(name) {
			f.Message, f.Hint = "the pattern matches no file", "* matches a part of a name, not directories in between; name a directory to read all files below it"
		}
	}
	return f
}

// Tally counts the contents of the file.
func (src *Source) Tally() findings.Tally {
	t := findings.Foreign(src.Name, src.skipped)
	t.CRDs, t.Passed = len(src.CRDs), src.Passed
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
			report.Spend(&f, src.meter)
		}
		all = append(all, found...)
		if !slices.ContainsFunc(found, func(f structural.Finding) bool { return f.ID == yamltext.IDTooLarge }) {
			all = append(all, report.TooLarge(c, src.meter.Err())...)
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
	return src.text.Snippets(found, src.Lines)
}

// Errors returns the errors of the file, with the lines that they are about.
func (src *Source) Errors() []findings.Snippet { return src.Snippets(findings.Errors(src.Findings)) }

// GoSnippets returns findings in Go files with the lines that they are about, file by file.
func GoSnippets(found []structural.Finding) []findings.Snippet {
	return findings.ByFile(found, func(file string, found []structural.Finding) []findings.Snippet {
		text, _ := os.ReadFile(file) // without it, there are no lines
		return findings.Snippets(found, Lines(text))
	})
}

// Lines returns a function that returns the nth line of a Go file, counted from 1: only LF ends a line.
func Lines(text []byte) func(n int) []byte {
	lines := bytes.Split(text, []byte("\n"))
	return func(n int) []byte {
		if n > len(lines) {
			return nil
		}
		return bytes.TrimSuffix(lines[n-1], []byte("\r"))
	}
}
