package cost

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// runWatched runs prune-gen and returns the time it took, its peak memory, and whether it refused its input.
func runWatched(ctx context.Context, exe string, args ...string) (took spent, peak float64, refused bool, err error) {
	cmd := exec.CommandContext(ctx, exe, args...)
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return took, 0, false, fmt.Errorf("prune-gen %s: %w", args[0], err)
	}
	done := make(chan struct{})
	watched := make(chan float64)
	go func() { watched <- watchMemory(cmd.Process.Pid, done) }()
	err = cmd.Wait()
	took.wall = time.Since(start)
	close(done)
	peak = <-watched
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		refused, err = true, nil
	}
	if err != nil {
		return took, 0, false, fmt.Errorf("prune-gen %s: %w", args[0], err)
	}
	took.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if peak == 0 {
		return took, 0, false, errors.New("the system does not say how much memory a process has: this needs /proc")
	}
	return took, peak, refused, nil
}

// watchMemory returns the largest peak that /proc shows for a process until done is closed. What wait4 reports would not
// do: to it, a process begins with the memory of the one that started it.
func watchMemory(pid int, done <-chan struct{}) (peak float64) {
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for {
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		for line := range strings.Lines(string(status)) {
			var kilobytes float64
			if n, _ := fmt.Sscanf(line, "VmHWM: %f kB", &kilobytes); n == 1 {
				peak = max(peak, kilobytes*1024)
			}
		}
		select {
		case <-done:
			return peak
		case <-tick.C:
		}
	}
}
