package output

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/internal/text/unified"
)

// WriteDiff prints how the file has to change: in the form that patch reads, with what is not printable escaped, or as
// one line if the whole file is to be added or removed.
func (f *File) WriteDiff(w io.Writer, paint terminal.Palette) error {
	name := filepath.ToSlash(f.path)
	whole := func(what string, text []byte) error {
		_, err := fmt.Fprintf(w, "%s %s, %s\n", paint.Bold(terminal.Escape(name)+":"), what, findings.Count(bytes.Count(text, []byte("\n")), "line"))
		return err
	}
	switch f.Change() {
	case Create:
		return whole("missing", f.new)
	case Remove:
		return whole("no longer wanted", f.old)
	}
	return WriteUnified(w, paint, name, withoutCR(f.old), f.new)
}

const heads = 2 // the lines --- and +++

// WriteUnified prints how a text has to change to become another: in the form that patch reads, with what is not printable escaped.
func WriteUnified(w io.Writer, paint terminal.Palette, name string, old, new []byte) error {
	n := 0
	for line := range strings.Lines(unified.Diff(name, name, old, new)) {
		line = terminal.EscapeLine(line)
		switch n++; {
		case n <= heads:
			line = paint.Bold(line)
		case strings.HasPrefix(line, "-"):
			line = paint.Red(line)
		case strings.HasPrefix(line, "+"):
			line = paint.Green(line)
		case strings.HasPrefix(line, "@@"):
			line = paint.Blue(line)
		}
		if _, err := io.WriteString(w, line+"\n"); err != nil {
			return err
		}
	}
	return nil
}
