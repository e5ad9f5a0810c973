package builtin

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// The published schema of the protocol has the fields that real questions and answers have, and no others; hack/conformance validates the
// lines. All answers can be read.
func TestRecordedLinesHaveTheFieldsOfTheSchema(t *testing.T) {
	text, err := os.ReadFile("../../../docs/schemas/builtin.v1.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Defs map[string]struct{ Properties map[string]any } `json:"$defs"`
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	lines, err := os.ReadFile("testdata/protocol.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]map[string]bool{"question": {}, "answer": {}}
	for i, line := range strings.Split(strings.TrimSpace(string(lines)), "\n") {
		of := []string{"question", "answer"}[i%2]
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			t.Fatal(err)
		}
		for name := range fields {
			seen[of][name] = true
		}
		if _, isNumber := fields["id"].(float64); of == "question" || !isNumber { // ours are numbers
			continue
		}
		var r reply
		if err := decode([]byte(line), &r); err != nil || r.ID == 0 {
			t.Errorf("%s: %v", line, err)
		}
	}
	for of, names := range seen {
		if have, want := slices.Sorted(maps.Keys(names)), slices.Sorted(maps.Keys(schema.Defs[of].Properties)); !slices.Equal(have, want) {
			t.Errorf("a %s has %q, the schema %q", of, have, want)
		}
	}
}
