//go:build !unix

package main

import "os/exec"

func killWhole(*exec.Cmd) {}
