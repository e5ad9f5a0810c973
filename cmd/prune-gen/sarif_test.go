package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/internal/generate/target"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/structural"
)

// sarifLog is the part of a SARIF log that is tested.
type sarifLog struct {
	Schema  string `json:"$schema"`
	Version string
	Runs    []struct {
		Tool struct {
			Driver struct {
				Name    string
				Version string
				Rules   []struct {
					ID               structural.ID
					ShortDescription struct{ Text string }
				}
			}
		}
		ColumnKind string
		Results    []struct {
			RuleID    structural.ID
			RuleIndex *int
			Level     string
			Message   struct{ Text string }
			Locations []struct {
				PhysicalLocation struct {
					ArtifactLocation struct{ URI string }
					Region           struct{ StartLine, StartColumn int }
				}
			}
		}
	}
}

// readSARIF reads a log and returns the rules of its results. What the SARIF 2.1.0 schema requires of the parts that are
// used has to be there, and what GitHub's upload asks for on top.
func readSARIF(t *testing.T, text string) (log sarifLog, rules []structural.ID) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &log); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if log.Version != "2.1.0" || log.Schema == "" || len(log.Runs) != 1 {
		t.Fatalf("version %q, schema %q, %d runs", log.Version, log.Schema, len(log.Runs))
	}
	run := log.Runs[0]
	driver := run.Tool.Driver
	if driver.Name != "prune-gen" || run.ColumnKind != "unicodeCodePoints" || run.Results == nil {
		t.Errorf("driver %q, column kind %q, results %v", driver.Name, run.ColumnKind, run.Results)
	}
	for _, rule := range driver.Rules {
		if rule.ID == "" || rule.ShortDescription.Text == "" {
			t.Errorf("incomplete rule %+v", rule)
		}
	}
	for _, res := range run.Results {
		rules = append(rules, res.RuleID)
		if res.RuleIndex == nil || *res.RuleIndex < 0 || driver.Rules[*res.RuleIndex].ID != res.RuleID {
			t.Errorf("rule %q has another index", res.RuleID)
		}
		if res.Message.Text == "" || res.Level != "error" && res.Level != "warning" || len(res.Locations) != 1 {
			t.Errorf("incomplete result %+v", res)
		}
	}
	return log, rules
}

// isOurs reports whether an id is one of this command and not of package structural.
func isOurs(id structural.ID) bool {
	family, _, _ := strings.Cut(string(id), "/")
	return slices.Contains([]string{"files", "package", "module"}, family)
}

func TestSARIFHasWhatItNeeds(t *testing.T) {
	folders, err := filepath.Glob("testdata/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			crds, _ := filepath.Glob(filepath.Join(folder, "crd.*"))
			log, _ := readSARIF(t, runWith("", "lint", "--output=sarif", crds[0]).stdout)
			for _, res := range log.Runs[0].Results {
				at := res.Locations[0].PhysicalLocation
				if at.Region.StartLine < 1 || at.Region.StartColumn < 1 {
					t.Errorf("no region: %+v", res)
				}
				if want := filepath.ToSlash(crds[0]); at.ArtifactLocation.URI != want {
					t.Errorf("URI is %q, want %q", at.ArtifactLocation.URI, want)
				}
			}
		})
	}
}

// Every id of this command is found by some call, and is in its SARIF log.
func TestEveryRuleIsFound(t *testing.T) {
	testsize.NotShort(t)
	const (
		thing = "zz_generated.prune.thing.go"
		ours  = generator.GeneratedBy + "\n\npackage v1\n"
	)
	tests := []struct {
		id    structural.ID
		files map[string]string
		args  string
	}{
		{structural.IDUnreadable, nil, "generate gone.yaml"},
		{findings.IDStale, nil, "verify crd.yaml"},
		{findings.IDForeign, map[string]string{thing: "package v1\n"}, "generate crd.yaml"},
		{findings.IDLink, nil, "generate --output-dir linked crd.yaml"},
		{findings.IDIrregular, map[string]string{thing + "/x": ""}, "generate crd.yaml"},
		{findings.IDLeftover, map[string]string{"v1/" + thing: ours}, "generate crd.yaml"},
		{target.IDClash, map[string]string{"a.go": "package v1\n\nfunc PruneThing() {}\n"}, "generate crd.yaml"},
		{target.IDBroken, map[string]string{"a.go": "package v1\n\nfunc f() { undefined() }\n"}, "generate crd.yaml"},
		{target.IDRuntime, outdatedRuntime(), "generate crd.yaml"},
		{findings.IDDirective, map[string]string{"a.go": "package v1\n\n//go:generate prune-gen generate --group other crd.yaml\n"}, "verify ./..."},
		{findings.IDModule, map[string]string{"go.mod": "bogus\n"}, "generate crd.yaml"},
		{findings.IDRequire, map[string]string{"go.mod": bareModule}, "generate crd.yaml"},
		{findings.IDNoGo, nil, "generate crd.yaml"},
		{findings.IDNoModule, nil, "generate --output-dir " + t.TempDir() + " crd.yaml"},
	}
	found := map[structural.ID]bool{}
	for _, test := range tests {
		t.Run(string(test.id), func(t *testing.T) {
			files := map[string]string{"crd.yaml": kindCRD("Thing", "v1"), "linked/keep": "", "elsewhere/ours.go": ours}
			maps.Copy(files, test.files)
			inModule(t, files)
			if err := os.Symlink("../elsewhere/ours.go", "linked/"+thing); err != nil {
				t.Fatal(err)
			}
			if test.id == findings.IDNoGo {
				t.Setenv("PATH", "")
			}
			args := strings.Fields(test.args)
			for _, format := range []string{"sarif", "json"} {
				if args[0] == "generate" {
					args = append(args, "--dry-run")
				}
				r := runWith("", append(args, "--output", format)...)
				var rules []structural.ID
				if format == "sarif" {
					_, rules = readSARIF(t, r.stdout)
				} else {
					for _, f := range readFindings(t, r.stdout) {
						rules = append(rules, f.ID)
					}
				}
				if len(rules) == 0 || slices.ContainsFunc(rules, func(r structural.ID) bool { return r != test.id }) {
					t.Errorf("%s has the rules %q, want %s\n%s", format, rules, test.id, r.stdout)
				}
			}
			found[test.id] = true
		})
	}
	for _, rule := range findings.IDs() {
		if isOurs(rule.ID) && !found[rule.ID] {
			t.Errorf("nothing finds %s", rule.ID)
		}
	}
}
