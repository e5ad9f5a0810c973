package main

import (
	"fmt"
	"io"
	"strings"
)

// command is a command of prune-gen.
type command struct {
	name    string
	summary string
	start   func(env *environment, args []string) error
}

// commands returns the commands in the order in which help prints them.
func commands() []command {
	return []command{
		{"generate", "write Go functions that prune, normalize and validate the objects of each kind", runGenerate},
		{"verify", "compare the generated files with what generate would write", runVerify},
		{"lint", "report, with file and line, why the API server would refuse a CRD, and where it loses data", runLint},
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

// printShortUsage is the command for an empty command line.
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
		return cmd.start(env, []string{"--help"})
	}
	return &usageError{message: "too many arguments", hint: "Run 'prune-gen help COMMAND'."}
}

func writeUsage(w io.Writer) {
	fmt.Fprint(w, "Usage: prune-gen <command> [flags] CRD...\n\nCommands:\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-10s %s\n", c.name, c.summary)
	}
}
