package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
)

// FindingFlags are the flags of commands that print findings.
type FindingFlags struct {
	Output *Choice
	Color  *Choice
	Quiet  *bool
	Strict *bool

	// Verbose makes the report name what is skipped.
	Verbose bool

	// Kubernetes is the version of Kubernetes to behave like, by default the newest.
	Kubernetes kubeversion.Version

	report   *findings.Report // the one that Report has returned
	links    map[string]bool  // that it names
	mute     Muting
	limit    *Limit
	disabled idList
	severity severities
	exclude  patternList
}

// Muting says which findings --disable and comments in a file can leave out.
type Muting uint8

const (
	MuteWarnings Muting = iota // errors stay: they say why the command did not do its work
	MuteErrors                 // errors may be muted as well
	MuteNothing                // nothing may be muted, and the formats are text and JSON only: the command has few findings
)

// AddFindingFlags adds the flags of commands that print findings. The text quiet says what --quiet does.
func AddFindingFlags(cmd *cobra.Command, mute Muting, quiet string) *FindingFlags {
	f := cmd.Flags()
	formats := findings.Formats()
	if mute == MuteNothing {
		formats = formats[:2]
	}
	output := AddChoice(cmd, "output", "the format of findings", formats...)
	color := AddChoice(cmd, "color", "colour the text", "auto", "always", "never")
	toldLess := f.Bool("quiet", false, quiet)
	strict := new(bool)
	if mute != MuteNothing {
		f.BoolVar(strict, "strict", false, "count warnings as errors")
	}
	ff := AddIDFlags(cmd, mute)
	ff.Output, ff.Color, ff.Quiet, ff.Strict = output, color, toldLess, strict
	return ff
}

// AddIDFlags adds the flags that say which findings count, and what is read. The result has no report.
func AddIDFlags(cmd *cobra.Command, mute Muting) *FindingFlags {
	f := cmd.Flags()
	ff := &FindingFlags{mute: mute, limit: AddLimit(cmd)}
	if mute != MuteNothing {
		what, change := "warnings", "report warnings with these ids as errors"
		if mute == MuteErrors {
			what, change = "findings", "report findings with these ids as errors or warnings"
		}
		f.Var(&ff.disabled, "disable", "leave out "+what+" with these ids, such as loss/object or loss/*; can be repeated")
		CompleteList(cmd, "disable", idNames()...)
		f.Var(&ff.severity, "severity", change+", as in loss/*=error; can be repeated")
		var changes []string
		for _, name := range idNames() {
			changes = append(changes, name+"="+string(structural.SeverityError), name+"="+string(structural.SeverityWarning))
		}
		CompleteList(cmd, "severity", changes...)
	}
	f.Var(&ff.exclude, "exclude", "do not read files and directories that match, such as charts or **/templates/*.yaml; can be repeated")
	return ff
}

// Policy returns what the flags say about ids.
func (ff *FindingFlags) Policy() findings.Policy {
	return findings.Policy{Disabled: ff.disabled, Severity: ff.severity.of}
}

// Meter returns the meter of the command.
func (ff *FindingFlags) Meter() *meter.Meter { return ff.limit.Meter() }

// Inputs returns the files that names stand for, except those that --exclude names.
func (ff *FindingFlags) Inputs(names []string) input.Args {
	return input.Args{Names: names, Exclude: ff.exclude.patterns, ExcludeFrom: ff.exclude.from, Meter: ff.Meter(), Kubernetes: ff.Kubernetes, Link: ff.skipLink}
}

// skipLink reports a link to a directory, once: a command can read a directory for CRDs and for manifests.
func (ff *FindingFlags) skipLink(name string) {
	if ff.report == nil || ff.links[name] {
		return
	}
	if ff.links == nil {
		ff.links = map[string]bool{}
	}
	ff.links[name] = true
	ff.report.SkipLink(name)
}

// idNames returns all ids.
func idNames() []string {
	var names []string
	for _, r := range findings.IDs() {
		names = append(names, string(r.ID))
	}
	return names
}

// idList is the value of a flag that names ids.
type idList []structural.ID

func (l *idList) String() string { return strings.Join(l.GetSlice(), ",") }
func (l *idList) Type() string   { return "id" }
func (l *idList) GetSlice() []string { // shells offer a flag with this method again
	var names []string
	for _, r := range *l {
		names = append(names, string(r))
	}
	return names
}

func (l *idList) Set(text string) error {
	for _, pattern := range strings.Split(text, ",") {
		ids, err := matching(pattern)
		if err != nil {
			return err
		}
		*l = append(*l, ids...)
	}
	return nil
}

