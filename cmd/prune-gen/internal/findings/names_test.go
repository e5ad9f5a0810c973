package findings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/prune-gen/prune-gen/structural"
)

// CI systems merge results with one fingerprint. So those of fields, objects and files differ, and they do not depend on lines.
func TestFindingsHaveFingerprintsOfTheirOwn(t *testing.T) {
	const crd = "crons.example.com"
	required := func(file, object, path string, line int) structural.Finding {
		return structural.Finding{ID: "object/required", File: file, Line: line, CRD: crd, Version: "v1", Object: object, Severity: structural.SeverityError, Path: path, Message: path + ": Required value"}
	}
	fingerprints := func(lines int) (all []string) {
		var out bytes.Buffer
		r := New(&out, Options{Format: "sarif"})
		for _, f := range []structural.Finding{
			required("a.yaml", "Cron a", "spec.x", 1), required("a.yaml", "Cron a", "spec.y", 2), // two fields
			required("a.yaml", "Cron b", "spec.x", 3), // two objects
			required("b.yaml", "Cron a", "spec.x", 1), // two files
			required("b.yaml", "Cron a", "spec.x", 9), // two objects of one name
			{ID: "test/failed", File: "suite.yaml", Line: 1, CRD: crd, Object: "minimal", Severity: structural.SeverityError, Message: "accepted"},
			{ID: "test/failed", File: "other.yaml", Line: 1, CRD: crd, Object: "minimal", Severity: structural.SeverityError, Message: "accepted"},
		} {
			f.Line += lines
			r.Add([]Snippet{{Finding: f}})
		}
		r.Finish()
		var log sarifLog
		if err := json.Unmarshal(out.Bytes(), &log); err != nil {
			t.Fatal(err)
		}
		for _, r := range log.Runs[0].Results {
			all = append(all, r.Fingerprints["pruneGen/v1"])
		}
		return all
	}
	seen := map[string]bool{}
	for _, name := range fingerprints(0) {
		if name == "" || seen[name] {
			t.Errorf("%q occurs twice", name)
		}
		seen[name] = true
	}
	if a, b := fmt.Sprint(fingerprints(0)), fmt.Sprint(fingerprints(7)); len(seen) != 7 || a != b {
		t.Errorf("%s, and at other lines %s", a, b)
	}
}
