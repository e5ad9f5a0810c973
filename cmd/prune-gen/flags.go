package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/internal/spelling"
)

// flags is the flag set of one command.
type flags struct {
	*pflag.FlagSet
	name  string
	args  string // what follows the flags in the usage line
	about string
}

// newFlags returns an empty flag set for a command that takes args. The manual describes it with about.
func newFlags(name, args, about string) *flags {
	set := pflag.NewFlagSet(name, pflag.ContinueOnError)
	set.SortFlags = false
	set.Usage = func() {}
	return &flags{FlagSet: set, name: name, args: args, about: about}
}

// parse parses the flags in args and returns the other arguments. The error is pflag.ErrHelp if it printed the manual, and
// a usageError otherwise.
func (f *flags) parse(env *environment, args []string) ([]string, error) {
	switch err := f.FlagSet.Parse(args); {
	case errors.Is(err, pflag.ErrHelp):
		f.writeHelp(env)
		return nil, err
	case err != nil:
		return nil, f.explain(err)
	}
	return f.FlagSet.Args(), nil
}

// parseCRDs is parse for commands that need at least one CRD.
func (f *flags) parseCRDs(env *environment, args []string) ([]string, error) {
	args, err := f.parse(env, args)
	if err == nil && len(args) == 0 {
		return nil, f.errorf("no CRD given: name a file, a directory, or - for standard input")
	}
	return args, err
}

// errorf returns a usageError.
func (f *flags) errorf(format string, args ...any) error {
	return &usageError{message: fmt.Sprintf(format, args...), hint: f.hint()}
}

func (f *flags) hint() string {
	return fmt.Sprintf("Run 'prune-gen %s --help' for the manual.", f.name)
}

func (f *flags) writeHelp(env *environment) {
	fmt.Fprintf(env.stdout, "Usage: prune-gen %s", f.name)
	if f.HasFlags() {
		fmt.Fprint(env.stdout, " [flags]")
	}
	if f.args != "" {
		fmt.Fprintf(env.stdout, " %s", f.args)
	}
	fmt.Fprintf(env.stdout, "\n\n%s\n", f.about)
	if f.HasFlags() {
		fmt.Fprintf(env.stdout, "\nFlags:\n%s", f.FlagUsages())
	}
}

// explain returns the usageError for an error of the flag parser.
func (f *flags) explain(err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return f.errorf("%s", err)
	}
	name := unknown.GetSpecifiedName()
	if unknown.GetSpecifiedShortnames() != "" {
		// pflag reads -output as -o -u -t..., but --output was meant.
		if f.Lookup(unknown.GetSpecifiedShortnames()) != nil {
			return &usageError{
				message: "unknown flag -" + unknown.GetSpecifiedShortnames(),
				hint:    fmt.Sprintf("Did you mean --%s?", unknown.GetSpecifiedShortnames()),
			}
		}
		return f.errorf("unknown flag -%s", name)
	}
	e := &usageError{message: "unknown flag --" + name, hint: f.hint()}
	var names []string
	f.VisitAll(func(fl *pflag.Flag) { names = append(names, fl.Name) })
	if s := closest(name, names); s != "" {
		e.hint = fmt.Sprintf("Did you mean --%s?", s)
	}
	return e
}

// choice is the value of a flag that takes one of a few words.
type choice struct {
	value string
	words []string
}

// choice adds a flag that takes one of words. The first is the default.
func (f *flags) choice(name, usage string, words ...string) *choice {
	c := &choice{value: words[0], words: words}
	f.Var(c, name, usage)
	return c
}

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return strings.Join(c.words, "|") }

func (c *choice) Set(word string) error {
	if slices.Contains(c.words, word) {
		c.value = word
		return nil
	}
	if s := closest(word, c.words); s != "" {
		return fmt.Errorf("want %s; did you mean %s?", oneOf(c.words), s)
	}
	return fmt.Errorf("want %s", oneOf(c.words))
}

// oneOf lists words: a, b or c.
func oneOf(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// closest returns the one of words that word is most likely to mean, "" for none: the nearest, or one that begins like it.
func closest(word string, words []string) string {
	if s := spelling.Nearest(word, words); s != "" || len(word) < 3 {
		return s
	}
	for _, w := range slices.Sorted(slices.Values(words)) {
		if strings.HasPrefix(w, word) || strings.HasPrefix(word, w) {
			return w
		}
	}
	return ""
}

// findingFlags are the flags of commands that print findings.
type findingFlags struct {
	output *choice
	color  *choice
	quiet  *bool
	strict *bool
}

// findings adds the flags of commands that print findings.
func (f *flags) findings() *findingFlags {
	return &findingFlags{
		output: f.choice("output", "the format of findings", findings.Formats()...),
		color:  f.choice("color", "colour the text", "auto", "always", "never"),
		quiet:  f.Bool("quiet", false, "print findings only: no line for what is in order, no summary"),
		strict: f.Bool("strict", false, "count warnings as errors"),
	}
}

// text reports whether findings are printed for people.
func (ff *findingFlags) text() bool { return ff.output.value == findings.Formats()[0] }

// report returns a report on w.
func (ff *findingFlags) report(w io.Writer, isTerminal bool) *findings.Report {
	return findings.New(w, findings.Options{
		Format: ff.output.value, Palette: terminal.NewPalette(ff.color.value, isTerminal),
		Quiet: *ff.quiet, Strict: *ff.strict, Version: releaseVersion(),
	})
}

// finish ends a report, given the error that ended the command, or nil. It returns that error, errFindings if the
// findings are errors, or why the report could not be written.
func (ff *findingFlags) finish(r *findings.Report, cause error) error {
	if ff.text() && cause != nil && r.Len() == 0 {
		return cause // a summary of nothing would only be in the way
	}
	// Machines get a complete report, whatever the cause.
	if err := r.Finish(); err != nil {
		return fmt.Errorf("write the findings: %w", err)
	}
	if cause == nil && r.Failed() {
		return errFindings
	}
	return cause
}

// finishQuietly is finish without a summary for people, if the command succeeded.
func (ff *findingFlags) finishQuietly(report *findings.Report, err error) error {
	if err == nil && ff.text() && !report.Failed() {
		return nil
	}
	return ff.finish(report, err)
}
