package crdread

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/meter"
	"github.com/prune-gen/prune-gen/internal/objects"
	"github.com/prune-gen/prune-gen/internal/origin"
	"github.com/prune-gen/prune-gen/internal/report"
	"github.com/prune-gen/prune-gen/internal/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

const (
	crdGroup    = "apiextensions.k8s.io"
	crdKind     = "CustomResourceDefinition"
	crdListKind = "CustomResourceDefinitionList"
)

// File is what a file holds.
type File struct {
	Name string
	// CRDs are those that could be read without an error, in the order of the file.
	CRDs []*structural.CRD
	// Refused are those that could be read but have errors. They can only be linted.
	Refused []*structural.CRD
	// Passed is the number of documents that are not CRDs.
	Passed int
	// Findings are the findings about the text, in the order of the file.
	Findings []structural.Finding
	// Foreign says why callers should skip the file unless it was named. What is looked for are CustomResourceDefinitions.
	Foreign report.Foreign
	// Lines is the index of the text as it was parsed, which is what yamltext.Decode makes of the file: the lines of Findings,
	// and of what Lint finds in CRDs, are its lines. It is nil if nothing could be read.
	Lines *yamltext.Lines

	report *report.Report
	meter  *meter.Meter
}

// Add adds findings about the CRDs of the file to its own, as far as there is room for them.
func (f *File) Add(findings []structural.Finding) {
	for _, finding := range findings {
		f.report.Add(finding)
	}
	f.Findings = f.report.Sorted()
}

// Load reads every CRD in r: YAML with any number of documents, JSON, and the kinds List and
// CustomResourceDefinitionList. The name is used in messages only. The limits are those for a run that reads nothing else.
func Load(name string, r io.Reader) *File { return Within(meter.New(1), name, r) }

// Within is Load with the limits of a run that also reads other files.
func Within(m *meter.Meter, name string, r io.Reader) *File {
	data, err := yamltext.Read(m, r)
	if err != nil {
		return Unreadable(m, name, err)
	}
	return Text(m, name, data)
}

func newFile(m *meter.Meter, name string) *File {
	return &File{Name: name, report: &report.Report{File: name, Meter: m}, meter: m}
}

// Text is Within for a text that yamltext.Read has returned. If kinds are given, which Kinds has found, it reads the CRDs that define
// them, and no others.
func Text(m *meter.Meter, name string, data []byte, kinds ...Kind) *File {
	f := newFile(m, name)
	wanted := func(part []byte) bool {
		if len(kinds) == 0 {
			return true
		}
		kind, _ := kindOf(part)
		return slices.Contains(kinds, kind)
	}
	f.Lines = yamltext.ParseSome(m, data, wanted, func(doc *yamltext.Document) {
		objects.InDocument(doc, nil, f.object, func(*yamltext.Node) { f.Passed++ })
	}, f.report.Problem)
	f.Add(nil)
	f.Foreign = f.report.Foreign(func() bool { return !m.Spend(1+len(data)/meter.ScannedBytes) || bytes.Contains(data, []byte(crdKind)) })
	return f
}

// Unreadable returns a File with one finding: why it cannot be read. The error can be that of yamltext.Read.
func Unreadable(m *meter.Meter, name string, err error) *File {
	f := newFile(m, name)
	var problem *yamltext.Problem
	if errors.As(err, &problem) {
		f.report.Problem(problem)
		f.Findings = f.report.Sorted()
		return f
	}
	// The file system names the file once more.
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	f.Add([]structural.Finding{{
		Rule: structural.RuleUnreadable, Line: 1, Column: 1, Severity: structural.SeverityError,
		Message: fmt.Sprintf("cannot read the file: %v", err),
	}})
	return f
}

// IsManifest reports whether a file of that name in a directory can have CRDs in it: *.yaml, *.yml or *.json.
func IsManifest(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}

// object reads an object.
func (f *File) object(o objects.Object) {
	n := o.Node
	group, _ := o.Group()
	if isOurs := group == crdGroup || o.APIVersion == crdGroup || o.APIVersion == ""; o.Kind != crdKind || !isOurs {
		f.Passed++
		return
	}
	if (o.APIVersion == structural.APIVersionV1 || o.APIVersion == structural.APIVersionV1beta1) && isPatch(n) {
		f.Passed++
		d := &decoder{report: f.report, crd: origin.Name(n)}
		d.find(rulePatch, structural.SeverityWarning, n.Pos, nil,
			"skipped: this "+crdKind+" has no spec.group, no spec.names and no spec.versions",
			"it looks like a patch: render it first, for example with kustomize build")
		return
	}
	if f.meter.Spent() {
		return
	}
	f.meter.Spend(meter.UnitsOfCRD)
	n.Hold(f.meter)
	c, verdict := decodeCRD(f.meter, o.Document, n, o.APIVersion, f.report)
	f.report.Exceeded(f.meter, n.Pos)
	if f.meter.Spent() {
		return
	}
	switch verdict {
	case usable:
		f.CRDs = append(f.CRDs, c)
	case refused:
		f.Refused = append(f.Refused, c)
	}
}

// isPatch reports whether n is a patch for a CRD: projects keep patches beside CRDs.
func isPatch(n *yamltext.Node) bool {
	spec := n.Child("spec")
	if !spec.IsNull() && spec.Kind != yamltext.Map {
		return false
	}
	for _, field := range []string{"group", "names", "versions", "version"} {
		if !spec.Child(field).IsNull() {
			return false
		}
	}
	return true
}
