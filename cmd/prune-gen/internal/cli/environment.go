// Package cli holds what all commands share: their streams, their flags and their kinds of errors.
package cli

import (
	"bufio"
	"fmt"
	"io"

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
}

// StartProgress shows progress on standard error if that is a terminal.
func (env *Environment) StartProgress() *terminal.Progress {
	return terminal.StartProgress(env.Stderr, env.StderrTerminal)
}

// EachText is input.EachText with a progress line, in which doing says what the command does with a file.
func EachText[T any](env *Environment, doing string, args input.Args, work func(*input.Text) T, emit func(T)) error {
	return showing(env, doing, "manifests", args, emit, func(emit func(T, int, int)) error { return input.EachText(args, env.Stdin, work, emit) })
}

// EachSource is input.Each with a progress line, in which doing says what the command does with a file.
func EachSource[T any](env *Environment, doing string, args input.Args, work func(*input.Source) T, emit func(T)) error {
	return showing(env, doing, "CRDs", args, emit, func(emit func(T, int, int)) error { return input.Each(args, env.Stdin, work, emit) })
}

// showing calls each with a function that shows the progress and passes on what it gets to emit.
func showing[T any](env *Environment, doing, what string, args input.Args, emit func(T), each func(func(result T, done, total int)) error) error {
	env.SayIfTyped(what, args.Names)
	p := env.StartProgress()
	defer p.Stop()
	p.Show("looking for files")
	return each(func(result T, done, total int) {
		p.Show("%s: %d of %d files", doing, done, total)
		p.Aside(func() {
			emit(result)
			if env.StdoutTerminal {
				env.Stdout.Flush()
			}
		})
	})
}

// SayIfTyped tells people who have to type what is read.
func (env *Environment) SayIfTyped(what string, names []string) {
	if input.NamesStdin(names) && terminal.Is(env.Stdin) {
		fmt.Fprintf(env.Stderr, "prune-gen: reading %s from the terminal; Ctrl-D ends them\n", what)
	}
}
