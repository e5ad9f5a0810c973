package findings

import (
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
}

// rule returns the index of a rule in the log, which it becomes part of.
func (p *sarifPrinter) rule(id structural.Rule) int {
	if i := slices.IndexFunc(p.rules, func(r sarifRule) bool { return r.ID == id }); i >= 0 {
		return i
	}
	known := Rules()
	i := slices.IndexFunc(known, func(r structural.RuleInfo) bool { return r.ID == id })
	if i < 0 {
		return -1
	}
	r := known[i]
	p.rules = append(p.rules, sarifRule{r.ID, sarifText{r.Summary}, helpURI(r.ID)})
	return len(p.rules) - 1
}

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool       sarifTool     `json:"tool"`
	ColumnKind string        `json:"columnKind"`
	Results    []sarifResult `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	Version        string      `json:"version"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               structural.Rule `json:"id"`
	ShortDescription sarifText       `json:"shortDescription"`
	HelpURI          string          `json:"helpUri,omitempty"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID     structural.Rule   `json:"ruleId"`
	RuleIndex  int               `json:"ruleIndex"`
	Level      string            `json:"level"`
	Message    sarifText         `json:"message"`
	Locations  []sarifLocation   `json:"locations"`
	Properties map[string]string `json:"properties,omitempty"`
}

type sarifLocation struct {
	PhysicalLocation sarifPhysical  `json:"physicalLocation"`
	LogicalLocations []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifPhysical struct {
	ArtifactLocation sarifArtifact `json:"artifactLocation"`
	Region           *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
}

type sarifLogical struct {
	FullyQualifiedName string `json:"fullyQualifiedName"`
}

func (p *sarifPrinter) finding(s Snippet) {
	result := sarifResult{
		RuleID:    s.Rule,
		RuleIndex: p.rule(s.Rule),
		Level:     "error",
		Message:   sarifText{s.Message},
	}
	if s.Severity == structural.SeverityWarning || s.Severity == structural.SeverityNote {
		result.Level = string(s.Severity)
	}
	for _, remark := range s.remarks() {
		result.Message.Text += "\n" + remark[0] + " " + remark[1]
	}
	at := sarifLocation{PhysicalLocation: sarifPhysical{ArtifactLocation: sarifArtifact{fileURI(s.File)}}}
	if s.Line > 0 {
		at.PhysicalLocation.Region = &sarifRegion{StartLine: s.Line, StartColumn: s.Column}
	}
	if s.Path != "" {
		at.LogicalLocations = []sarifLogical{{s.Path}}
	}
	result.Locations = []sarifLocation{at}
	result.Properties = map[string]string{"crd": s.CRD, "version": s.Version, "object": s.Object}
	maps.DeleteFunc(result.Properties, func(_, value string) bool { return value == "" })
	p.results = append(p.results, result)
}

func (p *sarifPrinter) finish(Tally) {
	if p.results == nil {
		p.rules, p.results = []sarifRule{}, []sarifResult{}
	}
	terminal.WriteJSON(p.w, sarifLog{
		Schema:  "https://json.schemastore.org/sarif-2.1.0.json",
		Version: "2.1.0",
		Runs: []sarifRun{{
			Tool: sarifTool{sarifDriver{
				Name:           "prune-gen",
				Version:        p.Version,
				InformationURI: "https://github.com/prune-gen/prune-gen",
				Rules:          p.rules,
			}},
			ColumnKind: "unicodeCodePoints",
			Results:    p.results,
		}},
	})
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
