package main

import (
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/prune-gen/prune-gen/structural"
)

// sarifPrinter writes a SARIF 2.1.0 log: https://docs.oasis-open.org/sarif/sarif/v2.1.0/
type sarifPrinter struct {
	w       io.Writer
	results []sarifResult
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
	Version        string      `json:"version,omitempty"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string    `json:"id"`
	ShortDescription sarifText `json:"shortDescription"`
	HelpURI          string    `json:"helpUri,omitempty"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID     string            `json:"ruleId"`
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

const structuralHelp = "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/" +
	"custom-resource-definitions/#specifying-a-structural-schema"

// The rules are what the API server's texts tell apart, and two for what it never gets to see.
const (
	ruleRequired = iota
	ruleForbidden
	ruleInvalid
	ruleUnsupported
	ruleWarning
	ruleUnreadable
)

// sarifRules returns the rules, in the order of their numbers.
func sarifRules() []sarifRule {
	rule := func(id, text string) sarifRule {
		r := sarifRule{ID: id, ShortDescription: sarifText{text}}
		if strings.HasPrefix(id, "structural/") {
			r.HelpURI = structuralHelp
		}
		return r
	}
	return []sarifRule{
		ruleRequired:    rule("structural/required", "A structural schema needs a value here."),
		ruleForbidden:   rule("structural/forbidden", "A structural schema must not have this here."),
		ruleInvalid:     rule("structural/invalid", "A structural schema must have another value here."),
		ruleUnsupported: rule("structural/unsupported", "A structural schema cannot have this keyword."),
		ruleWarning:     rule("crd/doubtful", "Kubernetes takes no notice of this, or reads it in another way."),
		ruleUnreadable:  rule("crd/unreadable", "This cannot be read as a CustomResourceDefinition."),
	}
}

// ruleOf returns the number of the rule that f is about.
func ruleOf(f structural.Finding) int {
	text := strings.TrimPrefix(f.Message, f.Path+": ")
	switch {
	case f.Severity == structural.SeverityWarning:
		return ruleWarning
	case strings.HasPrefix(text, "Required value"):
		return ruleRequired
	case strings.HasPrefix(text, "Forbidden"):
		return ruleForbidden
	case strings.HasPrefix(text, "Invalid value"):
		return ruleInvalid
	case f.Version != "" || strings.Contains(f.Path, "openAPIV3Schema"):
		return ruleUnsupported
	}
	return ruleUnreadable
}

func (p *sarifPrinter) finding(s snippet) {
	rule := ruleOf(s.Finding)
	result := sarifResult{
		RuleID:    sarifRules()[rule].ID,
		RuleIndex: rule,
		Level:     "error",
		Message:   sarifText{s.Message},
	}
	if s.Severity == structural.SeverityWarning {
		result.Level = "warning"
	}
	if s.Hint != "" {
		result.Message.Text += "\nhint: " + s.Hint
	}
	at := sarifLocation{PhysicalLocation: sarifPhysical{ArtifactLocation: sarifArtifact{fileURI(s.File)}}}
	if s.Line > 0 {
		at.PhysicalLocation.Region = &sarifRegion{StartLine: s.Line, StartColumn: s.Column}
	}
	if s.Path != "" {
		at.LogicalLocations = []sarifLogical{{s.Path}}
	}
	result.Locations = []sarifLocation{at}
	if s.CRD != "" {
		result.Properties = map[string]string{"crd": s.CRD}
		if s.Version != "" {
			result.Properties["version"] = s.Version
		}
	}
	p.results = append(p.results, result)
}

func (p *sarifPrinter) verdict(verdict) {}

func (p *sarifPrinter) condition(condition) {}

func (p *sarifPrinter) finish(tally) error {
	if p.results == nil {
		p.results = []sarifResult{}
	}
	return writeJSON(p.w, sarifLog{
		Schema:  "https://json.schemastore.org/sarif-2.1.0.json",
		Version: "2.1.0",
		Runs: []sarifRun{{
			Tool: sarifTool{sarifDriver{
				Name:           "prune-gen",
				Version:        releaseVersion(),
				InformationURI: "https://github.com/prune-gen/prune-gen",
				Rules:          sarifRules(),
			}},
			ColumnKind: "unicodeCodePoints",
			Results:    p.results,
		}},
	})
}

// fileURI returns name as a URI: relative where it lies below the working directory, as those who read SARIF expect it.
func fileURI(name string) string {
	if name == stdinName {
		return "stdin"
	}
	if wd, err := os.Getwd(); err == nil {
		if rel, ok := within(wd, name); ok {
			// A colon in the first segment would make it a scheme, unless something stands before it.
			u := url.URL{Path: rel}
			return u.String()
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
	u := url.URL{Scheme: "file", Path: path}
	return u.String()
}
