package main

import (
	"fmt"
	"io"

	"github.com/prune-gen/prune-gen/structural"
)

// printer writes one form of a report.
type printer interface {
	// finding writes something that is wrong.
	finding(s snippet)
	// verdict writes what a CRD that is in order holds.
	verdict(v verdict)
	// condition writes the condition that Kubernetes would give a CRD.
	condition(c condition)
	// finish writes what belongs at the end.
	finish(t tally) error
}

// verdict says what a CRD holds.
type verdict struct {
	file     string // empty where there is no doubt about it
	crd      string
	kind     string
	versions []string // each with what is worth knowing about it
}

// condition is a condition in the status of a CRD.
type condition struct {
	CRD     string `json:"crd"`
	Type    string `json:"type"`
	Status  string `json:"status"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// tally counts what a report is about.
type tally struct {
	files, crds, versions int
	errors, warnings      int
	passed                int // documents that are not CRDs
	skipped               int // files that are not YAML
}

// subject says what was looked at.
func (t tally) subject() string {
	if t.crds == 0 {
		return count(t.files, "file")
	}
	return fmt.Sprintf("%s with %s in %s", count(t.crds, "CRD"), count(t.versions, "version"), count(t.files, "file"))
}

// reporter prints findings in the form that --output asks for, and counts them.
type reporter struct {
	printer printer
	strict  bool
	tally   tally
}

// findingFlags are the flags of every command that has findings to print.
type findingFlags struct {
	output *choice
	color  *choice
	quiet  *bool
	strict *bool
}

// findings adds the flags that decide how findings are printed.
func (f *flags) findings() *findingFlags {
	return &findingFlags{
		output: f.choice("output", "how findings are printed", "text", "json", "sarif", "github"),
		color:  f.choice("color", "colour the text", "auto", "always", "never"),
		quiet:  f.Bool("quiet", false, "print findings only: no line for what is in order, no summary"),
		strict: f.Bool("strict", false, "count warnings as errors"),
	}
}

// reporter returns a reporter that prints to w, which is or is not a terminal.
func (ff *findingFlags) reporter(w io.Writer, terminal bool) *reporter {
	r := &reporter{strict: *ff.strict}
	switch ff.output.value {
	case "json":
		r.printer = &jsonPrinter{w: w}
	case "sarif":
		r.printer = &sarifPrinter{w: w}
	case "github":
		r.printer = &githubPrinter{w: w, quiet: *ff.quiet}
	default:
		r.printer = &textPrinter{w: w, paint: newPalette(ff.color.value, terminal), quiet: *ff.quiet}
	}
	return r
}

// findings prints what was found in one file.
func (r *reporter) findings(all []snippet) {
	for _, s := range all {
		if s.Severity == structural.SeverityWarning {
			r.tally.warnings++
		} else {
			r.tally.errors++
		}
		r.printer.finding(s)
	}
}

// finish ends the report, given the error that kept the command from going on, or nil. It returns that error, or
// errFindings when the input is at fault.
func (r *reporter) finish(cause error) error {
	if _, text := r.printer.(*textPrinter); text && cause != nil && r.tally.errors+r.tally.warnings == 0 {
		return cause // the summary of nothing is only in the way
	}
	// A machine that reads the output gets a whole one even then.
	if err := r.printer.finish(r.tally); err != nil {
		return &internalError{fmt.Errorf("write the findings: %w", err)}
	}
	if cause != nil {
		return cause
	}
	if r.tally.errors > 0 || r.strict && r.tally.warnings > 0 {
		return errFindings
	}
	return nil
}

// count writes a number with the noun that it counts.
func count(n int, noun string) string {
	switch n {
	case 0:
		return "no " + noun + "s"
	case 1:
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
