package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
)

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
	err := &cli.UsageError{Message: fmt.Sprintf("unknown %s %q", what, name), Hint: "Run 'prune-gen help' for the commands."}
	if s := cli.Closest(strings.TrimLeft(name, "-"), names); s != "" {
		err.Hint = fmt.Sprintf("Did you mean 'prune-gen %s'?", s)
	} else if what == "flag" {
		err.Hint = "Flags come after the command: prune-gen lint --help"
	}
	return command{}, nil, err
}

// printShortUsage is the command for an empty command line.
func printShortUsage(env *cli.Environment, _ []string) error {
	writeUsage(env.Stderr)
	fmt.Fprintln(env.Stderr)
	return &cli.UsageError{Message: "no command given", Hint: "Run 'prune-gen help' for the manual."}
}

// runHelp prints the manual of prune-gen or of the command that args name.
func runHelp(env *cli.Environment, args []string) error {
	fl := cli.NewFlags("help", "[COMMAND]", "Print the manual of a command, or of prune-gen itself.")
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	fl.SetArgWords(names...)
	fl.SetExamples(cli.Example{Does: "the manual of a command", Line: "prune-gen help lint"})
	args, err := fl.Parse(env, args)
	if err != nil {
		return err
	}
	switch len(args) {
	case 0:
		writeUsage(env.Stdout)
		fmt.Fprint(env.Stdout, "\nA CRD is a file, a directory, or - for standard input.\n"+
			"Run 'prune-gen help COMMAND' for the flags of a command.\n\n"+
			"Exit status: 0 success, 1 an error in the input, 2 an error in the command line, 3 a bug in prune-gen.\n")
		return nil
	case 1:
		cmd, _, err := findCommand(args)
		if err != nil {
			return err
		}
		return cmd.run(env, []string{"--help"})
	}
	return &cli.UsageError{Message: "too many arguments", Hint: "Run 'prune-gen help COMMAND'."}
}

func writeUsage(w io.Writer) {
	fmt.Fprint(w, "Usage: prune-gen <command> [flags] CRD...\n\nCommands:\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-11s %s\n", c.name, c.summary)
	}
}
