package cost

import (
	"cmp"
	"fmt"
	"slices"
	"syscall"
	"time"

	"github.com/prune-gen/prune-gen/hack/bench/progress"
)

// spent is the time that something took: what passed, and what the processors worked, all of them together. The latter
// tells more where the machine is busy with other things.
type spent struct {
	wall, cpu time.Duration
}

// median measures something a few times and returns the middle one.
func (e *Env) median(what string, once func() (spent, error)) (spent, error) {
	var all []spent
	for round := range e.Rounds {
		progress.Printf("%s, round %d of %d", what, round+1, e.Rounds)
		s, err := once()
		if err != nil {
			return spent{}, err
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b spent) int { return cmp.Compare(a.cpu, b.cpu) })
	return all[len(all)/2], nil
}

// timed measures work in this process.
func timed(work func() error) (spent, error) {
	start, cpu := time.Now(), processorTime()
	err := work()
	return spent{time.Since(start), processorTime() - cpu}, err
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(fmt.Sprintf("read the processor time: %v", err)) // there is nothing in the call that could be wrong
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
