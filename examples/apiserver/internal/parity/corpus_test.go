package parity

import (
	"os"
	"os/exec"
	"testing"

	"github.com/prune-gen/prune-gen/examples/apiserver/internal/scratch"
)

// CRDs of well-known projects are not part of this repository: their code is generated, built into a program and run here.
func TestServersAnswerAlikeForTheCorpus(t *testing.T) {
	p, err := scratch.Build(t.Context(), "../../../..", t.TempDir(), scratch.Sources...)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), p.Path, "parity", p.CRDs, testdata+"/corpus", "testdata/corpus").CombinedOutput()
	if err != nil {
		if file := os.Getenv("PARITY_LOG"); file != "" {
			os.WriteFile(file, out, 0o600)
		}
		t.Fatalf("%v\n%.20000s", err, out)
	}
	t.Logf("%s", out)
}
