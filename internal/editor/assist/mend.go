package assist

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/text/yamltext"
)

var action = regexp.MustCompile(`\{\{(?:[^}]|\}[^}])*\}\}`)

// plain returns a text with spaces in place of tabs, as people mean them, and comments in place of template actions.
func plain(text []byte) []byte {
	text = bytes.ReplaceAll(text, []byte("\t"), []byte(" "))
	if yamltext.IsTemplate(text) {
		for _, m := range action.FindAllIndex(text, -1) {
			for i := m[0]; i < m[1]; i++ {
				if text[i] != '\n' && text[i] != '\r' {
					text[i] = '#'
				}
			}
		}
	}
	return text
}

// inAction reports whether a text ends in a template action.
func inAction(text []byte) bool {
	line := text[lineStart(text):]
	return bytes.LastIndex(line, []byte("{{")) > bytes.LastIndex(line, []byte("}}"))
}

// lineStart returns where the last line of a text begins.
func lineStart(text []byte) int { return bytes.LastIndexByte(text, '\n') + 1 }

var (
	blanks = regexp.MustCompile(`^ *`)
	// dashes matches what is before the content of a line.
	dashes = regexp.MustCompile(`^ *(?:- +)*`)
	// head matches the part of a line that says where it belongs.
	head = regexp.MustCompile(`^ *(?:- +)*(?:"[^"]*" *|'[^']*' *|[^ "'#{}\[\]&*!|>%@,?:-][^"'#{}\[\]]*?):(?: |$)|^ *[\w./-]+$|^ *(?:- +)*-(?: |$)`)
	// needed matches the value of a line that can be that of a kind, or says that a text follows.
	needed = regexp.MustCompile(`^ +(?:[\w./-]+|[|>][-+\d]*)$`)
	// continuing matches the beginning of a line in block style.
	continuing = regexp.MustCompile(`^[-\w]`)
)

// mended returns what matters before and after an offset of a document, so that it does not matter what is broken elsewhere: its line up to
// an end, or the lines since a bracket that is open there, with the brackets closed, and the heads of the lines that are not indented deeper
// than it and those between.
func mended(text []byte, at, end int) (before, after []byte) {
	open, closers := brackets(text[:at])
	first := lineStart(text[:open])
	column := len(dashes.Find(text[first:at]))
	limit, columns, isBelow := column, map[int]bool{column: true}, false
	headOf := func(line []byte) []byte {
		line = bytes.TrimRight(line, " \r\n")
		h := bytes.TrimRight(head.Find(line), " ")
		indent := len(blanks.Find(h))
		if len(h) == 0 || indent > limit || isBelow && !columns[indent] {
			return nil
		}
		limit, columns[indent], columns[len(dashes.Find(h))] = indent, true, true
		switch last := h[len(h)-1]; {
		case last == ':' && needed.Match(line[len(h):]):
			h = line
		case last != ':' && last != '-':
			return slices.Concat(h, []byte(":\n"))
		}
		return slices.Concat(h, []byte("\n"))
	}
	var above [][]byte
	for end := first; end > 0; {
		start := lineStart(text[:end-1])
		above = append(above, headOf(text[start:end]))
		end = start
	}
	slices.Reverse(above)
	before = append(bytes.Join(above, nil), text[first:at]...)
	after = slices.Concat(text[at:end], []byte(" "+closers+"\n"))
	if open == first && closers != "" { // nothing that follows JSON belongs to it
		return before, after
	}
	_, below, _ := bytes.Cut(text[at:], []byte("\n"))
	limit, isBelow = column, true
	for line := range bytes.Lines(below) {
		after = append(after, headOf(line)...)
	}
	return before, after
}

// brackets returns where the outermost bracket is that is open at the end of a text, or the end, and what closes the open ones. Quotes end
// with their lines, and brackets before a line that continues the block around them.
func brackets(text []byte) (at int, closers string) {
	var open []int
	quote, last := byte(0), byte('\n') // the last character that is not a blank
	column, outer := 0, 0              // of the line, and of the block around the brackets
	for i, c := range text {
		begins := strings.IndexByte("\n:,[{-", last) >= 0
		switch {
		case c == '\n':
			column = len(blanks.Find(text[i+1:]))
			if quote = 0; column <= outer && continuing.Match(text[i+1+column:]) {
				open = nil
			}
		case quote != 0:
			if c == quote && last != '\\' {
				quote = 0
			}
		case (c == '"' || c == '\'') && begins:
			quote = c
		case (c == '[' || c == '{') && (begins || len(open) > 0):
			if len(open) == 0 {
				if outer = column; last == '\n' {
					outer--
				}
			}
			open = append(open, i)
		case (c == ']' || c == '}') && len(open) > 0:
			open = open[:len(open)-1]
		}
		if c != ' ' && c != '\r' {
			last = c
		}
	}
	if len(open) == 0 {
		return len(text), ""
	}
	var b []byte
	for _, i := range slices.Backward(open) {
		b = append(b, text[i]+2) // the brackets that close are two characters after those
	}
	return open[0], string(b)
}
