package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/pflag"
)

// What the exit status says, for every command.
const (
	exitOK    = 0 // all is well
	exitInput = 1 // the input is at fault
	exitUsage = 2 // the command line is at fault
	exitOurs  = 3 // prune-gen is at fault, or its output could not be written
)

// environment is what a command sees of the world.
type environment struct {
	stdin  io.Reader
	stdout *bufio.Writer // flushed when the command returns
	stderr io.Writer

	stdoutTerminal bool
	stderrTerminal bool
}

// run is the whole program: it runs the command that args name and returns the exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	env := &environment{
		stdin:          stdin,
		stdout:         bufio.NewWriter(stdout),
		stderr:         stderr,
		stdoutTerminal: isTerminal(stdout),
		stderrTerminal: isTerminal(stderr),
	}
	name := "prune-gen"
	defer func() {
		if r := recover(); r != nil {
			env.stdout.Flush()
			reportPanic(stderr, r)
			code = exitOurs
		}
	}()
	cmd, args, err := findCommand(args)
	if err == nil {
		name += " " + cmd.name
		err = cmd.run(env, args)
	}
	if flushErr := env.stdout.Flush(); flushErr != nil {
		err = &internalError{fmt.Errorf("write the output: %w", flushErr)}
	}
	return exitCode(stderr, strings.TrimSpace(name), err)
}

// exitCode says on w what err has to say, for the command called who, and returns the exit status for it.
func exitCode(w io.Writer, who string, err error) int {
	var usage *usageError
	var internal *internalError
	switch {
	case err == nil, errors.Is(err, pflag.ErrHelp):
		return exitOK
	case errors.Is(err, errFindings):
		return exitInput
	case errors.As(err, &usage):
		fmt.Fprintf(w, "%s: %s\n", who, escape(usage.Error()))
		if usage.hint != "" {
			fmt.Fprintf(w, "%s\n", escape(usage.hint))
		}
		return exitUsage
	case errors.As(err, &internal):
		fmt.Fprintf(w, "%s: %s\n", who, escape(err.Error()))
		return exitOurs
	}
	fmt.Fprintf(w, "%s: %s\n", who, escape(err.Error()))
	return exitInput
}

// errFindings is what a command returns when the input is at fault and it has already been said why.
var errFindings = errors.New("the input has errors")

// usageError is a mistake on the command line. Every other error that a command returns, but an internalError, is the
// input's fault.
type usageError struct {
	message string
	hint    string // a second line that says what to do, or nothing
}

func (e *usageError) Error() string { return e.message }

// internalError is a mistake of ours, or output that could not be written.
type internalError struct{ err error }

func (e *internalError) Error() string { return e.err.Error() }
func (e *internalError) Unwrap() error { return e.err }

// workerPanic carries a panic from the goroutine where it happened to the one that reports it.
type workerPanic struct {
	value any
	stack []byte
	name  string // of the file that was worked on
}

const issuesURL = "https://github.com/prune-gen/prune-gen/issues"

// reportPanic tells the user that the program is broken, and what to send to those who can mend it.
func reportPanic(w io.Writer, r any) {
	stack, at := debug.Stack(), ""
	if p, ok := r.(*workerPanic); ok {
		r, stack, at = p.value, p.stack, " at "+p.name
	}
	fmt.Fprintf(w, "prune-gen: internal error%s: %s\n", escape(at), escape(fmt.Sprint(r)))
	fmt.Fprintf(w, "This is a bug in prune-gen. Please report it, with the input that shows it: %s\n", issuesURL)
	if os.Getenv("PRUNE_GEN_DEBUG") == "" {
		fmt.Fprintf(w, "With PRUNE_GEN_DEBUG=1 the stack is printed, too.\n")
		return
	}
	for line := range lines(stack) {
		fmt.Fprintf(w, "%s\n", escape(string(line)))
	}
}
