// Package progress says on standard error what is going on.
package progress

import (
	"fmt"
	"os"
)

// terminal reports whether a line can be replaced by the next one.
var terminal = isTerminal()

func isTerminal() bool {
	info, err := os.Stderr.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// Printf shows a line in place of the one before.
func Printf(format string, args ...any) {
	if terminal {
		fmt.Fprintf(os.Stderr, "\r\x1b[K"+format, args...)
		return
	}
	fmt.Fprintf(os.Stderr, format+"\n", args...)
}

// Clear removes the line.
func Clear() {
	if terminal {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
}
