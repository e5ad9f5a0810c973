package findings

import (
	"bytes"
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/structural"
)

// Snippet is a finding with the piece of source that it is about.
type Snippet struct {
	structural.Finding
	text string // the line, or a part of a long one; "" for none
	at   int    // the offset of Column in text
	// ignored reports that a comment in the source asks to leave the finding out.
	ignored bool
}

// remarks returns the lines that follow a message, each with the word that it begins with.
func (s *Snippet) remarks() [][2]string {
	var all [][2]string
	for _, cause := range s.Causes {
		all = append(all, [2]string{"also:", cause})
	}
	if s.Hint != "" {
		all = append(all, [2]string{"hint:", s.Hint})
	}
	return all
}

// lines returns the message and the remarks.
func (s *Snippet) lines() []string {
	first, others := textLines(s.ID, s.Message)
	all := append([]string{first}, others...)
	for _, remark := range s.remarks() {
		all = append(all, remark[0]+" "+remark[1])
	}
	return all
}

// The number of characters shown before and after the place of a finding. A CRD can be one line of megabytes.
const (
	runesBefore = 70
	runesAfter  = 60
)

// Snippets returns findings with the lines that they are about. The function line returns the nth line of the source,
// counted from 1; it may be nil.
func Snippets(found []structural.Finding, line func(n int) []byte) []Snippet {
	all := make([]Snippet, len(found))
	var order []*Snippet
	for i, f := range found {
		all[i].Finding = f
		if f.Line > 0 && line != nil {
			order = append(order, &all[i])
		}
	}
	// By place, so that each line is walked once, however many findings it has.
	slices.SortStableFunc(order, func(a, b *Snippet) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	var text []byte
	var ignored []string
	number, offset, column := 0, 0, 1
	for _, s := range order {
		if s.Line != number {
			text, number, offset, column = line(s.Line), s.Line, 0, 1
			ignored = ignoredAt(line, s.Line, commentMark(s.File))
		}
		s.ignored = slices.ContainsFunc(ignored, func(pattern string) bool { return MatchesID(pattern, s.ID) })
		for column < s.Column && offset < len(text) {
			_, n := utf8.DecodeRune(text[offset:])
			offset += n
			column++
		}
		mark := offset
		if s.Column == 0 { // only the line is known
			mark = len(text) - len(bytes.TrimLeft(text, " \t"))
		}
		if piece, at := window(text, mark); !strings.Contains(piece, "\x00") { // a binary file
			s.text, s.at = piece, at
		}
	}
	return all
}

// window returns the text around an offset in a line, and the offset in that text.
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

// Show returns the text fit for a terminal, the columns before the token at the place of the finding, and its width.
func (s *Snippet) Show() (text string, indent, width int) {
	before, rest := visible(s.text[:s.at]), s.text[s.at:]
	return before + visible(rest), terminal.Cells(before), max(1, terminal.Cells(visible(rest[:TokenLen(rest)])))
}

// visible is terminal.Escape for a line of a file, with spaces for tabs.
func visible(s string) string { return terminal.Escape(strings.ReplaceAll(s, "\t", "    ")) }

// TokenLen returns the length of the key or scalar that text starts with.
func TokenLen(text string) int {
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
			r == ':' && (i+1 == len(text) || startsWithAny(text[i+1:], " ", "\t", "…")):
			return i
		}
	}
	return len(text)
}

func startsWithAny(text string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(text, p) })
}

// ignoring matches a comment that names the ids to ignore, on the line of a finding or in the comment above it:
//
//	# prune-gen:ignore loss/object,loss/elements the controller fills them in
var ignoring = regexp.MustCompile(`(?:^|[ \t])(#|//)[ \t]*prune-gen:ignore[ \t]+([^ \t]+)`)

// commentMark returns what a comment in a file begins with.
func commentMark(file string) string {
	if path.Ext(file) == ".go" {
		return "//"
	}
	return "#"
}

// MatchesID reports whether a pattern, such as loss/object or loss/*, matches an id.
func MatchesID(pattern string, id structural.ID) bool {
	ok, err := path.Match(pattern, string(id))
	return ok && err == nil
}

// ignoredAt returns the ids that comments ignore in the nth line: on the line itself, or alone on the lines above it.
func ignoredAt(line func(n int) []byte, n int, mark string) []string {
	ids := ignoredIn(line(n), mark)
	for n--; n > 0; n-- {
		text := bytes.TrimSpace(line(n))
		if !bytes.HasPrefix(text, []byte(mark)) {
			break
		}
		ids = append(ids, ignoredIn(text, mark)...)
	}
	return ids
}

// ignoredIn returns the ids that a comment at the end of a line ignores.
func ignoredIn(text []byte, mark string) []string {
	if !bytes.Contains(text, []byte("prune-gen:ignore")) { // a line can be megabytes long
		return nil
	}
	found := ignoring.FindSubmatch(text)
	if found == nil || string(found[1]) != mark {
		return nil
	}
	return strings.Split(string(found[2]), ",")
}
