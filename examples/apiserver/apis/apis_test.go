package apis

import (
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/gocmd"
)

func TestGeneratedCodeIsCurrent(t *testing.T) {
	if out, err := gocmd.Command(t, "", nil, "run", "./generate", "-verify").CombinedOutput(); err != nil {
		t.Errorf("go generate ./... in examples/apiserver makes it current: %v\n%s", err, out)
	}
}
