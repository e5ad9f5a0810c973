package measure

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

// CPUModel returns what the processor calls itself, "" where there is no way to know.
func CPUModel() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if name, value, ok := strings.Cut(s.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// Load returns how many processes wanted to run at the same time in the last minute, and whether that is known.
func Load() (float64, bool) {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0, false
	}
	var load float64
	_, err = fmt.Sscan(string(data), &load)
	return load, err == nil
}

// Machine describes what the figures were made with, nothing in it being anybody's business.
func Machine() []string {
	lines := []string{fmt.Sprintf("%s %s/%s, GOMAXPROCS %d", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0))}
	if cpu := CPUModel(); cpu != "" {
		lines = append(lines, cpu)
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			if dep.Path == "k8s.io/apiextensions-apiserver" {
				lines = append(lines, dep.Path+" "+dep.Version)
			}
		}
	}
	return lines
}
