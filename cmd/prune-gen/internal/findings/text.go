package findings

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/suite"
	"github.com/prune-gen/prune-gen/structural"
)

// textPrinter prints for people. A finding looks like this:
//
//	crd.yaml:18:11: error: …properties[spec].type: Required value: must not be empty for specified object fields [structural/type-required]
//	   |
//	18 |           spec:
//	   |           ^^^^
//	   = crontabs.stable.example.com v1: spec.versions[0].schema.openAPIV3Schema.properties[spec].type
//	   = hint: add type: object
//
// The lines in which cel-go shows a place in an expression follow the first line, indented.
type textPrinter struct {
	base
	last textPart
}

// textPart is a part of the text. Empty lines stand around a paragraph.
type textPart uint8

const (
	partNone textPart = iota
	partLine
	partParagraph
)

// begin begins a new part.
func (t *textPrinter) begin(part textPart) {
	if t.last == partParagraph || t.last == partLine && part == partParagraph {
		t.printf("\n")
	}
	t.last = part
}

func (t *textPrinter) finding(s Snippet) {
	severity, mark := t.Palette.Red("error:"), t.Palette.Red
	switch s.Severity {
	case structural.SeverityWarning:
		severity, mark = t.Palette.Yellow("warning:"), t.Palette.Yellow
	case structural.SeverityNote:
		t.note(s)
		return
	}
	// The path is on a line of its own below; here its end is enough to understand the rest.
	message, hasPath := s.Message, s.HasPath()
	if s.BeginsWithPath() {
		message, hasPath = endOf(s.Path)+": "+s.Body(), endOf(s.Path) == s.Path
	}
	message, lines := textLines(s.ID, message)
	t.begin(partParagraph)
	t.printf("%s %s %s %s\n", t.Palette.Bold(terminal.Escape(place(s.Finding))+":"), severity, t.Palette.Bold(terminal.Escape(message)),
		t.Palette.Dim(terminal.Escape("["+string(s.ID)+"]")))
	for _, line := range lines {
		t.printf("  %s\n", terminal.Escape(line))
	}

	number := strconv.Itoa(s.Line)
	margin := strings.Repeat(" ", len(number))
	if s.text != "" {
		text, indent, width := s.Show()
		t.printf("%s\n", t.Palette.Blue(margin+" |"))
		t.printf("%s %s\n", t.Palette.Blue(number+" |"), text)
		t.printf("%s %s%s\n", t.Palette.Blue(margin+" |"), strings.Repeat(" ", indent), mark(strings.Repeat("^", width)))
	}
	about := nonEmpty(strings.Join(nonEmpty(s.CRD, s.Version), " "), s.Object)
	if s.Path != "" && !hasPath {
		about = append(about, s.Path)
	}
	if len(about) > 0 {
		t.printf("%s %s\n", t.Palette.Blue(margin+" ="), t.Palette.Dim(terminal.Escape(strings.Join(about, ": "))))
	}
	for _, remark := range s.remarks() {
		t.printf("%s %s %s\n", t.Palette.Blue(margin+" ="), t.Palette.Bold(remark[0]), terminal.Escape(remark[1]))
	}
}

// textLines returns the first line of a message and the others. Only messages about CEL expressions, in which cel-go
// points to a place in the expression, and about tests have several; elsewhere a line break is part of a name.
func textLines(id structural.ID, message string) (first string, others []string) {
	if id != lint.IDCELExpression && id != suite.IDFailed {
		return message, nil
	}
	lines := strings.Split(message, "\n")
	return lines[0], lines[1:]
}

// note prints a note, which takes one line.
func (t *textPrinter) note(s Snippet) {
	t.begin(partLine)
	t.printf("%s %s %s %s\n", t.Palette.Bold(terminal.Escape(place(s.Finding))+":"), t.Palette.Green("note:"), terminal.Escape(s.Message),
		t.Palette.Dim(terminal.Escape("["+string(s.ID)+"]")))
}

// maxPath is the length of the longest path that the first line of a finding shows whole.
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
	all := []rune(s)
	return string(all[max(0, len(all)-n):])
}

// place returns the place of a finding as compilers write it.
func place(f structural.Finding) string {
	switch {
	case f.Line == 0:
		return f.File
	case f.Column == 0:
		return fmt.Sprintf("%s:%d", f.File, f.Line)
	}
	return fmt.Sprintf("%s:%d:%d", f.File, f.Line, f.Column)
}

func (t *textPrinter) verdict(v Verdict) {
	if t.Quiet {
		return
	}
	t.begin(partLine)
	t.printf("%s  %s  %s  %s", t.Palette.Green("ok"), t.Palette.Bold(terminal.Escape(v.CRD)), terminal.Escape(v.Kind),
		terminal.Escape(strings.Join(v.Versions, "  ")))
	if v.File != "" {
		t.printf("  %s", t.Palette.Dim(terminal.Escape(v.File)))
	}
	t.printf("\n")
}

func (t *textPrinter) skipped(s Skipped) {
	if t.Quiet || !t.Verbose {
		return
	}
	t.begin(partLine)
	at := s.File
	if s.Line > 0 {
		at += ":" + strconv.Itoa(s.Line)
	}
	t.printf("skipped %s\n", terminal.Escape(strings.Join(nonEmpty(at, s.Object, s.Reason), ": ")))
}

// Why documents and files of manifests are skipped.
const (
	NotObject   = "not a Kubernetes object"
	NotManifest = "no object of a known group"
	Template    = "a template"
)

func (t *textPrinter) finish(n Tally) {
	if t.Quiet {
		return
	}
	t.begin(partLine)
	t.printf("%s\n", n.summary(t.Palette.Bold, colourIf(n.errors, t.Palette.Red), colourIf(n.warnings, t.Palette.Yellow)))
	if said := n.Compared.String(); said != "" {
		t.printf("%s\n", said)
	}
	t.lines(n.skips())
}

func (t *textPrinter) lines(all []string) {
	for _, line := range all {
		t.printf("%s\n", terminal.Escape(line))
	}
}

// colourIf returns colour if n is not 0.
func colourIf(n int, colour func(string) string) func(string) string {
	if n == 0 {
		return func(s string) string { return s }
	}
	return colour
}
