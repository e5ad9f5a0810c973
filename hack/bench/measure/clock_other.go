//go:build !linux

package measure

import (
	"fmt"
	"syscall"
	"time"
)

// processorTime is that of the process, which is as near as this comes to that of a thread.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(fmt.Sprintf("read the processor time: %v", err)) // there is nothing in the call that could be wrong
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
