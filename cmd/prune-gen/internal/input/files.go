package input

import (
	"io"
	"os"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/internal/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// EachFile reads the files that args name, whatever is in them, and calls work with the text of each.
func EachFile(args Args, stdin io.Reader, work func(name string, data []byte)) []structural.Finding {
	var unread []structural.Finding
	for _, f := range list(args) {
		data, err := f.bytes(stdin)
		if err != nil {
			unread = append(unread, unreadable(f.name, err).Findings...)
			continue
		}
		work(shownName(f.name), data)
	}
	return unread
}

// bytes returns the content of a file, as much of it as is ever read.
func (f file) bytes(stdin io.Reader) ([]byte, error) {
	if f.err != nil {
		return nil, f.err
	}
	if f.name == stdinArg {
		return io.ReadAll(io.LimitReader(stdin, maxReadAgain))
	}
	r, err := os.Open(f.name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, maxReadAgain))
}

// TextSnippets returns findings in a text with the lines that they are about.
func TextSnippets(found []structural.Finding, data []byte) []findings.Snippet {
	data = yamltext.Decode(data)
	lines := yamltext.NewLines(data)
	return findings.Snippets(found, func(n int) []byte { return lines.Line(data, n) })
}
