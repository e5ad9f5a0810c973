//go:build !unix

package output

import (
	"os"
	"syscall"
)

// endingSignals ask a program to end.
var endingSignals = []os.Signal{os.Interrupt, syscall.SIGTERM}

func signalNumber(s os.Signal) int {
	if s == os.Interrupt {
		return 2
	}
	return 15
}
