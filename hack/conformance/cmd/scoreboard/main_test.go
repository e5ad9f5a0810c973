package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/hack/conformance/run"
	"github.com/prune-gen/prune-gen/hack/conformance/score"
	"github.com/prune-gen/prune-gen/internal/testsize"
)

// This is the pass that make test makes: a sample of the corpus, all golden cases and some random CRDs, with code generated,
// compiled and compared. The one of make test-all is wider, and the command without flags takes everything.
func TestAQuickPassFindsNoDisagreement(t *testing.T) {
	testsize.NotShort(t)
	least, args := 200, []string{"--sample", "20", "--objects", "4", "--keywords", "8", "--random", "12", "--random-rules", "1", "--mutations", "1"}
	if testsize.All() {
		least, args = 1000, []string{"--sample", "8", "--objects", "8", "--random", "60", "--random-rules", "1", "--mutations", "1"}
	}
	file := filepath.Join(t.TempDir(), "board.json")
	var stdout, stderr strings.Builder
	code := scoreboard(t.Context(), append(args, "--json", file), &stdout, &stderr)
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
		"load.Load": least / 10, "structural.Validate, broken schemas": 5000, "structural.Validate, mutated schemas": least / 10,
		"generate": least / 10, "interpret.Prune": least, "Prune": least, "PruneReport": least,
		"interpret.Check": least, "Check": least, "interpret.Normalize": least, "Normalize": least,
		"interpret.Default": least, "Default": least, "CheckNormalized": least,
		"PruneJSON": least, "PruneJSONReport": least, "DecodeJSON": least, "Validate": least, "ValidateUpdate": least, "ValidateMetadata": least,
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
