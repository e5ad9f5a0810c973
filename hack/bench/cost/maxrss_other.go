//go:build !linux

package cost

// maxrssUnit is what the system counts a process's peak memory in.
const maxrssUnit = 1
