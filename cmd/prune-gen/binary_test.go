package main

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testsize"
)

// The program as users have it: built, started, with a pipe at each end.
func TestBinary(t *testing.T) {
	testsize.NotShort(t)
	bin := filepath.Join(t.TempDir(), "prune-gen.exe")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
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
