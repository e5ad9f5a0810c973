//go:build !unix

package conformance

import (
	"os"
	"os/exec"
)

func group(*exec.Cmd) {}

func end(p *os.Process) { p.Kill() }
