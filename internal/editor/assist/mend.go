package assist

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/text/yamltext"
)

var action = regexp.MustCompile(`\{\{(?:[^}]|\}[^}])*\}\}`)

// plain writes spaces in place of tabs, as people mean them, and comments in place of template actions.
func plain(text []byte) {
	if bytes.Contains(text, []byte("{{")) && yamltext.IsTemplate(text) {
		for _, m := range action.FindAllIndex(text, -1) {
			for i := m[0]; i < m[1]; i++ {
				if text[i] != '\n' && text[i] != '\r' {
					text[i] = '#'
				}
			}
		}
	}
	for i, c := range text {
		if c == '\t' {
			text[i] = ' '
		}
	}
}

// lineStart returns where the last line of a text begins.
func lineStart(text []byte) int { return bytes.LastIndexByte(text, '\n') + 1 }

var (
	// dashes matches what is before the content of a line.
	dashes = regexp.MustCompile(`^ *(?:- +)*`)
	// head matches the part of a line that says where it belongs.
	head = regexp.MustCompile(`^ *(?:- +)*(?:"[^"]*" *|'[^']*' *|[^ "'#{}\[\]&*!|>%@,?:-][^"'#{}\[\]]*?):(?: |$)|^ *[\w./-]+$|^ *(?:- +)*-(?: |$)|^ +\{$`)
	// needed matches the value of a line that can be that of a kind, or says that a text follows.
	needed = regexp.MustCompile(`^ +(?:[\w./-]+|"[\w./-]+"|'[\w./-]+'|[|>][-+\d]*)(?: +#.*)?$`)
)

// mended returns what matters of a document before and after an offset, so that it does not matter what is broken elsewhere: the lines from
// the first one on, with what closes their brackets, and the heads of the others that are not indented deeper than it and those between. It
// is false for a large document in which much matters.
func mended(text []byte, first, at int) (before, after []byte, ok bool) {
	column := len(dashes.Find(text[first:at]))
	limit, columns, isBelow, left := column, map[int]bool{column: true}, false, maxWhole
	headOf := func(line []byte) []byte {
		line = bytes.TrimRight(line, " ,\r\n")
		indent := len(line) - len(bytes.TrimLeft(line, " "))
		if indent > limit || isBelow && !columns[indent] || left < 0 {
			return nil
		}
		h := bytes.TrimRight(head.Find(line), " ")
		if len(h) == 0 {
			return nil
		}
		limit, columns[indent], columns[len(dashes.Find(h))] = indent, true, true
		switch last := h[len(h)-1]; {
		case last == ':' && needed.Match(line[len(h):]):
			h = line
		case last == '{': // an element of a list, in JSON
			h = append(bytes.Clone(line[:indent]), '-')
		case last != ':' && last != '-':
			h = slices.Concat(h, []byte(":"))
		}
		left -= len(h)
		return slices.Concat(h, []byte("\n"))
	}
	var above [][]byte
	for end := first; end > 0; {
		start := lineStart(text[:end-1])
		above = append(above, headOf(text[start:end]))
		end = start
	}
	slices.Reverse(above)
	open, closers := brackets(text[first:at])
	before, after = append(bytes.Join(above, nil), text[first:at]...), []byte(" "+closers+"\n")
	if open > 0 { // nothing that follows JSON belongs to it
		limit, isBelow = column, true
		_, below, _ := bytes.Cut(text[at:], []byte("\n"))
		for line := range bytes.Lines(below) {
			after = append(after, headOf(line)...)
		}
	}
	return before, after, left >= 0
}

// brackets returns where the outermost bracket is that is open at the end of a text, or the end, and what closes the open ones. Quotes end
// with their lines.
func brackets(text []byte) (at int, closers string) {
	var open []int
	quote, last := byte(0), byte('\n') // the last character that is not a blank
	for i, c := range text {
		switch {
		case c == ' ' || c == '\r':
			continue
		case c == '\n':
			quote = 0
		case quote != 0:
			if c == quote && last != '\\' {
				quote = 0
			}
		case (c == '"' || c == '\'') && strings.IndexByte("\n:-,[{", last) >= 0:
			quote = c
		case (c == '[' || c == '{') && (len(open) > 0 || strings.IndexByte("\n:-", last) >= 0):
			open = append(open, i)
		case (c == ']' || c == '}') && len(open) > 0:
			open = open[:len(open)-1]
		}
		last = c
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
