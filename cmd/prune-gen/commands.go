package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// command is one row of the table of commands.
type command struct {
	name    string
	summary string
	run     func(env *environment, args []string) error
}

// commands returns the table, in the order in which help prints it.
func commands() []command {
	return []command{
		{"generate", "write Go functions that prune and check the objects of each kind", runGenerate},
		{"verify", "compare the generated files with what generate would write", runVerify},
		{"lint", "say, with file and line, why a schema is not structural", runLint},
		{"skeleton", "print the skeleton of each schema", runSkeleton},
		{"version", "print the version of prune-gen and of the Kubernetes it mirrors", runVersion},
		{"help", "print the manual of a command", runHelp},
	}
}

// findCommand returns the command that args name and the arguments that are left for it.
func findCommand(args []string) (command, []string, error) {
	if len(args) == 0 {
		return command{"", "", printShortUsage}, nil, nil
	}
	name, rest := args[0], args[1:]
	switch name {
	case "-h", "--help":
		name = "help"
	case "--version":
		name = "version"
	}
	var names []string
	for _, c := range commands() {
		if c.name == name {
			return c, rest, nil
		}
		names = append(names, c.name)
	}
	what := "command"
	if strings.HasPrefix(name, "-") {
		what = "flag"
	}
	err := &usageError{message: fmt.Sprintf("unknown %s %q", what, name), hint: "Run 'prune-gen help' for the commands."}
	if s := closest(strings.TrimLeft(name, "-"), names); s != "" {
		err.hint = fmt.Sprintf("Did you mean 'prune-gen %s'?", s)
	} else if what == "flag" {
		err.hint = "Flags come after the command: prune-gen lint --help"
	}
	return command{}, nil, err
}

// printShortUsage is what prune-gen does when it is not told what to do.
func printShortUsage(env *environment, _ []string) error {
	writeUsage(env.stderr)
	fmt.Fprintln(env.stderr)
	return &usageError{message: "no command given", hint: "Run 'prune-gen help' for the manual."}
}

// runHelp prints the manual of prune-gen or of the command that args name.
func runHelp(env *environment, args []string) error {
	fl := newFlags("help", "[COMMAND]", "Print the manual of a command, or of prune-gen itself.")
	args, err := fl.parse(env, args)
	if err != nil {
		return err
	}
	switch len(args) {
	case 0:
		writeUsage(env.stdout)
		fmt.Fprint(env.stdout, "\nA CRD is a file, a directory, or - for standard input.\n"+
			"Run 'prune-gen help COMMAND' for the flags of a command.\n\n"+
			"Exit status: 0 all is well, 1 the input is at fault, 2 the command line is, 3 prune-gen is.\n")
		return nil
	case 1:
		cmd, _, err := findCommand(args)
		if err != nil {
			return err
		}
		return cmd.run(env, []string{"--help"})
	}
	return &usageError{message: "too many arguments", hint: "Run 'prune-gen help COMMAND'."}
}

func writeUsage(w io.Writer) {
	fmt.Fprint(w, "Usage: prune-gen <command> [flags] CRD...\n\nCommands:\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-10s %s\n", c.name, c.summary)
	}
}

// closest returns the one of words that word was probably meant to be, or nothing.
func closest(word string, words []string) string {
	if word == "" {
		return ""
	}
	// One slip in a short word, two in a longer one: beyond that a guess is more likely to annoy than to help.
	best, limit := "", min(2, max(1, len(word)/3))
	for _, w := range slices.Sorted(slices.Values(words)) {
		if d := distance(word, w); d <= limit {
			best, limit = w, d-1
		}
	}
	if best != "" || len(word) < 3 {
		return best
	}
	for _, w := range slices.Sorted(slices.Values(words)) {
		if strings.HasPrefix(w, word) || strings.HasPrefix(word, w) {
			return w
		}
	}
	return ""
}

// distance counts the bytes to insert, delete, change or swap with their neighbour to get from a to b.
func distance(a, b string) int {
	// Words of the command line can be of any length; those that differ much in it are far apart anyway.
	if d := len(a) - len(b); d > 3 || d < -3 {
		return max(len(a), len(b))
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(a)][len(b)]
}
