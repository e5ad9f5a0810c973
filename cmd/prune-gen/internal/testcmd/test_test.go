package testcmd

import (
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/workers"
	"github.com/prune-gen/prune-gen/internal/suite"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// A panic in a case is one of the command, which execute reports: no goroutine is left to end the process by itself, and no suite
// is waited for that will not be done.
func TestACaseThatPanicsPanicsInTheCommand(t *testing.T) {
	r := &suite.Run{
		Suite: &suite.Suite{}, Case: &suite.Case{Initial: suite.NewObject(map[string]any{})},
		Variant: &suite.Variant{Resources: func() ([]prunert.Resource, error) { panic("wrong") }},
	}
	of := &tested{suite: r.Suite, runs: []*suite.Run{r}}
	if p := workers.Try((&tester{suites: []*tested{of}}).work); p == nil || p.Value != "wrong" {
		t.Errorf("%v", p)
	}
}
