// Package cli holds what all commands share: their streams, their flags and their kinds of errors.
package cli

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
)

// Environment holds the streams of a command.
type Environment struct {
	Stdin  io.Reader
	Stdout *bufio.Writer // flushed when the command returns
	Stderr io.Writer

	// StdoutTerminal and StderrTerminal report whether the streams are terminals.
	StdoutTerminal bool
	StderrTerminal bool
	// Progress is a line on standard error, nil if that is not a terminal. It makes room for what is written to the streams.
	Progress *terminal.Progress
	// Configured is as in input.Args.
	Configured map[string]input.Place
}

// NewEnvironment returns the environment with these streams.
func NewEnvironment(stdin io.Reader, stdout, stderr io.Writer) *Environment {
	env := &Environment{Stdin: stdin, StdoutTerminal: terminal.Is(stdout), StderrTerminal: terminal.Is(stderr)}
	env.Progress = terminal.NewProgress(stderr, env.StderrTerminal)
	env.Stdout = bufio.NewWriter(env.Progress.Beside(stdout))
	env.Stderr = env.Progress.Beside(stderr)
	return env
}

// EachText is input.EachText with a progress line, in which doing says what the command does with a file.
func EachText(env *Environment, doing string, args input.Args, use func(*input.Text)) error {
	env.SayIfTyped("manifests", args.Names)
	args.Configured = env.Configured
	return input.EachText(args, env.Stdin, showing(env, doing, use))
}

// EachSource is input.Each with a progress line, in which doing says what the command does with a file.
func EachSource(env *Environment, doing string, args input.Args, use func(*input.Source)) error {
	env.SayIfTyped("CRDs", args.Names)
	args.Configured = env.Configured
	return input.Each(args, env.Stdin, showing(env, doing, use))
}

// showing returns a function that shows the progress, calls use, and shows what that printed.
func showing[T any](env *Environment, doing string, use func(T)) func(file T, done, total int) {
	return func(file T, done, total int) {
		env.Progress.Show("%s: %d of %d files", doing, done, total)
		use(file)
		if env.StdoutTerminal {
			env.Stdout.Flush()
		}
	}
}

// SayIfTyped says what is being read if it has to be typed on a terminal.
func (env *Environment) SayIfTyped(what string, names []string) {
	if input.NamesStdin(names) && terminal.Is(env.Stdin) {
		fmt.Fprintf(env.Stderr, "prune-gen: reading %s from the terminal; Ctrl-D ends them\n", what)
	}
}

// ShortPath returns the path relative to the current directory, if that is shorter.
func ShortPath(path string) string {
	here, err := filepath.Abs(".")
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(here, path); err == nil && len(rel) < len(path) {
		return rel
	}
	return path
}
