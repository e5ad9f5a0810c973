package crdread

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/crd/origin"
	"github.com/prune-gen/prune-gen/internal/text/objects"
	"github.com/prune-gen/prune-gen/internal/text/report"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
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
	t, err := objects.Open(m, objects.Source{Name: name, Reader: r})
	if err != nil {
		return Unreadable(m, name, err)
	}
	return Text(m, t)
}

func newFile(m *meter.Meter, name string) *File {
	return &File{Name: name, report: &report.Report{File: name, Meter: m}, meter: m}
}

// Text is Within for a text that is open. If kinds are given, which Kinds has found, it reads the CRDs that define them, and no others.
func Text(m *meter.Meter, t *objects.Text, kinds ...Kind) *File {
	f := newFile(m, t.Name)
	r := objects.Reader{
		Meter: m, Visit: f.object, Other: func(*yamltext.Node) { f.Passed++ }, Problem: f.report.Problem, Keeps: true,
		Passes: func(p objects.Piece) bool {
			if p.Kind != crdKind {
				f.Passed++
			}
			return p.Kind != crdKind
		},
	}
	if len(kinds) > 0 {
		r.Wants = func(part []byte) bool {
			kind, _ := kindOf(part)
			return slices.Contains(kinds, kind)
		}
	}
	lines, err := r.Read(t)
	if f.Lines = lines; err != nil {
		f.unreadable(err)
	}
	f.Add(nil)
	f.Foreign = f.report.Foreign(func() bool { return MentionsCRDs(m, t) })
	return f
}

// MentionsCRDs reports whether a text may have CRDs in it: whether it has the word in it.
func MentionsCRDs(m *meter.Meter, t *objects.Text) bool { return t.Mentions(m, []string{crdKind}) }

// Unreadable returns a File with one finding: why it cannot be read.
func Unreadable(m *meter.Meter, name string, err error) *File {
	f := newFile(m, name)
	if problem := (*yamltext.Problem)(nil); errors.As(err, &problem) {
		f.report.Problem(problem)
		f.Add(nil)
	} else {
		f.unreadable(err)
	}
	return f
}

// unreadable adds an error of the reader of the text.
func (f *File) unreadable(err error) {
	// The file system names the file once more.
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	f.Add([]structural.Finding{{
		ID: structural.IDUnreadable, Line: 1, Column: 1, Severity: structural.SeverityError,
		Message: fmt.Sprintf("cannot read the file: %v", err),
	}})
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
		f.replaced(o)
		return
	}
	f.report.Read()
	if (o.APIVersion == structural.APIVersionV1 || o.APIVersion == structural.APIVersionV1beta1) && isPatch(n) {
		f.Passed++
		d := &decoder{report: f.report, crd: origin.Name(n)}
		d.find(idPatch, structural.SeverityWarning, n.Pos, nil,
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

// replaced reports a CRD whose kind another one replaces: the line between it and the next object is missing.
func (f *File) replaced(o objects.Object) {
	at, isCRD := yamltext.Pos{}, false
	for _, flaw := range o.Document.Flaws[o.Node] {
		if flaw.ID == yamltext.IDDuplicateKey && (at.Line == 0 || flaw.Pos.Line < at.Line) {
			at = flaw.Pos
		}
		isCRD = isCRD || flaw.Key == "kind" && flaw.Value != nil && flaw.Value.Str() == crdKind
	}
	if isCRD {
		f.report.Read()
		f.report.Add(structural.Finding{
			ID: yamltext.IDDuplicateKey, Line: at.Line, Column: at.Column, Severity: structural.SeverityError,
			Message: "a " + crdKind + " and another object are in one document", Hint: "add a line with --- before this one",
		})
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
