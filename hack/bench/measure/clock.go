package measure

import (
	"fmt"
	"time"
)

// Clock says which time is measured.
type Clock string

const (
	// Wall is the time that passes.
	Wall Clock = "wall"
	// CPU is the processor time that the measuring thread gets: a way to get along on a busy machine. It does not see
	// the garbage collector, most of which is at work in other threads.
	CPU Clock = "cpu"
)

// ParseClock returns the clock of that name.
func ParseClock(name string) (Clock, error) {
	switch c := Clock(name); c {
	case Wall, CPU:
		return c, nil
	}
	return "", fmt.Errorf("unknown clock %q: want wall or cpu", name)
}

// now returns a function that reads the clock.
func (c Clock) now() func() time.Duration {
	if c == CPU {
		return processorTime
	}
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}
