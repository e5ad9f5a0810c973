package main

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/structural"
)

// snippet is a finding with the piece of the line that it is about.
type snippet struct {
	structural.Finding
	// text is the line, or a window of it where it is long, as it is written; empty where there is none to show.
	text string
	at   int // the offset in text that Column stands for
}

// How much of a line is shown before and after the place that matters. A CRD can be a single line of megabytes.
const (
	runesBefore = 70
	runesAfter  = 60
)

// snippets finds the lines of data that findings are about.
func snippets(data []byte, findings []structural.Finding) []snippet {
	all := make([]snippet, len(findings))
	for i, f := range findings {
		all[i].Finding = f
	}
	if isUTF16(data) {
		return all
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // a parser does not count the byte order mark as a column
	// In the order of the file, so that one pass finds them all, however many there are in one line.
	order := make([]*snippet, 0, len(all))
	for i := range all {
		if all[i].Line > 0 {
			order = append(order, &all[i])
		}
	}
	slices.SortStableFunc(order, func(a, b *snippet) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	number := 0
	for line := range lines(data) {
		if len(order) == 0 {
			break
		}
		number++
		offset, column := 0, 1
		for len(order) > 0 && order[0].Line == number {
			s := order[0]
			order = order[1:]
			for column < s.Column && offset < len(line) {
				_, n := utf8.DecodeRune(line[offset:])
				offset += n
				column++
			}
			if text, at := window(line, offset); !strings.Contains(text, "\x00") { // not text at all
				s.text, s.at = text, at
			}
		}
	}
	return all
}

// isUTF16 tells whether data, which a YAML parser reads all the same, cannot be shown byte by byte.
func isUTF16(data []byte) bool {
	return len(data) > 1 && (data[0] == 0xff && data[1] == 0xfe || data[0] == 0xfe && data[1] == 0xff)
}

// window returns what surrounds offset in line and the offset in that.
func window(line []byte, offset int) (string, int) {
	start, end := offset, offset
	for n := 0; n < runesBefore && start > 0; n++ {
		_, size := utf8.DecodeLastRune(line[:start])
		start -= size
	}
	for n := 0; n < runesAfter && end < len(line); n++ {
		_, size := utf8.DecodeRune(line[end:])
		end += size
	}
	text, at := string(line[start:end]), offset-start
	if start > 0 {
		text, at = "…"+text, at+len("…")
	}
	if end < len(line) {
		text += "…"
	}
	return text, at
}

// show returns the text fit for a terminal, and the cells before the place that matters and below it.
func (s *snippet) show() (text string, indent, width int) {
	before, rest := visible(s.text[:s.at]), s.text[s.at:]
	return before + visible(rest), cells(before), max(1, cells(visible(rest[:tokenLen(rest)])))
}

// visible is escape for a line of a file: a tab is as good as spaces there.
func visible(s string) string { return escape(strings.ReplaceAll(s, "\t", "    ")) }

// tokenLen returns the length of the key or scalar that text starts with.
func tokenLen(text string) int {
	if text == "" {
		return 0
	}
	if q := text[0]; q == '"' || q == '\'' {
		for i := 1; i < len(text); i++ {
			switch {
			case text[i] == '\\' && q == '"':
				i++
			case text[i] == q:
				return i + 1
			}
		}
		return len(text)
	}
	for i, r := range text {
		switch {
		case r == ' ', r == '\t', r == ',', r == '…',
			i > 0 && strings.ContainsRune("]}", r),
			r == ':' && (i+1 == len(text) || strings.ContainsRune(" \t…", rune(text[i+1]))):
			return i
		}
	}
	return len(text)
}

// cells counts the columns that s takes on a terminal.
func cells(s string) int {
	n := 0
	for _, r := range s {
		n += cellsOf(r)
	}
	return n
}

// cellsOf is an approximation: the marks that stand on the character before them take none, the scripts and symbols
// that are set in squares take two.
func cellsOf(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case r >= 0x1100 && r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf, r >= 0xac00 && r <= 0xd7a3, r >= 0xf900 && r <= 0xfaff,
		r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xff60, r >= 0xffe0 && r <= 0xffe6, r >= 0x1f300 && r <= 0x1faff,
		r >= 0x20000 && r <= 0x3fffd:
		return 2
	}
	return 1
}

// cut shortens s to a number of cells.
func cut(s string, width int) string {
	if cells(s) <= width {
		return s
	}
	n := 0
	for i, r := range s {
		if n += cellsOf(r); n > width-1 {
			return s[:i] + "…"
		}
	}
	return s
}
