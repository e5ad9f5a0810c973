package output

import (
	"fmt"
	"os"
	"os/signal"
)

// Interrupted is the error of a run that a signal ended. Nothing was written.
type Interrupted struct{ Signal os.Signal }

func (e *Interrupted) Error() string { return fmt.Sprintf("%v; nothing was written", e.Signal) }

// ExitCode returns the exit status of a program that the signal ended, as shells have it.
func (e *Interrupted) ExitCode() int { return 128 + signalNumber(e.Signal) }

// catchSignals keeps signals from ending the program until stop is called. The function interrupted returns the first one
// as an error.
func catchSignals() (interrupted func() error, stop func()) {
	caught := make(chan os.Signal, 1)
	for _, s := range endingSignals {
		if !signal.Ignored(s) { // nohup
			signal.Notify(caught, s)
		}
	}
	var first *Interrupted
	interrupted = func() error {
		select {
		case s := <-caught:
			if first == nil {
				first = &Interrupted{s}
			}
		default:
		}
		if first == nil {
			return nil
		}
		return first
	}
	return interrupted, func() { signal.Stop(caught) }
}
