// Package findings prints findings: as text for people, and as JSON, SARIF or workflow commands for machines.
package findings

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/structural"
)

// Formats returns the formats of a report, the default first.
func Formats() []string { return []string{"text", "json", "sarif", "github"} }

// Options configures a report.
type Options struct {
	Format  string // one of Formats
	Palette terminal.Palette
	Quiet   bool   // print findings only
	Strict  bool   // count warnings as errors
	Version string // the release of prune-gen, "" for none
}

// Report prints findings and counts them.
type Report struct {
	printer printer
	strict  bool
	tally   Tally
}

// printer prints one format of a report.
type printer interface {
	finding(s Snippet)
	verdict(v Verdict)
	condition(c Condition)
	// finish prints the end of the report, and returns the first error of the writer.
	finish(t Tally) error
}

// New returns a report that is printed to w.
func New(w io.Writer, o Options) *Report {
	r := &Report{strict: o.Strict}
	switch o.Format {
	case "json":
		r.printer = &jsonPrinter{w: w}
	case "sarif":
		r.printer = &sarifPrinter{w: w, version: o.Version, known: Rules()}
	case "github":
		r.printer = &githubPrinter{w: w, quiet: o.Quiet}
	default:
		r.printer = &textPrinter{w: w, paint: o.Palette, quiet: o.Quiet}
	}
	return r
}

// Add prints findings.
func (r *Report) Add(all []Snippet) {
	for _, s := range all {
		if s.Severity == structural.SeverityWarning {
			r.tally.warnings++
		} else {
			r.tally.errors++
		}
		r.printer.finding(s)
	}
}

// Verdict prints a verdict.
func (r *Report) Verdict(v Verdict) { r.printer.verdict(v) }

// Condition prints a condition.
func (r *Report) Condition(c Condition) { r.printer.condition(c) }

// Count adds what t says was read.
func (r *Report) Count(t Tally) {
	r.tally.Files += t.Files
	r.tally.CRDs += t.CRDs
	r.tally.Versions += t.Versions
	r.tally.Passed += t.Passed
	r.tally.Skipped += t.Skipped
}

// Errors returns the number of errors.
func (r *Report) Errors() int { return r.tally.errors }

// Len returns the number of findings.
func (r *Report) Len() int { return r.tally.errors + r.tally.warnings }

// Failed reports whether the findings keep a command from going on.
func (r *Report) Failed() bool { return r.tally.errors > 0 || r.strict && r.tally.warnings > 0 }

// Finish prints the end of the report. The error is that of the writer.
func (r *Report) Finish() error { return r.printer.finish(r.tally) }

// Sort sorts the findings of a file by their place.
func Sort(found []structural.Finding) {
	slices.SortStableFunc(found, func(a, b structural.Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), strings.Compare(a.Message, b.Message))
	})
}

// HasErrors reports whether one of the findings is an error.
func HasErrors(found []structural.Finding) bool {
	return slices.ContainsFunc(found, func(f structural.Finding) bool { return f.Severity == structural.SeverityError })
}
