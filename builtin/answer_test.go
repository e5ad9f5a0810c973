package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// Each line gets one answer that is JSON and has its id, whatever it says.
func TestEveryLineIsAnswered(t *testing.T) {
	s, err := newServer()
	if err != nil {
		t.Fatal(err)
	}
	pod := func(name, namespace string) string {
		return fmt.Sprintf(`{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": %q, "namespace": %q}, "spec": {"containers": [{"name": "c", "image": "i"}]}}`, name, namespace)
	}
	lines := []string{
		`{"id": 0, "kinds": true}`, `{"id": 1, "schema": {"apiVersion": "v1", "kind": "Pod"}}`, `{"id": 2, "schema": {"apiVersion": "v9", "kind": "Pod"}}`,
		`{"id": 3}`, `{"id": 4, "object": 7}`, `{"id": 5, "object": {}}`, `{"id": 6, "object": {"apiVersion": "v1", "kind": "Pod"}}`,
		`{"id": 7, "object": {"apiVersion": "v1", "kind": "Pod", "metadata": 7, "spec": []}}`,
	}
	for _, name := range []string{"a", "..", ".", "a/b", "a%2fb", "a?b", "a b", "é", "\n", ""} {
		for _, q := range []string{`{"id": %d, "object": ` + pod(name, "n") + `}`, `{"id": %d, "object": ` + pod("a", name) + `}`,
			`{"id": %d, "object": ` + pod(name, "n") + `, "old": ` + pod(name, "n") + `}`, `{"id": %d, "object": ` + pod(name, "n") + `, "old": []}`} {
			lines = append(lines, fmt.Sprintf(strings.ReplaceAll(q, "%2f", "%%2f"), len(lines)))
		}
	}
	var out bytes.Buffer
	if err := s.serve(strings.NewReader(strings.Join(lines, "\n")+"\nnonsense\n"), &out); err != nil {
		t.Fatal(err)
	}
	answered, accepted := map[string]bool{}, 0
	for line := range strings.Lines(out.String()) {
		var a answer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if a.Code == 0 && a.Error == "" && a.Kinds == nil && a.Schema == nil || a.Code >= 300 && a.Code < 400 || a.Code >= 500 {
			t.Errorf("answered with %s", line)
		}
		if a.Code == 200 || a.Code == 201 {
			accepted++
		}
		answered[string(a.ID)] = true
	}
	if len(answered) != len(lines)+1 || accepted != 4 {
		t.Errorf("%d of %d lines are answered, %d objects accepted", len(answered), len(lines)+1, accepted)
	}
}
