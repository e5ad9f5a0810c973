package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/internal/base/workers"
)

// The exit status of every command.
const (
	exitOK    = 0 // success
	exitInput = 1 // an error in the input, or the output could not be written
	exitUsage = 2 // an error in the command line or in prune-gen.yaml
	exitOurs  = 3 // a bug in prune-gen
)

// execute runs the command that args name and returns the exit status.
func execute(args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	env := cli.NewEnvironment(stdin, stdout, stderr)
	defer env.Progress.Erase()
	defer func() {
		if r := recover(); r != nil {
			env.Stdout.Flush()
			reportPanic(env.Stderr, r)
			code = exitOurs
		}
	}()
	root := newRoot(env)
	if err := unknownCommand(root, args); err != nil {
		return exitCode(env.Stderr, root.CommandPath(), err)
	}
	root.SetArgs(append([]string{}, args...)) // cobra takes nil for the arguments of the process
	cmd, err := root.ExecuteC()
	if flushErr := env.Stdout.Flush(); flushErr != nil {
		err = fmt.Errorf("write the output: %w", flushErr)
	}
	return exitCode(env.Stderr, cmd.CommandPath(), err)
}

// unknownCommand returns the error for a command line that names no command. Cobra would look at its flags first, which belong to the
// command that is meant. What begins with two underscores is cobra's own, for shells that complete a command line.
func unknownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") || strings.HasPrefix(args[0], "__") {
		return nil
	}
	if cmd, _, _ := root.Find(args[:1]); cmd != root {
		return nil
	}
	return chooseCommand(root, args[:1])
}

// exitCode prints an error of the command called name to w and returns the exit status for it.
func exitCode(w io.Writer, name string, err error) int {
	if err == nil {
		return exitOK
	}
	if errors.Is(err, cli.ErrFindings) {
		return exitInput
	}
	if errors.Is(err, cli.ErrConfig) {
		return exitUsage
	}
	fmt.Fprintf(w, "%s: %s\n", name, terminal.Escape(err.Error()))
	var usage *cli.UsageError
	var internal *cli.InternalError
	switch {
	case errors.As(err, &usage):
		fmt.Fprintf(w, "%s\n", terminal.Escape(cmp.Or(usage.Hint, cli.ManualHint(name))))
		return exitUsage
	case errors.As(err, &internal):
		return exitOurs
	}
	return exitInput
}

// reportPanic reports a panic as a bug.
func reportPanic(w io.Writer, r any) {
	p, at := workers.Recovered(r), ""
	if p.At != "" {
		at = " at " + p.At
	}
	fmt.Fprintf(w, "prune-gen: internal error%s: %s\n", terminal.Escape(at), terminal.Escape(fmt.Sprint(p.Value)))
	fmt.Fprintf(w, "This is a bug in prune-gen. Please report it, with the input that shows it: %s\n", cli.IssuesURL)
	if os.Getenv("PRUNE_GEN_DEBUG") == "" {
		fmt.Fprintf(w, "Set PRUNE_GEN_DEBUG=1 to print the stack.\n")
		return
	}
	for line := range strings.Lines(string(p.Stack)) {
		fmt.Fprintf(w, "%s\n", terminal.EscapeLine(line))
	}
}
