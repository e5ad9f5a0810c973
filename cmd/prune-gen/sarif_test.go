package main

import (
	"encoding/json"
	"net/url"
	"path/filepath"
	"testing"
)

// What the SARIF 2.1.0 schema requires of the parts that are used, and what GitHub's upload asks for on top.
func TestSARIFHasWhatItNeeds(t *testing.T) {
	folders, err := filepath.Glob("testdata/*")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, folder := range folders {
		crds, _ := filepath.Glob(filepath.Join(folder, "crd.*"))
		r := runWith("", "lint", "--output=sarif", crds[0])
		var log struct {
			Schema  string `json:"$schema"`
			Version string
			Runs    []struct {
				Tool struct {
					Driver struct {
						Name  string
						Rules []struct {
							ID               string
							ShortDescription struct{ Text string }
						}
					}
				}
				ColumnKind string
				Results    []struct {
					RuleID    string
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
		if err := json.Unmarshal([]byte(r.stdout), &log); err != nil {
			t.Fatalf("%s: %v", folder, err)
		}
		if log.Version != "2.1.0" || log.Schema == "" || len(log.Runs) != 1 {
			t.Fatalf("%s: version %q, schema %q, %d runs", folder, log.Version, log.Schema, len(log.Runs))
		}
		run := log.Runs[0]
		if run.Tool.Driver.Name != "prune-gen" || run.ColumnKind != "unicodeCodePoints" || run.Results == nil {
			t.Errorf("%s: driver %q, column kind %q, results %v", folder, run.Tool.Driver.Name, run.ColumnKind, run.Results)
		}
		for _, rule := range run.Tool.Driver.Rules {
			if rule.ID == "" || rule.ShortDescription.Text == "" {
				t.Errorf("%s: incomplete rule %+v", folder, rule)
			}
		}
		for _, res := range run.Results {
			used[res.RuleID] = true
			if res.RuleIndex == nil || run.Tool.Driver.Rules[*res.RuleIndex].ID != res.RuleID {
				t.Errorf("%s: rule %q has another index", folder, res.RuleID)
			}
			if res.Message.Text == "" || res.Level != "error" && res.Level != "warning" || len(res.Locations) != 1 {
				t.Errorf("%s: incomplete result %+v", folder, res)
				continue
			}
			at := res.Locations[0].PhysicalLocation
			if at.Region.StartLine < 1 || at.Region.StartColumn < 1 {
				t.Errorf("%s: no region: %+v", folder, res)
			}
			if want := filepath.ToSlash(crds[0]); at.ArtifactLocation.URI != want {
				t.Errorf("%s: URI is %q, want %q", folder, at.ArtifactLocation.URI, want)
			}
		}
	}
	for _, rule := range sarifRules() {
		if !used[rule.ID] {
			t.Errorf("no file in testdata has a finding of rule %s", rule.ID)
		}
	}
}

func TestFileURI(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, want := range map[string]string{
		"a.yaml":          "a.yaml",
		"./b/../a.yaml":   "a.yaml",
		"a b%/c#d?.yaml":  "a%20b%25/c%23d%3F.yaml",
		"c:d.yaml":        "./c:d.yaml",
		"/etc/a b.yaml":   "file:///etc/a%20b.yaml",
		"x\n\x1b[31m.yml": "x%0A%1B%5B31m.yml",
		stdinName:         "stdin",
	} {
		got := fileURI(name)
		if got != want {
			t.Errorf("fileURI(%q) = %q, want %q", name, got, want)
		}
		if _, err := url.Parse(got); err != nil {
			t.Error(err)
		}
	}
}
