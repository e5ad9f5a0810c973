package editors

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// Eglot, as docs/editors.md configures it, has diagnostics where validate reports them.
func TestEmacs(t *testing.T) {
	testsize.Large(t, "runs an editor")
	const install = "apt-get install emacs-nox elpa-eglot elpa-yaml-mode"
	if exec.Command("emacs", "--batch", "-f", "package-initialize", "--eval", "(progn (require 'eglot) (require 'yaml-mode))").Run() != nil {
		t.Skip("there is no Emacs with Eglot: " + install)
	}
	dir := workspace(t)
	init := write(t, t.TempDir(), "init.el", documented(t, "elisp"))
	probe, err := filepath.Abs("testdata/probe.el")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("emacs", "--batch", "-f", "package-initialize", "-l", init, "-l", probe)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(pruneGen(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
	var log strings.Builder
	cmd.Stderr = &log
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &log)
	}
	have := strings.Split(strings.TrimSpace(string(out)), "\n")
	slices.Sort(have)
	if want := validated(t, dir); !slices.Equal(have, want) {
		t.Errorf("the diagnostics are\n%s\nwant\n%s\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"), &log)
	}
}
