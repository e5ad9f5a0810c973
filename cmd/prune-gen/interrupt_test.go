//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/builtin"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// asProgram is the variable of the environment with which the program of the tests is prune-gen itself.
const asProgram = "PRUNE_GEN_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Setenv(builtin.Variable, "none") // the results are the same for those who have it
	os.Exit(m.Run())
}

// A run that is interrupted while it writes leaves no temporary files and no empty directory, and ends by the signal.
func TestInterruptsRemoveTemporaryFiles(t *testing.T) {
	testsize.NotShort(t)
	for _, sig := range []os.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(sig.String(), func(t *testing.T) {
			for kinds := 50; kinds < 2000; kinds *= 2 { // until a run is still writing when the signal comes
				if interruptGenerate(t, kinds, sig) {
					return
				}
			}
			t.Error("no run was interrupted while it wrote files")
		})
	}
}

// interruptGenerate interrupts a run of generate when it has begun to write files. It reports false if the signal came too late.
func interruptGenerate(t *testing.T, kinds int, sig os.Signal) (inTime bool) {
	dir := write(t, map[string]string{"crd.yaml": manyKinds(kinds, "v1")})
	cmd := exec.Command(os.Args[0], "generate", pruneOnly, "--output-dir", "api", "crd.yaml")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), asProgram+"=1")
	var text strings.Builder
	cmd.Stdout, cmd.Stderr = &text, &text
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	temporary := func() []string {
		names, _ := filepath.Glob(filepath.Join(dir, "api", ".prune-gen-*"))
		return names
	}
	for len(temporary()) == 0 {
		select {
		case err := <-ended:
			if err != nil {
				t.Fatalf("%v: %s", err, text.String())
			}
			return false
		default:
		}
	}
	cmd.Process.Signal(sig)
	code, by := exited(t, <-ended)
	if code == 0 && by == 0 {
		return false
	}
	if by != sig {
		t.Errorf("exit status %d, signal %v", code, by)
	}
	if left := temporary(); len(left) > 0 {
		t.Errorf("%d files are left, such as %s", len(left), left[0])
	}
	if left, err := os.ReadDir(filepath.Join(dir, "api")); err == nil && len(left) == 0 {
		t.Error("an empty directory is left")
	}
	return true
}

// Files that --update has replaced are closed: other systems than Linux do not rename open ones.
func TestUpdatedSuitesAreClosed(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the open files of a process are those in /proc/self/fd")
	}
	t.Chdir(write(t, map[string]string{"crd.yaml": kindCRD("Thing", "v1"), "suite.yaml": `
crdName: things.example.com
tests:
  onCreate:
  - name: one
    initial: |
      apiVersion: example.com/v1
      kind: Thing
    expectedError: any
`}))
	wantRun(t, exitOK, "", "updated suite.yaml", "test", "--crd", "crd.yaml", "--update", "suite.yaml")
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range open {
		if name, err := os.Readlink("/proc/self/fd/" + f.Name()); err == nil && filepath.Base(name) == "suite.yaml" {
			t.Errorf("%s is open", name)
		}
	}
}