// matching returns the ids that a pattern matches. It is an error if there are none.
func matching(pattern string) (ids []structural.ID, err error) {
	for _, r := range findings.IDs() {
		if findings.MatchesID(pattern, r.ID) {
			ids = append(ids, r.ID)
		}
	}
	if len(ids) > 0 {
		return ids, nil
	}
	if s := Closest(pattern, idNames()); s != "" {
		return nil, fmt.Errorf("unknown id %s; did you mean %s?", pattern, s)
	}
	return nil, fmt.Errorf("unknown id %s; each finding shows its id in brackets", pattern)
}

// severities is the value of a flag that changes the severity of findings by their ids. The last one that names an id counts.
type severities struct {
	words []string
	of    map[structural.ID]structural.Severity
}

func (s *severities) String() string     { return strings.Join(s.words, ",") }
func (s *severities) Type() string       { return "id=severity" }
func (s *severities) GetSlice() []string { return s.words }

func (s *severities) Set(text string) error {
	for _, word := range strings.Split(text, ",") {
		pattern, to, _ := strings.Cut(word, "=")
		ids, err := matching(pattern)
		if err != nil {
			return err
		}
		switch to := structural.Severity(to); to {
		case structural.SeverityError, structural.SeverityWarning:
			for _, id := range ids {
				if s.of == nil {
					s.of = map[structural.ID]structural.Severity{}
				}
				s.of[id] = to
			}
		default:
			return fmt.Errorf("the severity of %s is error or warning, not %q; disable leaves findings out", pattern, to)
		}
		s.words = append(s.words, word)
	}
	return nil
}

// patternList is the value of a flag that names files by patterns.
type patternList struct {
	patterns []string
	from     string // see input.Args
}

func (l *patternList) String() string     { return strings.Join(l.patterns, ",") }
func (l *patternList) Type() string       { return "glob" }
func (l *patternList) GetSlice() []string { return l.patterns }

func (l *patternList) Set(text string) error {
	l.patterns = append(l.patterns, text)
	return input.CheckPattern(text)
}

// RelativeTo makes the patterns relative to dir, the directory of the file that they come from.
func (l *patternList) RelativeTo(dir string) {
	if abs, err := filepath.Abs(dir); err == nil {
		here, _ := filepath.Abs(".")
		l.from, _ = filepath.Rel(abs, here)
	}
}

// Text reports whether findings are printed for people.
func (ff *FindingFlags) Text() bool { return ff.Output.Value == findings.Formats()[0] }

// Report returns a report on w.
func (ff *FindingFlags) Report(w io.Writer, isTerminal bool) *findings.Report {
	ff.report = findings.New(w, findings.Options{
		Format: ff.Output.Value, Palette: terminal.NewPalette(ff.Color.Value, isTerminal),
		Quiet: *ff.Quiet, Verbose: ff.Verbose, Strict: *ff.Strict, Version: BuildVersion(),
		Policy: ff.Policy(), MuteErrors: ff.mute == MuteErrors,
	})
	return ff.report
}

// Streams returns the report of a command whose work is not to report, and the writer for what it says about its work. People
// read findings on standard error and the rest on standard output. Machines read findings on standard output, so nothing else
// may be printed there.
func (ff *FindingFlags) Streams(env *Environment) (*findings.Report, io.Writer) {
	if ff.Text() {
		return ff.Report(env.Stderr, env.StderrTerminal), env.Stdout
	}
	return ff.Report(env.Stdout, env.StdoutTerminal), env.Stderr
}

// Finish ends a report. The cause is the error that ended the command, or nil. Finish returns cause, or ErrFindings if the
// findings are errors.
func (ff *FindingFlags) Finish(r *findings.Report, cause error) error {
	if ff.Text() && cause != nil && r.Len() == 0 {
		return cause // there is nothing to summarize
	}
	// Machines get a complete report, whatever the cause.
	if cause != nil && !errors.Is(cause, ErrFindings) {
		r.Fail(cause)
	}
	r.Finish()
	if cause == nil && r.Failed() {
		return ErrFindings
	}
	return cause
}

// FinishQuietly is Finish, but if the command succeeded, it tells people only about what was skipped.
func (ff *FindingFlags) FinishQuietly(report *findings.Report, err error) error {
	if err == nil && ff.Text() && !report.Failed() {
		report.FinishQuietly()
		return nil
	}
	return ff.Finish(report, err)
}
