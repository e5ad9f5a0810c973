package cost

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/prune-gen/prune-gen/hack/bench/report"
	"github.com/prune-gen/prune-gen/hack/bench/scratch"
)

const minLinted = 50 // CRDs a second

// lint measures the lint command on the corpus, as a user runs it.
func lint(ctx context.Context, e *Env) (*report.Cost, error) {
	files, err := e.Files(ctx)
	if err != nil {
		return nil, err
	}
	m, err := scratch.New(ctx)
	if err != nil {
		return nil, err
	}
	defer m.Remove()
	if _, err := m.Go(ctx, "build", "-o", "prune-gen.exe", "github.com/prune-gen/prune-gen/cmd/prune-gen"); err != nil {
		return nil, err
	}
	crds, largest, total := 0, 0, 0
	for i, file := range files {
		found, err := loadFile(file)
		if err != nil {
			return nil, err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if err := m.Write(fmt.Sprintf("crds/%05d%s", i, filepath.Ext(file)), data); err != nil {
			return nil, err
		}
		crds, largest, total = crds+len(found), max(largest, len(data)), total+len(data)
	}
	peak := 0.0
	took, err := e.median("linting the corpus", func() (spent, error) {
		s, most, err := lintDir(ctx, m.Path("prune-gen.exe"), m.Path("crds"))
		peak = max(peak, most)
		return s, err
	})
	if err != nil {
		return nil, err
	}
	speed := float64(crds) / took.wall.Seconds()
	met := speed >= minLinted
	r := &report.Cost{Table: report.Table{
		Title: "Lint",
		Note: fmt.Sprintf("prune-gen lint on every file of the corpus that has a CRD in it, duplicates included: %d files, %s, the largest of %s. "+
			"Peak memory is all that the process ever had of the system.", len(files), report.Bytes(float64(total)), report.Bytes(float64(largest))),
		Header: []string{"what", "CRDs", "processor time", "time", "CRDs/s", "peak memory", "goal"},
		Rows: [][]string{{"prune-gen lint", fmt.Sprint(crds), report.Duration(took.cpu), report.Duration(took.wall), fmt.Sprintf("%.0f", speed), report.Bytes(peak),
			fmt.Sprintf("%s (at least %d/s)", report.Verdict(met), minLinted)}},
	}}
	r.Headline(met, "Linting the corpus: %.0f CRDs a second, %s at most (goal %d a second)", speed, report.Bytes(peak), minLinted)
	return r, nil
}

// lintDir lints a folder and returns the time it took and the memory.
func lintDir(ctx context.Context, exe, dir string) (took spent, peak float64, err error) {
	cmd := exec.CommandContext(ctx, exe, "lint", dir)
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return took, 0, fmt.Errorf("prune-gen lint: %w", err)
	}
	done := make(chan struct{})
	watched := make(chan float64)
	go func() { watched <- watchMemory(cmd.Process.Pid, done) }()
	err = cmd.Wait()
	took.wall = time.Since(start)
	close(done)
	peak = <-watched
	// 1 says that there are CRDs to complain about, which there are.
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil
	}
	if err != nil {
		return took, 0, fmt.Errorf("prune-gen lint: %w", err)
	}
	took.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if peak == 0 {
		return took, 0, errors.New("the system does not say how much memory a process has: this needs /proc")
	}
	return took, peak, nil
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
