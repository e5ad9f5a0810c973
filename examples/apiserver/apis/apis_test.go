package apis

import (
	"os/exec"
	"testing"
)

func TestGeneratedCodeIsCurrent(t *testing.T) {
	if out, err := exec.Command("go", "run", "./generate", "-verify").CombinedOutput(); err != nil {
		t.Errorf("go generate ./... in examples/apiserver makes it current: %v\n%s", err, out)
	}
}
