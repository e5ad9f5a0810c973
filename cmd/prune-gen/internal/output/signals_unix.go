//go:build unix

package output

import (
	"os"
	"syscall"
)

// endingSignals ask a program to end.
var endingSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

func signalNumber(s os.Signal) int { return int(s.(syscall.Signal)) }
