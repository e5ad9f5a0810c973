package findings

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"testing"

	"github.com/prune-gen/prune-gen/structural"
)

// CI systems merge cases with one name, and results with one fingerprint. So those of fields, objects and files differ, and neither depends
// on lines.
func TestFindingsHaveNamesOfTheirOwn(t *testing.T) {
	const crd = "crons.example.com"
	required := func(file, object, path string, line int) structural.Finding {
		return structural.Finding{Rule: "object/required", File: file, Line: line, CRD: crd, Version: "v1", Object: object, Severity: structural.SeverityError, Path: path, Message: path + ": Required value"}
	}
	print := func(format string, lines int) []byte {
		var out bytes.Buffer
		r := New(&out, Options{Format: format})
		for _, f := range []structural.Finding{
			required("a.yaml", "Cron a", "spec.x", 1), required("a.yaml", "Cron a", "spec.y", 2), // two fields
			required("a.yaml", "Cron b", "spec.x", 3), // two objects
			required("b.yaml", "Cron a", "spec.x", 1), // two files
			required("b.yaml", "Cron a", "spec.x", 9), // two objects of one name
			{Rule: "test/failed", File: "suite.yaml", Line: 1, CRD: crd, Object: "minimal", Severity: structural.SeverityError, Message: "accepted"},
			{Rule: "test/failed", File: "other.yaml", Line: 1, CRD: crd, Object: "minimal", Severity: structural.SeverityError, Message: "accepted"},
		} {
			f.Line += lines
			r.Add([]Snippet{{Finding: f}})
		}
		r.Verdict(Verdict{File: "a.yaml", CRD: crd, Object: "Cron c", Line: 4})
		r.Verdict(Verdict{File: "b.yaml", CRD: crd, Object: "Cron c", Line: 4})
		r.Finish()
		return out.Bytes()
	}
	names := func(lines int) (all []string) {
		var suites junitSuites
		if err := xml.Unmarshal(print("junit", lines), &suites); err != nil {
			t.Fatal(err)
		}
		for _, s := range suites.Suites {
			for _, c := range s.Cases {
				all = append(all, c.Class+"#"+c.Name)
			}
		}
		return all
	}
	fingerprints := func(lines int) (all []string) {
		var log sarifLog
		if err := json.Unmarshal(print("sarif", lines), &log); err != nil {
			t.Fatal(err)
		}
		for _, r := range log.Runs[0].Results {
			all = append(all, r.Fingerprints["pruneGen/v1"])
		}
		return all
	}
	for what, of := range map[string]func(lines int) []string{"names": names, "fingerprints": fingerprints} {
		seen := map[string]bool{}
		for _, name := range of(0) {
			if name == "" || seen[name] {
				t.Errorf("%s: %q occurs twice", what, name)
			}
			seen[name] = true
		}
		if a, b := fmt.Sprint(of(0)), fmt.Sprint(of(7)); len(seen) < 7 || a != b {
			t.Errorf("%s: %s, and at other lines %s", what, a, b)
		}
	}
}
