package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// flags is the flag set of one command.
type flags struct {
	*pflag.FlagSet
	command string
	args    string // what stands after the flags in the usage line
	about   string
}

// newFlags returns an empty flag set for a command that takes args and is described by about.
func newFlags(command, args, about string) *flags {
	set := pflag.NewFlagSet(command, pflag.ContinueOnError)
	set.SortFlags = false
	set.Usage = func() {}
	return &flags{FlagSet: set, command: command, args: args, about: about}
}

// parse reads args and returns what is left when the flags are taken out. The error is pflag.ErrHelp after the manual
// was asked for and printed; otherwise it is a usageError.
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

// parseCRDs is parse for commands that read CRDs: without any it is an error.
func (f *flags) parseCRDs(env *environment, args []string) ([]string, error) {
	args, err := f.parse(env, args)
	if err == nil && len(args) == 0 {
		return nil, f.errorf("no CRD given: name a file, a directory, or - for standard input")
	}
	return args, err
}

// errorf returns an error about how the command was called.
func (f *flags) errorf(format string, args ...any) error {
	return &usageError{message: fmt.Sprintf(format, args...), hint: f.hint()}
}

func (f *flags) hint() string {
	return fmt.Sprintf("Run 'prune-gen %s --help' for the manual.", f.command)
}

func (f *flags) writeHelp(env *environment) {
	fmt.Fprintf(env.stdout, "Usage: prune-gen %s", f.command)
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

// explain words an error of the flag parser.
func (f *flags) explain(err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return f.errorf("%s", err)
	}
	name := unknown.GetSpecifiedName()
	if unknown.GetSpecifiedShortnames() != "" {
		// -output is read as -o -u -t...: what was meant is the long flag.
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

// choice is a flag that takes one of a few words.
type choice struct {
	value string
	words []string
}

// choice adds a flag that takes one of words, the first being the default.
func (f *flags) choice(name, usage string, words ...string) *choice {
	c := &choice{value: words[0], words: words}
	f.Var(c, name, usage)
	return c
}

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return strings.Join(c.words, "|") }

func (c *choice) Set(word string) error {
	for _, w := range c.words {
		if w == word {
			c.value = word
			return nil
		}
	}
	if s := closest(word, c.words); s != "" {
		return fmt.Errorf("want %s; did you mean %s?", oneOf(c.words), s)
	}
	return fmt.Errorf("want %s", oneOf(c.words))
}

// oneOf writes words as a sentence does: a, b or c.
func oneOf(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
