//go:build unix

package output

import (
	"os"
	"syscall"
)

var (
	// endingSignals ask a program to end.
	endingSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
	// failingSignals come with a write that fails, and end a program that does not ignore them.
	failingSignals = []os.Signal{syscall.SIGXFSZ}
)

func signalNumber(s os.Signal) int { return int(s.(syscall.Signal)) }
