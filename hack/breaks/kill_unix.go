//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// killWhole sees to it that the tests end with the go command that runs them.
func killWhole(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
