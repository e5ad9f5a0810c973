package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/prune-gen/prune-gen/internal/spelling"
)

// Flags is the flag set of one command.
type Flags struct {
	*pflag.FlagSet
	name  string
	args  string // what follows the flags in the usage line
	about string

	examples []Example
	argWords []string
}

// Example is a command line for people to copy.
type Example struct{ Does, Line string }

// SetExamples sets the command lines that the manual begins with.
func (f *Flags) SetExamples(all ...Example) { f.examples = all }

// SetArgWords sets the words that the command takes as arguments, for commands that do not take files.
func (f *Flags) SetArgWords(words ...string) { f.argWords = words }

// ArgWords returns what SetArgWords has set.
func (f *Flags) ArgWords() []string { return f.argWords }

// wordsKey is where a flag has the words that it takes.
const wordsKey = "words"

// SetWords sets the words that a flag takes, as far as they are known.
func (f *Flags) SetWords(name string, words ...string) {
	f.Lookup(name).Annotations = map[string][]string{wordsKey: words}
}

// WordsOf returns the words that a flag takes, as far as they are known.
func WordsOf(f *pflag.Flag) []string { return f.Annotations[wordsKey] }

// NewFlags returns an empty flag set for a command that takes args. The text about is its manual.
func NewFlags(name, args, about string) *Flags {
	set := pflag.NewFlagSet(name, pflag.ContinueOnError)
	set.SortFlags = false
	set.Usage = func() {}
	return &Flags{FlagSet: set, name: name, args: args, about: about}
}

// Parse parses the flags in args and returns the other arguments. The error is pflag.ErrHelp if it printed the manual, and
// a UsageError otherwise.
func (f *Flags) Parse(env *Environment, args []string) ([]string, error) {
	if env.Describe != nil {
		env.Describe(f)
		return nil, pflag.ErrHelp
	}
	switch err := f.FlagSet.Parse(args); {
	case errors.Is(err, pflag.ErrHelp):
		f.writeHelp(env)
		return nil, err
	case err != nil:
		return nil, f.explain(err)
	}
	return f.FlagSet.Args(), nil
}

// ParseCRDs is Parse for commands that need at least one CRD.
func (f *Flags) ParseCRDs(env *Environment, args []string) ([]string, error) {
	args, err := f.Parse(env, args)
	if err == nil && len(args) == 0 {
		return nil, f.Errorf("no CRD given: name a file, a directory, or - for standard input")
	}
	return args, err
}

// Errorf returns a UsageError.
func (f *Flags) Errorf(format string, args ...any) error {
	return &UsageError{Message: fmt.Sprintf(format, args...), Hint: f.hint()}
}

func (f *Flags) hint() string {
	return fmt.Sprintf("Run 'prune-gen %s --help' for the manual.", f.name)
}

func (f *Flags) writeHelp(env *Environment) {
	fmt.Fprintf(env.Stdout, "Usage: prune-gen %s", f.name)
	if f.HasFlags() {
		fmt.Fprint(env.Stdout, " [flags]")
	}
	if f.args != "" {
		fmt.Fprintf(env.Stdout, " %s", f.args)
	}
	fmt.Fprint(env.Stdout, "\n\n")
	if len(f.examples) > 0 {
		fmt.Fprintln(env.Stdout, "Examples:")
		for _, e := range f.examples {
			fmt.Fprintf(env.Stdout, "  # %s\n  %s\n", e.Does, e.Line)
		}
		fmt.Fprintln(env.Stdout)
	}
	fmt.Fprintf(env.Stdout, "%s\n", f.about)
	if f.HasFlags() {
		fmt.Fprintf(env.Stdout, "\nFlags:\n%s", f.FlagUsages())
	}
}

// explain returns the UsageError for an error of the flag parser.
func (f *Flags) explain(err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return f.Errorf("%s", err)
	}
	name := unknown.GetSpecifiedName()
	if unknown.GetSpecifiedShortnames() != "" {
		// pflag reads -output as -o -u -t..., but --output was meant.
		if f.Lookup(unknown.GetSpecifiedShortnames()) != nil {
			return &UsageError{
				Message: "unknown flag -" + unknown.GetSpecifiedShortnames(),
				Hint:    fmt.Sprintf("Did you mean --%s?", unknown.GetSpecifiedShortnames()),
			}
		}
		return f.Errorf("unknown flag -%s", name)
	}
	e := &UsageError{Message: "unknown flag --" + name, Hint: f.hint()}
	var names []string
	f.VisitAll(func(fl *pflag.Flag) { names = append(names, fl.Name) })
	if s := Closest(name, names); s != "" {
		e.Hint = fmt.Sprintf("Did you mean --%s?", s)
	}
	return e
}

// Choice is the value of a flag that takes one of a few words.
type Choice struct {
	Value string
	words []string
}

// Choice adds a flag that takes one of words. The first is the default.
func (f *Flags) Choice(name, usage string, words ...string) *Choice {
	c := &Choice{Value: words[0], words: words}
	f.Var(c, name, usage)
	f.SetWords(name, words...)
	return c
}

func (c *Choice) String() string { return c.Value }
func (c *Choice) Type() string   { return strings.Join(c.words, "|") }

func (c *Choice) Set(word string) error {
	if slices.Contains(c.words, word) {
		c.Value = word
		return nil
	}
	if s := Closest(word, c.words); s != "" {
		return fmt.Errorf("want %s; did you mean %s?", OneOf(c.words), s)
	}
	return fmt.Errorf("want %s", OneOf(c.words))
}

// OneOf lists words: a, b or c.
func OneOf(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// Closest returns the one of words that word most likely stands for: the nearest, or one that begins like it. It returns ""
// if there is none.
func Closest(word string, words []string) string {
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
