// Package findings prints findings: as text for people, and as JSON, SARIF or workflow commands for machines.
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

// Formats returns the names of the formats of a report, the default first.
func Formats() []string { return []string{"text", "json", "sarif", "github"} }

// Options configures a report.
type Options struct {
	Format  string // one of Formats
	Palette terminal.Palette
	Quiet   bool   // print findings only
	Verbose bool   // name what is skipped
	Strict  bool   // count warnings as errors
	Version string // of prune-gen

	Policy
	// MuteErrors lets ids and comments leave out errors, or make warnings of them. Otherwise only warnings can be
	// left out: a command that did not do its work must not hide why.
	MuteErrors bool
}

// Policy says what becomes of findings by their ids.
type Policy struct {
	Disabled []structural.ID                       // are left out
	Severity map[structural.ID]structural.Severity // of errors and warnings, if it is another
}

// Report prints findings and counts them.
type Report struct {
	printer printer
	options Options
	tally   Tally
	part    *part // nil if the report is not made in parts
}

// part is the current part of a report, and what all parts have printed and counted.
type part struct {
	Policy
	failed  bool
	printed map[string]bool // findings, as text
	counted map[string]bool // files
}

// printer prints one format of a report. It ignores the errors of its writer: standard output keeps the first one until it is
// flushed.
type printer interface {
	finding(s Snippet)
	verdict(v Verdict)
	skipped(s Skipped)
	finish(t Tally)
}

// base is what all printers have. Printers that print verdicts have their own methods.
type base struct {
	w io.Writer
	Options
}

func (b base) printf(format string, args ...any) { fmt.Fprintf(b.w, format, args...) }
func (base) verdict(Verdict)                     {}
func (base) skipped(Skipped)                     {}

// New returns a report that is printed to w.
func New(w io.Writer, o Options) *Report {
	r, b := &Report{options: o}, base{w, o}
	switch o.Format {
	case "json":
		r.printer = &jsonPrinter{base: b}
	case "sarif":
		r.printer = &sarifPrinter{base: b}
	case "github":
		r.printer = &githubPrinter{b}
	default:
		r.printer = &textPrinter{base: b}
	}
	return r
}

// NewCollector returns a report that passes its findings to a function.
func NewCollector(o Options, each func(Snippet)) *Report {
	return &Report{options: o, printer: collector{each: each}}
}

type collector struct {
	base
	each func(Snippet)
}

func (c collector) finding(s Snippet) { c.each(s) }
func (collector) finish(Tally)        {}

// BeginPart begins a part of the report, with more about ids. A finding that several parts have is printed and
// counted once.
func (r *Report) BeginPart(more Policy) {
	if r.part == nil {
		r.part = &part{printed: map[string]bool{}, counted: map[string]bool{}}
	}
	r.part.Policy, r.part.failed = more, false
}

// PartFailed is Failed for the current part, or for a report without parts.
func (r *Report) PartFailed() bool {
	if r.part == nil {
		return r.Failed()
	}
	return r.part.failed
}

// Add prints findings, except those that are left out.
func (r *Report) Add(all []Snippet) {
	for _, s := range all {
		if r.mutes(s) {
			r.tally.muted++
			continue
		}
		s.Severity = r.severity(s.Finding)
		if p := r.part; p != nil {
			p.failed = p.failed || r.fails(s)
			text := fmt.Sprintf("%#v", s.Finding)
			if p.printed[text] {
				continue
			}
			p.printed[text] = true
		}
		r.tally.add(s)
		r.printer.finding(s)
	}
}

// Find prints findings about places whose lines are not shown.
func (r *Report) Find(found ...structural.Finding) { r.Add(Snippets(found, nil)) }

// Unreadable returns the finding that a file cannot be read or written.
func Unreadable(file string, err error) structural.Finding {
	return structural.Finding{ID: structural.IDUnreadable, File: file, Severity: structural.SeverityError, Message: err.Error()}
}

// fails reports whether a finding keeps a command from going on.
func (r *Report) fails(s Snippet) bool {
	return s.Severity == structural.SeverityError || r.options.Strict && s.Severity == structural.SeverityWarning
}

// mutes reports whether a finding is left out.
func (r *Report) mutes(s Snippet) bool {
	disabled := slices.Contains(r.options.Disabled, s.ID) || r.part != nil && slices.Contains(r.part.Disabled, s.ID)
	return (s.ignored || disabled) && (r.options.MuteErrors || s.Severity != structural.SeverityError)
}

// severity returns the severity of a finding in this report. A note stays one: it says that nothing is wrong.
func (r *Report) severity(f structural.Finding) structural.Severity {
	to := r.options.Severity[f.ID]
	if r.part != nil {
		to = cmp.Or(r.part.Severity[f.ID], to)
	}
	if to == "" || f.Severity == structural.SeverityNote || f.Severity == structural.SeverityError && !r.options.MuteErrors {
		return f.Severity
	}
	return to
}

// HasErrors reports whether one of the findings is an error in this report, unless it is left out.
func (r *Report) HasErrors(found []structural.Finding) bool {
	return slices.ContainsFunc(found, func(f structural.Finding) bool { return r.severity(f) == structural.SeverityError })
}

// Verdict prints a verdict.
func (r *Report) Verdict(v Verdict) { r.printer.verdict(v) }

// Skip prints what was skipped, if that is wanted.
func (r *Report) Skip(s Skipped) { r.printer.skipped(s) }

// SkipLink prints and counts a link to a directory, which is not followed.
func (r *Report) SkipLink(name string) {
	r.printer.skipped(Skipped{File: name, Reason: "a link to a directory"})
	r.tally.Links++
}

// Count adds the numbers of t.
func (r *Report) Count(t Tally) {
	if p := r.part; p != nil {
		if p.counted[t.File] {
			return
		}
		p.counted[t.File] = true
	}
	r.tally.Files += t.Files
	r.tally.CRDs += t.CRDs
	r.tally.Versions += t.Versions
	r.tally.Passed += t.Passed
	r.tally.Skipped += t.Skipped
	r.tally.Templates += t.Templates
	r.tally.Manifests = r.tally.Manifests || t.Manifests
	r.tally.Objects += t.Objects
	r.tally.Refused += t.Refused
	r.tally.New += t.New
	r.tally.Pairs += t.Pairs
	r.tally.Unprinted += t.Unprinted
	r.tally.BuiltIn += t.BuiltIn
	r.tally.NoBuiltIn = cmp.Or(r.tally.NoBuiltIn, t.NoBuiltIn)
	r.tally.LeftOut += t.LeftOut
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

// FinishQuietly tells people how many templates and links are skipped.
func (r *Report) FinishQuietly() {
	if t, ok := r.printer.(*textPrinter); ok && !t.Quiet {
		t.lines(r.tally.leftOut())
	}
}

// Fail says why the command ended, if that is not a finding.
func (r *Report) Fail(cause error) { r.tally.failure = cause.Error() }

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
