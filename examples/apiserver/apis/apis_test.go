package apis

import (
	"os/exec"
	"testing"
)

func TestGeneratedCodeIsCurrent(t *testing.T) {
	for _, args := range [][]string{
		{"--output-dir", "examples/apiserver/apis/generated", "examples/apiserver/apis/crds"},
		{"--output-dir", "examples/apiserver/internal/parity/generated", "hack/apiserver/testdata/crds"},
	} {
		cmd := exec.Command("go", append([]string{"run", "./cmd/prune-gen", "verify", "--register", "--layout", "versions"}, args...)...)
		cmd.Dir = "../../.."
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("go generate ./... in examples/apiserver makes it current: %v\n%s", err, out)
		}
	}
}
