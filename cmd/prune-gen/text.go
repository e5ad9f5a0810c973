package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/structural"
)

// textPrinter writes for people. A finding looks like this:
//
//	crd.yaml:18:11: error: Required value: must not be empty for specified object fields
//	   |
//	18 |           spec:
//	   |           ^^^^
//	   = crontabs.stable.example.com v1: spec.versions[0].schema.openAPIV3Schema.properties[spec].type
//	   = hint: add type: object
type textPrinter struct {
	w     io.Writer
	paint palette
	quiet bool
	// open tells that the last thing written was a finding, which an empty line keeps apart from what follows.
	open bool
	err  error
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
	message := s.Message
	if s.Path != "" {
		message = strings.TrimPrefix(message, s.Path+": ")
	}
	if t.open {
		t.printf("\n")
	}
	t.printf("%s %s %s\n", t.paint.bold(escape(place(s.Finding))+":"), severity, t.paint.bold(escape(message)))

	number := strconv.Itoa(s.Line)
	margin := strings.Repeat(" ", len(number))
	if s.text != "" {
		text, indent, width := s.show()
		t.printf("%s\n", t.paint.blue(margin+" |"))
		t.printf("%s %s\n", t.paint.blue(number+" |"), text)
		t.printf("%s %s%s\n", t.paint.blue(margin+" |"), strings.Repeat(" ", indent), mark(strings.Repeat("^", width)))
	}
	if s.Path != "" {
		of := strings.Join(nonEmpty(s.CRD, s.Version), " ")
		if of != "" {
			of += ": "
		}
		t.printf("%s %s\n", t.paint.blue(margin+" ="), t.paint.dim(escape(of+s.Path)))
	}
	if s.Hint != "" {
		t.printf("%s %s %s\n", t.paint.blue(margin+" ="), t.paint.bold("hint:"), escape(s.Hint))
	}
	t.open = true
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
	t.close()
	t.printf("%s  %s  %s  %s\n", t.paint.green("ok"), t.paint.bold(escape(v.crd)), escape(v.kind),
		escape(strings.Join(v.versions, "  ")))
}

func (t *textPrinter) condition(c condition) {
	t.close()
	t.printf("%s  %s\n", t.paint.yellow("condition"), t.paint.bold(escape(c.CRD)))
	for _, f := range [][2]string{{"type", c.Type}, {"status", c.Status}, {"reason", c.Reason}, {"message", c.Message}} {
		t.printf("  %s: %s\n", f[0], escape(f[1]))
	}
	t.open = true
}

// close ends the paragraph of a finding.
func (t *textPrinter) close() {
	if t.open {
		t.printf("\n")
		t.open = false
	}
}

func (t *textPrinter) finish(n tally) error {
	if t.quiet {
		return t.err
	}
	t.close()
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
