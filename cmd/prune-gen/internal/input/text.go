package input

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/internal/meter"
	"github.com/prune-gen/prune-gen/internal/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// Text is a file with manifests.
type Text struct {
	Name   string // as findings have it
	Listed bool   // found in a directory
	Data   []byte // as it is in the file
	// Wrong says why the file cannot be read, nil if it can.
	Wrong *structural.Finding
}

// Opened is a file that is open for reading.
type Opened struct {
	Name   string // as findings have it
	Path   string // of a file on disk, else ""
	Listed bool   // found in a directory
	Reader io.Reader
	Size   int64 // in bytes, 0 if it is not known
	Meter  *meter.Meter
	// Wrong says why the file cannot be read, nil if it can.
	Wrong *structural.Finding
}

// EachText reads the files that args name, one after the other, and calls use with each; done and total count the files. It
// returns an error if there is no file.
func EachText(args Args, stdin io.Reader, use func(text *Text, done, total int)) error {
	return EachOpened(args, stdin, func(f *Opened, done, total int) { use(f.ReadText(), done, total) })
}

// EachOpened is EachText with files that are open, and not yet read.
func EachOpened(args Args, stdin io.Reader, use func(f *Opened, done, total int)) error {
	n := each(args, func(f file, done, total int) {
		o, closeFile := open(f, stdin)
		defer closeFile()
		o.Meter = args.Meter
		if f.name == stdinArg {
			in := bufio.NewReader(stdin)
			o.Reader = in
			if _, err := in.Peek(1); err == io.EOF {
				o.fail(errors.New("standard input is empty"))
				o.Wrong.Hint = "the command that should write to it may have failed"
			}
		}
		use(o, done, total)
	})
	if n == 0 {
		return fmt.Errorf("no manifest in %s: %s", args.named(), args.looked(0, 0))
	}
	return nil
}

// open opens a file.
func open(f file, stdin io.Reader) (o *Opened, closeFile func()) {
	o = &Opened{Name: shownName(f.name), Listed: f.listed}
	if f.name == stdinArg {
		o.Reader = stdin
		return o, func() {}
	}
	o.Path = f.name
	if f.err != nil {
		o.fail(f.err)
		return o, func() {}
	}
	if f.open != nil {
		r, err := f.open()
		if err != nil {
			o.fail(err)
			return o, func() {}
		}
		o.Path, o.Reader = "", r
		return o, func() { r.Close() }
	}
	r, err := os.Open(f.name)
	if err != nil {
		o.fail(err)
		return o, func() {}
	}
	if info, err := r.Stat(); err == nil && info.Mode().IsRegular() {
		o.Size = info.Size()
	}
	o.Reader = r
	return o, func() { r.Close() }
}

func (o *Opened) fail(err error) {
	f := unreadable(o.Name, err)
	o.Wrong = &f
}

// ReadText reads the rest of the file, and of a larger one as much as shows that it is too large.
func (o *Opened) ReadText() *Text {
	t := &Text{Name: o.Name, Listed: o.Listed}
	if o.Wrong == nil {
		var err error
		if t.Data, err = io.ReadAll(o.Meter.Reader(o.Reader)); err != nil {
			o.fail(err)
		}
	}
	t.Wrong = o.Wrong
	return t
}

// Snippets returns findings in the file with the lines that they are about. The lines are those of the decoded text.
func (t *Text) Snippets(found []structural.Finding, lines *yamltext.Lines) []findings.Snippet {
	data := yamltext.Decode(t.Data)
	return findings.Snippets(found, func(n int) []byte { return lines.Line(data, n) })
}
