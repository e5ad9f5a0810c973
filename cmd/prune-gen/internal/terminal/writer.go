package terminal

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// NewWriter returns a writer that passes text on to a terminal, escaped as by EscapeLine, line by line. A character that is written
// in pieces is passed on when it is whole.
func NewWriter(w io.Writer) io.Writer { return &writer{w: w} }

type writer struct {
	w    io.Writer
	rest []byte // the beginning of a character
}

func (t *writer) Write(p []byte) (int, error) {
	text := append(t.rest, p...)
	end := len(text)
	for back := 1; back < utf8.UTFMax && back <= len(text); back++ {
		if c := text[len(text)-back]; utf8.RuneStart(c) {
			if !utf8.FullRune(text[len(text)-back:]) {
				end = len(text) - back
			}
			break
		}
	}
	t.rest = bytes.Clone(text[end:])
	for line := range bytes.Lines(text[:end]) {
		escaped := EscapeLine(string(line))
		if bytes.HasSuffix(line, []byte("\n")) {
			escaped += "\n"
		}
		if _, err := io.WriteString(t.w, escaped); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}
