package input

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/text/objects"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// Text is a file with manifests.
type Text struct {
	*objects.Text
	Path string // of a file on disk, else ""
	// Wrong says why the file cannot be read, nil if it can.
	Wrong *structural.Finding
}

// opened is a file that is open for reading.
type opened struct {
	objects.Source
	path string // of a file on disk, else ""
	// wrong says why the file cannot be read, nil if it can.
	wrong *structural.Finding
}

// EachText reads the files that args name, one after the other, and calls use with each; done and total count the files. It
// returns an error if there is no file.
func EachText(args Args, stdin io.Reader, use func(t *Text, done, total int)) error {
	n := each(args, func(f file, done, total int) {
		o, closeFile := open(f, stdin)
		defer closeFile()
		if f.name == stdinArg {
			in := bufio.NewReader(stdin)
			o.Reader = in
			const some = 16 // of what echo prints for an empty variable
			if head, err := in.Peek(some); err == io.EOF && len(bytes.TrimSpace(head)) == 0 {
				o.fail(errors.New("standard input is empty"))
				o.wrong.Hint = "the command that should write to it may have failed"
			}
		}
		use(o.text(args.Meter), done, total)
	})
	if n == 0 && !args.Earlier {
		return fmt.Errorf("no manifest in %s: %s", args.named(), args.looked(0, 0))
	}
	return nil
}

// open opens a file.
func open(f file, stdin io.Reader) (o *opened, closeFile func()) {
	o = &opened{Source: objects.Source{Name: shownName(f.name), Listed: f.listed}}
	if f.name == stdinArg {
		o.Reader = stdin
		return o, func() {}
	}
	o.path = f.name
	if f.err != nil {
		o.fail(f.err)
		if at := f.at; at != nil {
			o.wrong.Message = o.wrong.File + ": " + o.wrong.Message
			o.wrong.File, o.wrong.Line, o.wrong.Column = at.File, at.Line, at.Column
		}
		return o, func() {}
	}
	if f.open != nil {
		r, err := f.open()
		if err != nil {
			o.fail(err)
			return o, func() {}
		}
		o.path, o.Reader, o.Again = "", r, f.open
		return o, func() { r.Close() }
	}
	r, err := os.Open(f.name)
	if err != nil {
		o.fail(err)
		return o, func() {}
	}
	if info, err := r.Stat(); err == nil && info.Mode().IsRegular() {
		o.Again = func() (io.ReadCloser, error) { return os.Open(f.name) }
	}
	o.Reader = r
	return o, func() { r.Close() }
}

func (o *opened) fail(err error) {
	f := unreadable(o.Name, err)
	o.wrong = &f
}

// text begins to read the file: see objects.Open.
func (o *opened) text(m *meter.Meter) *Text {
	text := &objects.Text{Source: o.Source}
	if o.wrong == nil {
		read, err := objects.Open(m, o.Source)
		if err == nil {
			text = read
		} else {
			o.fail(err)
		}
	}
	return &Text{Text: text, Path: o.path, Wrong: o.wrong}
}

// Snippets returns findings in the file with the lines that they are about, if it is held.
func (t *Text) Snippets(found []structural.Finding, lines *yamltext.Lines) []findings.Snippet {
	if lines == nil {
		return findings.Snippets(found, nil)
	}
	return findings.Snippets(found, func(n int) []byte { return lines.Line(t.Data, n) })
}
