package input

import (
	"io"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/internal/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// EachFile reads the files that args name, whatever is in them, and calls work with the text of each.
func EachFile(args Args, stdin io.Reader, work func(name string, data []byte)) (unread []structural.Finding) {
	EachText(args, stdin, func(t *Text) *Text { return t }, func(t *Text, _, _ int) {
		if t.Wrong != nil {
			unread = append(unread, *t.Wrong)
		} else {
			work(t.Name, t.Data)
		}
	})
	return unread
}

// TextSnippets returns findings in a text with the lines that they are about.
func TextSnippets(found []structural.Finding, data []byte) []findings.Snippet {
	data = yamltext.Decode(data)
	lines := yamltext.NewLines(data)
	return findings.Snippets(found, func(n int) []byte { return lines.Line(data, n) })
}
