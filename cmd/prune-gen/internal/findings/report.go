// Package findings prints findings: as text for people, and as JSON, SARIF, JUnit or workflow commands for machines.
package findings

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/structural"
)

// formats returns the formats of a report, the default first.
func formats() []format {
	return []format{
		{"text", func(b base) printer { return &textPrinter{base: b} }},
		{"json", func(b base) printer { return &jsonPrinter{base: b} }},
		{"sarif", func(b base) printer { return &sarifPrinter{base: b} }},
		{"github", func(b base) printer { return &githubPrinter{b} }},
		{"junit", func(b base) printer { return &junitPrinter{base: b} }},
	}
}

type format struct {
	name       string
	newPrinter func(base) printer
}

// Formats returns the names of the formats of a report, the default first.
func Formats() []string {
	var names []string
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return names
}

// Options configures a report.
type Options struct {
	Format  string // one of Formats
	Palette terminal.Palette
	Quiet   bool   // print findings only
	Strict  bool   // count warnings as errors
	Version string // of prune-gen

	// Disabled are the rules whose findings are left out. Like findings that a comment ignores, those that are errors are
	// left out only if MuteErrors is set: a command that goes on without its input must not hide why.
	Disabled   []structural.Rule
	MuteErrors bool
}

// Report prints findings and counts them.
type Report struct {
	printer printer
	options Options
	tally   Tally
	whole   *whole // nil unless this is a part of a report
}

// whole is the report that others are parts of, and what they have added to it.
type whole struct {
	*Report
	printed map[structural.Finding]bool
	counted map[string]bool // files
}

// printer prints one format of a report. It ignores the errors of its writer: standard output keeps the first one until it is
// flushed.
type printer interface {
	finding(s Snippet)
	verdict(v Verdict)
	condition(c Condition)
	finish(t Tally)
}

// base is what all printers have. Printers that print verdicts and conditions have their own methods.
type base struct {
	w io.Writer
	Options
}

func (b base) printf(format string, args ...any) { fmt.Fprintf(b.w, format, args...) }
func (base) verdict(Verdict)                     {}
func (base) condition(Condition)                 {}

// New returns a report that is printed to w.
func New(w io.Writer, o Options) *Report {
	all := formats()
	i := slices.IndexFunc(all, func(f format) bool { return f.name == o.Format })
	return &Report{printer: all[max(0, i)].newPrinter(base{w, o}), options: o}
}

// Parts returns a function that returns parts of the report, each with more disabled rules. What is added to a part is added to
// the report, once if several parts have it. Only the findings of a part decide whether it failed.
func (r *Report) Parts() func(disabled []structural.Rule) *Report {
	w := &whole{Report: r, printed: map[structural.Finding]bool{}, counted: map[string]bool{}}
	return func(disabled []structural.Rule) *Report {
		o := r.options
		o.Disabled = slices.Concat(o.Disabled, disabled)
		return &Report{options: o, whole: w}
	}
}

// Add prints findings, except those that are left out.
func (r *Report) Add(all []Snippet) {
	for _, s := range all {
		if r.mutes(s) {
			r.tally.muted++
			continue
		}
		r.tally.add(s)
		switch w := r.whole; {
		case w == nil:
			r.printer.finding(s)
		case !w.printed[s.Finding]:
			w.printed[s.Finding] = true
			w.tally.add(s)
			w.printer.finding(s)
		}
	}
}

// mutes reports whether a finding is left out.
func (r *Report) mutes(s Snippet) bool {
	return (s.ignored || slices.Contains(r.options.Disabled, s.Rule)) && (r.options.MuteErrors || s.Severity != structural.SeverityError)
}

// Verdict prints a verdict.
func (r *Report) Verdict(v Verdict) { r.printer.verdict(v) }

// Condition prints a condition.
func (r *Report) Condition(c Condition) { r.printer.condition(c) }

// Count adds what t says was read.
func (r *Report) Count(t Tally) {
	if w := r.whole; w != nil && !w.counted[t.File] {
		w.counted[t.File] = true
		w.Count(t)
	}
	r.tally.Files += t.Files
	r.tally.CRDs += t.CRDs
	r.tally.Versions += t.Versions
	r.tally.Passed += t.Passed
	r.tally.Skipped += t.Skipped
	r.tally.Manifests = r.tally.Manifests || t.Manifests
	r.tally.Objects += t.Objects
	r.tally.Refused += t.Refused
	r.tally.UnknownKinds = append(r.tally.UnknownKinds, t.UnknownKinds...)
	if t.Compared != (Compared{}) {
		r.tally.Compared = t.Compared
	}
}

// Errors returns the number of errors.
func (r *Report) Errors() int { return r.tally.errors }

// Len returns the number of findings.
func (r *Report) Len() int { return r.tally.errors + r.tally.warnings + r.tally.notes }

// Failed reports whether the findings keep a command from going on.
func (r *Report) Failed() bool { return r.tally.errors > 0 || r.options.Strict && r.tally.warnings > 0 }

// Finish prints the end of the report.
func (r *Report) Finish() {
	r.tally.UnknownKinds = eachOnce(r.tally.UnknownKinds)
	r.printer.finish(r.tally)
}

// Sort sorts the findings of a file by their place.
func Sort(found []structural.Finding) {
	slices.SortStableFunc(found, func(a, b structural.Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), strings.Compare(a.Message, b.Message))
	})
}

// ByFile returns the findings of each file, sorted by their place, with the lines that snippets adds to them.
func ByFile(found []structural.Finding, snippets func(file string, found []structural.Finding) []Snippet) []Snippet {
	byFile := map[string][]structural.Finding{}
	for _, f := range found {
		byFile[f.File] = append(byFile[f.File], f)
	}
	var all []Snippet
	for _, file := range slices.Sorted(maps.Keys(byFile)) {
		Sort(byFile[file])
		all = append(all, snippets(file, byFile[file])...)
	}
	return all
}

// Errors returns those of the findings that are errors.
func Errors(found []structural.Finding) []structural.Finding {
	return slices.DeleteFunc(slices.Clone(found), func(f structural.Finding) bool { return f.Severity != structural.SeverityError })
}

// HasErrors reports whether one of the findings is an error.
func HasErrors(found []structural.Finding) bool {
	return slices.ContainsFunc(found, func(f structural.Finding) bool { return f.Severity == structural.SeverityError })
}
