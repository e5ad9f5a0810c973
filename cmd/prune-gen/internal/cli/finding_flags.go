package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/structural"
)

// FindingFlags are the flags of commands that print findings.
type FindingFlags struct {
	Output *Choice
	Color  *Choice
	Quiet  *bool
	Strict *bool

	mute     Muting
	disabled ruleList
	exclude  patternList
}

// Muting says which findings --disable and comments in a file can leave out.
type Muting uint8

const (
	MuteWarnings Muting = iota // an error says why the command did not do its work
	MuteErrors                 // too: the command does nothing but report
)

// AddFindingFlags adds the flags of commands that print findings. The text quiet says what --quiet does.
func AddFindingFlags(cmd *cobra.Command, mute Muting, quiet string) *FindingFlags {
	f := cmd.Flags()
	ff := &FindingFlags{
		Output: AddChoice(cmd, "output", "the format of findings", findings.Formats()...),
		Color:  AddChoice(cmd, "color", "colour the text", "auto", "always", "never"),
		Quiet:  f.Bool("quiet", false, quiet),
		Strict: f.Bool("strict", false, "count warnings as errors"),
		mute:   mute,
	}
	what := [...]string{MuteWarnings: "warnings", MuteErrors: "findings"}[mute]
	f.Var(&ff.disabled, "disable", "leave out "+what+" of these rules, such as loss/object or loss/*; can be repeated")
	CompleteList(cmd, "disable", ruleNames()...)
	f.Var(&ff.exclude, "exclude", "do not read files and directories that match, such as charts or **/templates/*.yaml; can be repeated")
	return ff
}

// Disabled returns the rules that --disable names.
func (ff *FindingFlags) Disabled() []structural.Rule { return ff.disabled.rules }

// Inputs returns the files that names stand for, except those that --exclude names.
func (ff *FindingFlags) Inputs(names []string) input.Args {
	return input.Args{Names: names, Exclude: ff.exclude.patterns}
}

// ruleList is the value of a flag that names rules.
type ruleList struct {
	words []string
	rules []structural.Rule
}

func (l *ruleList) String() string { return strings.Join(l.words, ",") }
func (l *ruleList) Type() string   { return "rule" }

// ruleNames returns the names of all rules.
func ruleNames() []string {
	var names []string
	for _, r := range findings.Rules() {
		names = append(names, string(r.ID))
	}
	return names
}

func (l *ruleList) Set(text string) error { return l.add(strings.Split(text, ",")) }

func (l *ruleList) add(words []string) error {
	for _, word := range words {
		n := len(l.rules)
		for _, r := range findings.Rules() {
			if findings.MatchesRule(word, r.ID) {
				l.rules = append(l.rules, r.ID)
			}
		}
		if len(l.rules) == n {
			if s := Closest(word, ruleNames()); s != "" {
				return fmt.Errorf("unknown rule %s; did you mean %s?", word, s)
			}
			return fmt.Errorf("unknown rule %s; each finding shows its rule in brackets", word)
		}
		l.words = append(l.words, word)
	}
	return nil
}

// Append, Replace and GetSlice make it a pflag.SliceValue: a flag that can be repeated.
func (l *ruleList) Append(text string) error { return l.Set(text) }
func (l *ruleList) GetSlice() []string       { return l.words }

func (l *ruleList) Replace(words []string) error {
	*l = ruleList{}
	return l.add(words)
}

// patternList is the value of a flag that names files by patterns.
type patternList struct{ patterns []string }

func (l *patternList) String() string { return strings.Join(l.patterns, ",") }
func (l *patternList) Type() string   { return "glob" }

func (l *patternList) Append(text string) error { return l.Set(text) }
func (l *patternList) GetSlice() []string       { return l.patterns }

func (l *patternList) Replace(patterns []string) error {
	l.patterns = nil
	for _, p := range patterns {
		if err := l.Set(p); err != nil {
			return err
		}
	}
	return nil
}

func (l *patternList) Set(text string) error {
	if err := input.CheckPattern(text); err != nil {
		return err
	}
	l.patterns = append(l.patterns, text)
	return nil
}

// Text reports whether findings are printed for people.
func (ff *FindingFlags) Text() bool { return ff.Output.Value == findings.Formats()[0] }

// Report returns a report on w.
func (ff *FindingFlags) Report(w io.Writer, isTerminal bool) *findings.Report {
	return findings.New(w, findings.Options{
		Format: ff.Output.Value, Palette: terminal.NewPalette(ff.Color.Value, isTerminal),
		Quiet: *ff.Quiet, Strict: *ff.Strict, Version: BuildVersion(),
		Disabled: ff.disabled.rules, MuteErrors: ff.mute == MuteErrors,
	})
}

// Streams returns the report of a command whose work is not to report, and the writer for what it says about its work. People
// read findings on standard error and the rest on standard output. Machines read findings on standard output, and nothing
// else may be there.
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
	r.Finish()
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
