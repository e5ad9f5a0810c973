//go:build unix

package conformance

import (
	"os"
	"os/exec"
	"syscall"
)

// group makes a program the first of a group, to which the programs belong that it starts.
func group(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// end ends the group of a program.
func end(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGKILL) }
