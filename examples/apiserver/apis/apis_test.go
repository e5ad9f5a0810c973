package apis

import (
	"os/exec"
	"testing"
)

func TestGeneratedCodeIsCurrent(t *testing.T) {
	cmd := exec.Command("go", "run", "./cmd/prune-gen", "verify", "--emit", "default,json", "--register", "--layout", "versions",
		"--output-dir", "examples/apiserver/apis/generated", "examples/apiserver/apis/crds")
	cmd.Dir = "../../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("go generate ./... in examples/apiserver makes it current: %v\n%s", err, out)
	}
}
