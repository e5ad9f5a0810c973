package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/text/spelling"
)

// Choice is the value of a flag that takes one of a few words.
type Choice struct {
	Value string
	words []string
}

// AddChoice adds a flag that takes one of words. The first is the default.
func AddChoice(cmd *cobra.Command, name, usage string, words ...string) *Choice {
	c := &Choice{Value: words[0], words: words}
	cmd.Flags().Var(c, name, usage)
	cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func (c *Choice) String() string { return c.Value }
func (c *Choice) Type() string   { return strings.Join(c.words, "|") }

// Set accepts a word in any case.
func (c *Choice) Set(word string) error {
	if i := slices.IndexFunc(c.words, func(w string) bool { return strings.EqualFold(w, word) }); i >= 0 {
		c.Value = c.words[i]
		return nil
	}
	if s := Closest(word, c.words); s != "" {
		return fmt.Errorf("want %s; did you mean %s?", OneOf(c.words), s)
	}
	return fmt.Errorf("want %s", OneOf(c.words))
}

// CompleteList lets shells complete a flag that takes some of words, separated by commas.
func CompleteList(cmd *cobra.Command, name string, words ...string) {
	cmd.RegisterFlagCompletionFunc(name, func(_ *cobra.Command, _ []string, typed string) (all []string, _ cobra.ShellCompDirective) {
		before := typed[:strings.LastIndex(typed, ",")+1]
		for _, word := range words {
			all = append(all, before+word)
		}
		return all, cobra.ShellCompDirectiveNoFileComp
	})
}

// NeedCRDs is the Args of commands that need at least one CRD.
func NeedCRDs(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return Usagef("no CRD given: name a file, a directory, or - for standard input")
	}
	return nil
}

// NoArguments makes a command refuse arguments, and keeps shells from offering files for them.
func NoArguments(cmd *cobra.Command) {
	cmd.ValidArgsFunction = cobra.NoFileCompletions
	cmd.Args = func(_ *cobra.Command, args []string) error {
		if len(args) > 0 {
			return Usagef("unexpected argument %q", args[0])
		}
		return nil
	}
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

const limitFlag = "--limit"

// Limit is the flag --limit.
type Limit struct {
	times string
	meter *meter.Meter
}

// AddLimit adds the flag of commands that read untrusted input.
func AddLimit(cmd *cobra.Command) *Limit {
	l := &Limit{"1", meter.New(1).RaisedBy(limitFlag)}
	cmd.Flags().Var(l, "limit", "raise the limits on what is read, and on the work it takes, to `n` times as much")
	return l
}

func (l *Limit) String() string { return l.times }
func (l *Limit) Type() string   { return "n" }

func (l *Limit) Set(text string) error {
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil || n == 0 || n > meter.MaxTimes {
		return fmt.Errorf("want a number from 1 to %d", meter.MaxTimes)
	}
	l.times, l.meter = text, meter.New(int(n)).RaisedBy(limitFlag)
	return nil
}

// Meter returns the meter of the command.
func (l *Limit) Meter() *meter.Meter { return l.meter }
