package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/gocmd"
)

// builtin returns which programs for built-in kinds were built, as make dist is told.
func (r release) builtin(sums map[string]string) string {
	switch {
	case sums["prune-gen-builtin_"+r.Version+"_linux_arm64.cdx.json"] != "":
		return "all"
	case sums["prune-gen-builtin_"+r.Version+"_linux_amd64.cdx.json"] != "":
		return "one"
	}
	return ""
}

// The same commit makes the same files, in another directory and with nothing compiled before.
func TestTwoBuildsAreEqual(t *testing.T) {
	r := theRelease(t)
	makefile, err := os.ReadFile(root + "/Makefile")
	if err != nil {
		t.Fatal(err)
	}
	tool := regexp.MustCompile(`(?m)^GORELEASER := go run (\S+)$`).FindSubmatch(makefile)
	if tool == nil {
		t.Fatal("no GoReleaser in the Makefile")
	}
	bin, clone := t.TempDir(), filepath.Join(t.TempDir(), "clone")
	install := exec.Command("go", "install", string(tool[1]))
	t.Setenv(gocmd.Variable, "1")
	install.Env = append(os.Environ(), "GOBIN="+bin, "GOFLAGS=")
	command(t, 0, install)
	command(t, 0, exec.Command("git", "clone", "--quiet", root, clone))
	command(t, 0, exec.Command("git", "-C", clone, "checkout", "--quiet", r.Commit))
	again := exec.Command("make", "-C", clone, "dist", "GORELEASER="+filepath.Join(bin, "goreleaser"))
	again.Env = append(os.Environ(), "GOCACHE="+t.TempDir(), "BUILTIN="+r.builtin(r.sums(t)))
	command(t, 0, again)
	have, err := os.ReadFile(filepath.Join(clone, "dist", "prune-gen_"+r.Version+"_checksums.txt"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join(dist, "prune-gen_"+r.Version+"_checksums.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != string(want) {
		t.Errorf("the sums are\n%swant\n%s", have, want)
	}
}
