package cli

import (
	"fmt"
	"io"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
)

// FindingFlags are the flags of commands that print findings.
type FindingFlags struct {
	Output *Choice
	Color  *Choice
	Quiet  *bool
	Strict *bool
}

// FindingFlags adds the flags of commands that print findings.
func (f *Flags) FindingFlags() *FindingFlags {
	return &FindingFlags{
		Output: f.Choice("output", "the format of findings", findings.Formats()...),
		Color:  f.Choice("color", "colour the text", "auto", "always", "never"),
		Quiet:  f.Bool("quiet", false, "print findings only, without lines for CRDs in order and without a summary"),
		Strict: f.Bool("strict", false, "count warnings as errors"),
	}
}

// Text reports whether findings are printed for people.
func (ff *FindingFlags) Text() bool { return ff.Output.Value == findings.Formats()[0] }

// Report returns a report on w.
func (ff *FindingFlags) Report(w io.Writer, isTerminal bool) *findings.Report {
	return findings.New(w, findings.Options{
		Format: ff.Output.Value, Palette: terminal.NewPalette(ff.Color.Value, isTerminal),
		Quiet: *ff.Quiet, Strict: *ff.Strict, Version: ReleaseVersion(),
	})
}

// Finish ends a report. The cause is the error that ended the command, or nil. Finish returns cause, ErrFindings if the
// findings are errors, or the error of writing the report.
func (ff *FindingFlags) Finish(r *findings.Report, cause error) error {
	if ff.Text() && cause != nil && r.Len() == 0 {
		return cause // there is nothing to summarize
	}
	// Machines get a complete report, whatever the cause.
	if err := r.Finish(); err != nil {
		return fmt.Errorf("write the findings: %w", err)
	}
	if cause == nil && r.Failed() {
		return ErrFindings
	}
	return cause
}

// FinishQuietly is Finish, but prints no summary for people if the command succeeded.
func (ff *FindingFlags) FinishQuietly(report *findings.Report, err error) error {
	if err == nil && ff.Text() && !report.Failed() {
		return nil
	}
	return ff.Finish(report, err)
}
