package findings

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/structural"
)

// sarifPrinter prints a SARIF 2.1.0 log: https://docs.oasis-open.org/sarif/sarif/v2.1.0/
type sarifPrinter struct {
	base
	rules   []sarifRule // those of the results
	results []sarifResult
	names   names
}

type sarifLog struct {
	Schema  string `json:"$schema"`
	Version string `json:"version"`
	Runs    [1]struct {
		Tool struct {
			Driver struct {
				Name           string      `json:"name"`
				Version        string      `json:"version"`
				InformationURI string      `json:"informationUri"`
				Rules          []sarifRule `json:"rules"`
			} `json:"driver"`
		} `json:"tool"`
		Invocations []sarifInvocation `json:"invocations,omitempty"`
		ColumnKind  string            `json:"columnKind"`
		Results     []sarifResult     `json:"results"`
	} `json:"runs"`
}

type sarifRule struct {
	ID               structural.ID `json:"id"`
	ShortDescription sarifText     `json:"shortDescription"`
	HelpURI          string        `json:"helpUri,omitempty"`
}

type sarifText struct {
	Text string `json:"text"`
}

// sarifInvocation says what the results do not: why there are not more of them.
type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	Notifications []sarifNotification `json:"toolExecutionNotifications"`
}

type sarifNotification struct {
	Level   string    `json:"level"`
	Message sarifText `json:"message"`
}

type sarifResult struct {
	RuleID    structural.ID `json:"ruleId"`
	RuleIndex int           `json:"ruleIndex"`
	Level     string        `json:"level"`
	Message   sarifText     `json:"message"`
	Locations [1]struct {
		Physical struct {
			Artifact struct {
				URI string `json:"uri"`
			} `json:"artifactLocation"`
			Region struct {
				StartLine   int `json:"startLine"`
				StartColumn int `json:"startColumn,omitempty"`
			} `json:"region,omitzero"`
		} `json:"physicalLocation"`
		Logical []map[string]string `json:"logicalLocations,omitempty"`
	} `json:"locations"`
	// Fingerprints tell results apart, and recognise one in the log of a later version of the file, in which it is at another line.
	Fingerprints map[string]string `json:"partialFingerprints"`
	Properties   map[string]string `json:"properties,omitempty"`
}

// rule returns the index of a rule in the log, and adds the rule if it is missing.
func (p *sarifPrinter) rule(id structural.ID) int {
	if i := slices.IndexFunc(p.rules, func(r sarifRule) bool { return r.ID == id }); i >= 0 {
		return i
	}
	for _, r := range IDs() {
		if r.ID == id {
			p.rules = append(p.rules, sarifRule{r.ID, sarifText{r.Summary}, helpURI(r.ID)})
			return len(p.rules) - 1
		}
	}
	return -1
}

func (p *sarifPrinter) finding(s Snippet) {
	r := sarifResult{RuleID: s.ID, RuleIndex: p.rule(s.ID), Level: "error", Message: sarifText{strings.Join(s.lines(), "\n")}}
	if s.Severity == structural.SeverityWarning || s.Severity == structural.SeverityNote {
		r.Level = string(s.Severity)
	}
	at := &r.Locations[0]
	at.Physical.Artifact.URI = fileURI(s.File)
	if s.Line > 0 {
		at.Physical.Region.StartLine, at.Physical.Region.StartColumn = s.Line, s.Column
	}
	if s.Path != "" {
		at.Logical = []map[string]string{{"fullyQualifiedName": s.Path}}
	}
	name := p.names.next(at.Physical.Artifact.URI, s.CRD, s.Version, s.Object, string(s.ID), s.Path)
	r.Fingerprints = map[string]string{"pruneGen/v1": fmt.Sprintf("%x", sha256.Sum256([]byte(name)))}
	r.Properties = map[string]string{"crd": s.CRD, "version": s.Version, "object": s.Object}
	maps.DeleteFunc(r.Properties, func(_, value string) bool { return value == "" })
	p.results = append(p.results, r)
}

func (p *sarifPrinter) finish(t Tally) {
	log := sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0"}
	run := &log.Runs[0]
	driver := &run.Tool.Driver
	driver.Name, driver.Version, driver.InformationURI = "prune-gen", p.Version, "https://github.com/prune-gen/prune-gen"
	driver.Rules = append([]sarifRule{}, p.rules...)
	run.ColumnKind, run.Results = "unicodeCodePoints", append([]sarifResult{}, p.results...)
	in := sarifInvocation{Successful: t.failure == ""}
	for _, line := range t.skips() {
		in.Notifications = append(in.Notifications, sarifNotification{"note", sarifText{line}})
	}
	if t.failure != "" {
		in.Notifications = append(in.Notifications, sarifNotification{"error", sarifText{t.failure}})
	}
	if in.Notifications != nil {
		run.Invocations = []sarifInvocation{in}
	}
	terminal.WriteJSON(p.w, log)
}

// names are the names of findings in a report.
type names map[string]int

// next returns the name of a finding in a file, with what it is about. Findings with the same name are numbered.
func (n *names) next(file string, about ...string) string {
	if *n == nil {
		*n = names{}
	}
	name := terminal.Escape(strings.Join(nonEmpty(append([]string{file}, about...)...), ": "))
	if (*n)[name]++; (*n)[name] > 1 {
		return fmt.Sprintf("%s (%d)", name, (*n)[name])
	}
	return name
}

// fileURI returns name as a URI, relative to the working directory if it is below that.
func fileURI(name string) string {
	if name == Stdin {
		return "stdin"
	}
	if wd, err := os.Getwd(); err == nil {
		if rel, ok := within(wd, name); ok {
			return (&url.URL{Path: rel}).String()
		}
	}
	abs, err := filepath.Abs(name)
	if err != nil {
		abs = name
	}
	path := filepath.ToSlash(abs)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
