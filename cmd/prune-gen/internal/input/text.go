package input

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/text"
)

// Text is a file with manifests.
type Text struct {
	Name   string // as findings have it
	Listed bool   // found in a directory
	Data   []byte // as it is in the file
	// Wrong says why the file cannot be read, nil if it can.
	Wrong *structural.Finding
}

// EachText reads the files that args name, one after the other. It calls work with each file and emit with the result; done and
// total count the files. It returns an error if there is no file.
func EachText[T any](args Args, stdin io.Reader, work func(*Text) T, emit func(result T, done, total int)) error {
	files := list(args)
	do := func(f file) T {
		defer func() {
			if r := recover(); r != nil {
				panic(&Panic{Value: r, Stack: debug.Stack(), Name: shownName(f.name)})
			}
		}()
		return work(readText(f, stdin))
	}
	for i, f := range files {
		emit(do(f), i+1, len(files))
	}
	if len(files) == 0 {
		excluded := ""
		if len(args.Exclude) > 0 {
			excluded = ", apart from what is excluded"
		}
		return fmt.Errorf("no manifest in %s: there is no *.yaml, *.yml or *.json file%s", strings.Join(args.Names, ", "), excluded)
	}
	return nil
}

// readText reads a file, and of a larger one as much as shows that it is too large.
func readText(f file, stdin io.Reader) *Text {
	t := &Text{Name: shownName(f.name), Listed: f.listed}
	r, err := stdin, f.err
	if err == nil && f.name != stdinArg {
		var file *os.File
		if file, err = os.Open(f.name); err == nil {
			defer file.Close()
			r = file
		}
	}
	if err == nil {
		t.Data, err = io.ReadAll(io.LimitReader(r, text.MaxSize+1))
	}
	if err != nil {
		t.Wrong = &unreadable(f.name, err).Findings[0]
	}
	return t
}

// Snippets returns findings in the file with the lines that they are about. The lines are those of the decoded text.
func (t *Text) Snippets(found []structural.Finding, lines *text.Lines) []findings.Snippet {
	if len(found) == 0 || lines == nil {
		return findings.Snippets(found, nil)
	}
	data := text.Decode(t.Data)
	return findings.Snippets(found, func(n int) []byte { return lines.Line(data, n) })
}
