package editors

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// The extension for Visual Studio Code is bundled, and its client talks to prune-gen. The editor is a stand-in.
func TestExtension(t *testing.T) {
	testsize.Large(t, "asks a registry for packages")
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("there is no npm: apt-get install npm")
	}
	bin, err := filepath.Abs(pruneGen(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"ci", "--ignore-scripts", "--no-audit", "--no-fund"}, {"run", "check"}, {"run", "bundle"}, {"test"}} {
		cmd := exec.Command("npm", args...)
		cmd.Dir = filepath.Join(root, "editors/vscode")
		cmd.Env = append(os.Environ(), "PRUNE_GEN="+bin)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("npm %s: %v\n%s", args[0], err, out)
		}
		t.Logf("%s", out)
	}
}
