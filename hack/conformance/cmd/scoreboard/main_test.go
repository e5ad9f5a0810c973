package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/hack/conformance/run"
	"github.com/prune-gen/prune-gen/hack/conformance/score"
)

// This is the pass that every test run makes: a sample of the corpus, all golden cases and some random CRDs, with code
// generated, compiled and compared. The command without flags takes everything.
func TestAQuickPassFindsNoDisagreement(t *testing.T) {
	file := filepath.Join(t.TempDir(), "board.json")
	var stdout, stderr strings.Builder
	args := []string{"--sample", "25", "--objects", "8", "--random", "60", "--random-rules", "1", "--mutations", "1", "--json", file}
	code := scoreboard(t.Context(), args, &stdout, &stderr)
	t.Logf("%s%s", stderr.String(), stdout.String())
	if code != run.ExitAgree {
		t.Fatalf("exit code %d", code)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var board score.Board
	if err := json.Unmarshal(data, &board); err != nil {
		t.Fatal(err)
	}
	// Nothing that should have been compared was left out.
	compared := map[string]int{}
	for _, r := range board.Rows {
		compared[r.Name] = r.Compared
	}
	for name, least := range map[string]int{
		"load.Load": 100, "structural.Validate, broken schemas": 5000, "structural.Validate, mutated schemas": 100,
		"generate": 100, "interpret.Prune": 1000, "Prune": 1000, "PruneReport": 1000,
		"interpret.Check": 1000, "Check": 1000, "interpret.Normalize": 1000, "Normalize": 1000,
		"interpret.Default": 1000, "Default": 1000, "CheckNormalized": 1000,
		"PruneJSON": 1000, "PruneJSONReport": 1000, "DecodeJSON": 1000, "Validate": 1000, "ValidateUpdate": 1000, "ValidateMetadata": 1000,
		"rules, create": 30, "rules, update": 30, "rules, status": 30,
	} {
		if compared[name] < least {
			t.Errorf("%s: %d compared", name, compared[name])
		}
	}
}

func TestABadCommandLineIsRefused(t *testing.T) {
	for _, args := range [][]string{{"--objects", "many"}, {"extra"}, {"--unknown"}} {
		var stdout, stderr strings.Builder
		if code := scoreboard(t.Context(), args, &stdout, &stderr); code != run.ExitUsage || stderr.Len() == 0 {
			t.Errorf("%q: exit code %d, %q", args, code, stderr.String())
		}
	}
}
