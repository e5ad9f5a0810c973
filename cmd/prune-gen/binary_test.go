package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/gocmd"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// The program as users have it: built, started, with a pipe at each end.
func TestBinary(t *testing.T) {
	testsize.NotShort(t)
	bin := gocmd.Build(t, ".", "./cmd/prune-gen")
	symbols, err := exec.Command("go", "tool", "nm", bin).Output()
	if err != nil || !strings.Contains(string(symbols), " main.main\n") {
		t.Fatalf("%v: no symbols", err)
	}
	// With a call of a method by a name that only the program knows, the linker keeps every method that anything has: 3 MB.
	if strings.Contains(string(symbols), "text/template.(*state).evalField") {
		t.Error("templates are part of the program")
	}
	plugin := filepath.Join(t.TempDir(), "kubectl-prunegen")
	if err := os.Link(bin, plugin); err != nil {
		t.Fatal(err)
	}
	if out, _ := exec.Command(plugin, "lint", "--help").Output(); !strings.HasPrefix(string(out), "Usage: kubectl prunegen lint ") {
		t.Errorf("a plugin prints %s", out)
	}
	cmd := exec.Command(bin, "lint", "-")
	cmd.Stdin = strings.NewReader(crd("bads", badField))
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitInput {
		t.Errorf("%v, want exit status 1", err)
	}
	if !strings.HasPrefix(string(out), "<stdin>:19:11: error: …properties[field].type: Required value: ") || stderr.String() != "" {
		t.Errorf("standard output:\n%s\nstandard error:\n%s", out, stderr.String())
	}
}
