//go:build unix

package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/internal/testing/gocmd"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// manyKinds returns a CRD for each of n kinds.
func manyKinds(n int, versions ...string) string {
	var all []string
	for i := range n {
		all = append(all, kindCRD(fmt.Sprintf("Thing%d", i), versions...))
	}
	return strings.Join(all, "---\n")
}

// exited returns the exit status and the signal of a program that has ended.
func exited(t *testing.T, err error) (code int, sig syscall.Signal) {
	t.Helper()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if exit == nil {
		return 0, 0
	}
	status := exit.Sys().(syscall.WaitStatus)
	if status.Signaled() {
		return 0, status.Signal()
	}
	return status.ExitStatus(), 0
}

// What a run that was killed has left is in nobody's way.
func TestTemporaryFilesAreIgnored(t *testing.T) {
	inModule(t, map[string]string{"crd.yaml": kindCRD("Thing", "v1"), "api/.prune-gen-0123456789abcdef": "package half"})
	wantRun(t, exitOK, "1 kind", "-", "generate", "--output-dir", "api", "crd.yaml")
	wantRun(t, exitOK, "up to date", "-", "verify", "--output-dir", "api", "crd.yaml")
}

// A limit on the size of files is as good as a full disk.
func TestDiskThatIsFull(t *testing.T) {
	testsize.Large(t, "starts the program again and again")
	bin := gocmd.Build(t, ".", "./cmd/prune-gen")
	t.Chdir(write(t, map[string]string{"crd.yaml": kindCRD("Thing", "v1")}))
	wantRun(t, exitOK, "1 kind", "", "generate", "--output-dir", "api", "--emit-only=prune", "crd.yaml")
	old := contents(t)
	// Blocks are of 512 or 1024 bytes, and generated files are larger.
	out, err := exec.Command("sh", "-c", `ulimit -f 1; "$0" "$@"`, bin, "generate", "--output-dir", "api", "crd.yaml").CombinedOutput()
	if code, sig := exited(t, err); code != exitInput || sig != 0 {
		t.Errorf("exit status %d, signal %v", code, sig)
	}
	if text := string(out); !strings.Contains(text, "prune-gen generate: write api/.prune-gen-") || !strings.Contains(text, "file too large; nothing was written\n") {
		t.Errorf("%s", text)
	}
	if have := contents(t); !maps.Equal(have, old) {
		t.Errorf("something changed: %v", slices.Sorted(maps.Keys(have)))
	}
}

// A directory without write permission is not a bug in prune-gen.
func TestDirectoryThatMayNotBeWrittenTo(t *testing.T) {
	t.Chdir(write(t, map[string]string{"crd.yaml": kindCRD("Thing", "v1"), "file": ""}))
	r := wantRun(t, exitInput, "-", "", "generate", "--output-dir", "file/api", "crd.yaml")
	if !strings.Contains(r.stderr, "prune-gen generate: ") || !strings.Contains(r.stderr, "not a directory") {
		t.Errorf("%s", r.stderr)
	}
	if runtime.GOOS != "linux" {
		return // where not even root may make files
	}
	r = wantRun(t, exitInput, "-", "", "generate", "--output-dir", "/proc/api", "crd.yaml")
	if !strings.Contains(r.stderr, "/proc/api: ") || !strings.HasSuffix(r.stderr, "; nothing was written\n") {
		t.Errorf("%s", r.stderr)
	}
}

// Several runs at once that want the same end well.
func TestProgramsAtTheSameTime(t *testing.T) {
	testsize.Large(t, "starts the program again and again")
	bin := gocmd.Build(t, ".", "./cmd/prune-gen")
	for range 3 {
		t.Chdir(write(t, map[string]string{"crd.yaml": manyKinds(20, "v1", "v2")}))
		var all []*exec.Cmd
		var texts []*strings.Builder
		for range 4 {
			text := &strings.Builder{}
			cmd := exec.Command(bin, "generate", pruneOnly, "--output-dir", "api", "crd.yaml")
			cmd.Stderr = text
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			all, texts = append(all, cmd), append(texts, text)
		}
		for i, cmd := range all {
			if code, _ := exited(t, cmd.Wait()); code != 0 {
				t.Errorf("exit status %d: %s", code, texts[i])
			}
		}
		wantRun(t, exitOK, "40 files up to date", "-", "verify", pruneOnly, "--output-dir", "api", "crd.yaml")
	}
}

// A link in the place of our file is a link, whatever it leads to.
func TestNothingBehindALinkIsShown(t *testing.T) {
	for _, secret := range []string{"root:SECRET:0:0\n", "package SECRET\n\nfunc PruneThing() {}\n", "package v1\n\nfunc PruneThing() { SECRET }\n", generator.GeneratedBy + "\n\npackage SECRET\n"} {
		elsewhere := write(t, map[string]string{"secret.go": secret, "dir/zz_generated.prune.thing.go": secret})
		inModule(t, map[string]string{"crd.yaml": kindCRD("Thing", "v1")})
		if err := errors.Join(os.Mkdir("api", 0o777), os.Symlink(filepath.Join(elsewhere, "secret.go"), "api/zz_generated.prune.thing.go")); err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"generate", "verify"} {
			r := wantRun(t, exitInput, "-", "api/zz_generated.prune.thing.go: error: this is a symbolic link", command, "--output-dir", "api", "crd.yaml")
			if strings.Contains(r.stderr, "SECRET") {
				t.Errorf("%s", r.stderr)
			}
		}
		inModule(t, map[string]string{"crd.yaml": kindCRD("Thing", "v1", "v2")})
		if err := errors.Join(os.Mkdir("api", 0o777), os.Symlink(filepath.Join(elsewhere, "dir"), "api/v1")); err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"generate", "verify"} {
			r := wantRun(t, exitInput, "-", "open api/v1: this is a symbolic link that leads out of the output directory", command, "--output-dir", "api", "crd.yaml")
			if strings.Contains(r.stderr, "SECRET") {
				t.Errorf("%s", r.stderr)
			}
		}
	}
}
