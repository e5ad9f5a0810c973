package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/structural"
)

// textPrinter writes for people. A finding looks like this:
//
//	crd.yaml:18:11: error: …properties[spec].type: Required value: must not be empty for specified object fields
//	   |
//	18 |           spec:
//	   |           ^^^^
//	   = crontabs.stable.example.com v1: spec.versions[0].schema.openAPIV3Schema.properties[spec].type
//	   = hint: add type: object
type textPrinter struct {
	w     io.Writer
	paint palette
	quiet bool
	last  textPart
	err   error
}

// textPart is what was written last. An empty line keeps paragraphs apart from all around them.
type textPart uint8

const (
	partNone textPart = iota
	partLine
	partParagraph
)

// begin starts a new part.
func (t *textPrinter) begin(part textPart) {
	if t.last == partParagraph || t.last == partLine && part == partParagraph {
		t.printf("\n")
	}
	t.last = part
}

func (t *textPrinter) printf(format string, args ...any) {
	if _, err := fmt.Fprintf(t.w, format, args...); err != nil && t.err == nil {
		t.err = err
	}
}

func (t *textPrinter) finding(s snippet) {
	severity, mark := t.paint.red("error:"), t.paint.red
	if s.Severity == structural.SeverityWarning {
		severity, mark = t.paint.yellow("warning:"), t.paint.yellow
	}
	// The path is on a line of its own below; here its end is enough to understand the rest.
	message, inPath := s.Message, false
	if s.Path != "" {
		if rest, ok := strings.CutPrefix(message, s.Path+": "); ok {
			message, inPath = endOf(s.Path)+": "+rest, endOf(s.Path) == s.Path
		}
	}
	t.begin(partParagraph)
	t.printf("%s %s %s\n", t.paint.bold(escape(place(s.Finding))+":"), severity, t.paint.bold(escape(message)))

	number := strconv.Itoa(s.Line)
	margin := strings.Repeat(" ", len(number))
	if s.text != "" {
		text, indent, width := s.show()
		t.printf("%s\n", t.paint.blue(margin+" |"))
		t.printf("%s %s\n", t.paint.blue(number+" |"), text)
		t.printf("%s %s%s\n", t.paint.blue(margin+" |"), strings.Repeat(" ", indent), mark(strings.Repeat("^", width)))
	}
	about := nonEmpty(strings.Join(nonEmpty(s.CRD, s.Version), " "))
	if s.Path != "" && !inPath {
		about = append(about, s.Path)
	}
	if len(about) > 0 {
		t.printf("%s %s\n", t.paint.blue(margin+" ="), t.paint.dim(escape(strings.Join(about, ": "))))
	}
	if s.Hint != "" {
		t.printf("%s %s %s\n", t.paint.blue(margin+" ="), t.paint.bold("hint:"), escape(s.Hint))
	}
}

// maxPath is the length from which on a path in the first line of a finding is shortened.
const maxPath = 40

// endOf returns the last two steps of a long path, and the whole of a short one.
func endOf(path string) string {
	if len(path) <= maxPath {
		return path
	}
	end := path
	if i := strings.LastIndexByte(path, '.'); i > 0 {
		if j := strings.LastIndexByte(path[:i], '.'); j > 0 {
			end = path[j+1:]
		}
	}
	return "…" + tail(end, maxPath)
}

// tail returns at most the last n characters of s.
func tail(s string, n int) string {
	i := len(s)
	for ; i > 0 && n > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:i])
		i -= size
	}
	return s[i:]
}

// place writes where a finding is, as compilers do.
func place(f structural.Finding) string {
	switch {
	case f.Line == 0:
		return f.File
	case f.Column == 0:
		return fmt.Sprintf("%s:%d", f.File, f.Line)
	}
	return fmt.Sprintf("%s:%d:%d", f.File, f.Line, f.Column)
}

func nonEmpty(words ...string) []string {
	var out []string
	for _, w := range words {
		if w != "" {
			out = append(out, w)
		}
	}
	return out
}

func (t *textPrinter) verdict(v verdict) {
	if t.quiet {
		return
	}
	t.begin(partLine)
	t.printf("%s  %s  %s  %s", t.paint.green("ok"), t.paint.bold(escape(v.crd)), escape(v.kind),
		escape(strings.Join(v.versions, "  ")))
	if v.file != "" {
		t.printf("  %s", t.paint.dim(escape(v.file)))
	}
	t.printf("\n")
}

func (t *textPrinter) condition(c condition) {
	t.begin(partParagraph)
	t.printf("%s  %s\n", t.paint.yellow("condition"), t.paint.bold(escape(c.CRD)))
	for _, f := range [][2]string{{"type", c.Type}, {"status", c.Status}, {"reason", c.Reason}, {"message", c.Message}} {
		t.printf("  %s: %s\n", f[0], escape(f[1]))
	}
}

func (t *textPrinter) finish(n tally) error {
	if t.quiet {
		return t.err
	}
	t.begin(partLine)
	t.printf("%s: %s, %s\n", t.paint.bold("checked "+n.subject()), colourIf(n.errors, t.paint.red, "error"),
		colourIf(n.warnings, t.paint.yellow, "warning"))
	if n.passed > 0 {
		t.printf("passed over %s: not a CRD\n", count(n.passed, "document"))
	}
	if n.skipped > 0 {
		t.printf("passed over %s: not YAML, and no mention of a CRD\n", count(n.skipped, "file"))
	}
	return t.err
}

// colourIf writes a count, coloured when there is something to count.
func colourIf(n int, colour func(string) string, noun string) string {
	if n == 0 {
		return count(n, noun)
	}
	return colour(count(n, noun))
}
