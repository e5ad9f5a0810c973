package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
)

// The exit status of every command.
const (
	exitOK    = 0 // all is well
	exitInput = 1 // the input is at fault, or the output could not be written
	exitUsage = 2 // the command line is at fault
	exitOurs  = 3 // prune-gen is at fault
)

const issuesURL = "https://github.com/prune-gen/prune-gen/issues"

// errFindings is the error of a command whose findings are errors. They are printed already.
var errFindings = errors.New("the input has errors")

// usageError is a mistake on the command line. Every error that is neither a usageError nor an internalError is the fault
// of the input, or of the disk that the output goes to.
type usageError struct {
	message string
	hint    string // a second line, "" for none
}

func (e *usageError) Error() string { return e.message }

// internalError is a mistake of prune-gen.
type internalError struct{ err error }

func (e *internalError) Error() string { return e.err.Error() }
func (e *internalError) Unwrap() error { return e.err }

// environment holds the streams of a command.
type environment struct {
	stdin  io.Reader
	stdout *bufio.Writer // flushed when the command returns
	stderr io.Writer

	stdoutTerminal bool
	stderrTerminal bool
}

// startProgress shows progress on standard error if that is a terminal.
func (env *environment) startProgress() *terminal.Progress {
	return terminal.StartProgress(env.stderr, env.stderrTerminal)
}

// eachSource is input.Each with a progress line, in which doing says what the command does with a file.
func eachSource[T any](env *environment, doing string, args []string, work func(*input.Source) T, emit func(T)) error {
	if input.NamesStdin(args) && terminal.Is(env.stdin) {
		fmt.Fprintln(env.stderr, "prune-gen: reading a CRD from the terminal; Ctrl-D ends it")
	}
	p := env.startProgress()
	defer p.Stop()
	p.Show("looking for files")
	return input.Each(args, env.stdin, work, func(result T, done, total int) {
		p.Show("%s: %d of %d files", doing, done, total)
		p.Aside(func() {
			emit(result)
			if env.stdoutTerminal {
				env.stdout.Flush()
			}
		})
	})
}
