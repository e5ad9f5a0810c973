//go:build !unix

package output

import (
	"os"
	"syscall"
)

var (
	// endingSignals ask a program to end.
	endingSignals = []os.Signal{os.Interrupt, syscall.SIGTERM}
	// failingSignals come with a write that fails, and end a program that does not ignore them.
	failingSignals = []os.Signal{}
)

func signalNumber(s os.Signal) int {
	if s == os.Interrupt {
		return 2
	}
	return 15
}
