package yamltext

import (
	"bytes"
	"regexp"
)

const templateHint = "this looks like a template: render it first, for example with helm template"

// maxLine is how long lines are that regular expressions are matched with, which takes long. Longer ones are not written by people.
const maxLine = 4 << 10

// blockStart matches the end of a line after which a block scalar begins.
var blockStart = regexp.MustCompile(`(^|[:?-][ \t]+)([!&][^ \t]*[ \t]+)*[|>][-+0-9]*[ \t]*(#.*)?$`)

// asTemplate returns a problem with a part of the file as one of a template, if it is one.
func (src *source) asTemplate(in part, p *Problem) *Problem {
	if p.ID == IDTooLarge || p.ID == IDTooDeep || invalidByte(in.text) >= 0 { // not a text at all
		return p
	}
	if at := findAction(in.text); at >= 0 {
		p = problemf(IDTemplate, src.place(in.start+at), "invalid YAML: a template action")
		p.Hint, p.syntax = templateHint, true
	}
	return p
}

// IsTemplate reports whether a text has a template action that YAML does not read as text.
func IsTemplate(text []byte) bool { return findAction(text) >= 0 }

// findAction returns where a text has the first template action that YAML does not read as text, -1 if it has none: one outside quotes,
// comments and block scalars, or one with quotes in it that end those around it. A text with such an action is a template if it cannot
// be parsed. Actions that are text are ordinary values: some objects contain templates.
func findAction(text []byte) int {
	block := -1 // how far the key of a block scalar is indented
	for start, end := 0, 0; start < len(text); start = end {
		end = start + asciiLine(text[start:])
		line := bytes.TrimRight(text[start:end], "\r\n")
		rest := bytes.TrimLeft(line, " ")
		indent := len(line) - len(rest)
		if block >= 0 && (len(rest) == 0 || indent > block) {
			continue
		}
		if at := actionInLine(rest); at >= 0 {
			return start + indent + at
		}
		block = blockAfter(line)
	}
	return -1
}

// blockAfter returns how far the key of a block scalar is indented that begins after a line, -1 if none does.
func blockAfter(line []byte) int {
	rest := bytes.TrimLeft(line, " ")
	if len(rest) > maxLine || !blockStart.Match(rest) {
		return -1
	}
	if bytes.IndexByte(rest, ':') >= 0 { // the key is what counts
		for bytes.HasPrefix(rest, []byte("- ")) {
			rest = bytes.TrimLeft(rest[1:], " ")
		}
	}
	return len(line) - len(rest)
}

// actionInLine is findAction for a line that is not in a block scalar.
func actionInLine(line []byte) int {
	quote, before := byte(0), byte(' ') // the quote that is open, and the last character that is not a space
	last := bytes.LastIndex(line, []byte("}}"))
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '{' && i+1 < len(line) && (line[i+1] == '{' || line[i+1] == '%'):
			var action []byte
			ends := i < last
			if ends {
				action, _, _ = bytes.Cut(line[i:], []byte("}}"))
			}
			switch {
			case quote == 0, ends && bytes.ContainsRune(action, rune(quote)):
				return i
			case ends:
				i += len(action) + 1
			}
		case c == quote:
			quote = 0
		case c == '\\' && quote == '"':
			i++
		case quote != 0:
		case c == '#' && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t'):
			return -1
		case (c == '"' || c == '\'') && bytes.IndexByte([]byte(" :-,[{?"), before) >= 0:
			quote = c
		}
		if i < len(line) && line[i] != ' ' && line[i] != '\t' {
			before = line[i]
		}
	}
	return -1
}
