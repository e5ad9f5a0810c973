package answer

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/manifest"
	"github.com/prune-gen/prune-gen/internal/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// File is what a manifest holds.
type File struct {
	// Findings are all findings, in the order of the file.
	Findings []structural.Finding
	// Lines is the index of the lines of the text, nil where nothing could be read.
	Lines *yamltext.Lines
	// Passed is the number of documents that are not objects of Kubernetes.
	Passed int
	// Foreign reports that the text has errors and does not mention a group of the server. Directories contain templates and
	// other files: callers should pass over such a file unless it was named.
	Foreign bool
}

// Visitor is called for the objects in a file.
type Visitor struct {
	// Known is called for objects of known kinds, and Unknown for others. Both can be nil. What they return is added to the findings.
	Known   func(*Resource, manifest.Object) []structural.Finding
	Unknown func(manifest.Object) []structural.Finding
	// Store makes the objects known to the server, in place of calling a function.
	Store bool
	// Listed says that the file was found in a directory, where not every document needs to be an object.
	Listed bool
}

// Visit reads a manifest, which yamltext.Decode has returned, and calls visit for each object. The name is used in findings.
func (s *Server) Visit(name string, data []byte, visit Visitor) File {
	var f File
	report := &structural.Report{File: name}
	resourceVersions := 0
	object := func(o manifest.Object) {
		if !s.hasRoom(o, report) {
			return
		}
		if o.APIVersion == "" || o.Kind == "" {
			f.notObject(o, visit.Listed, report)
			return
		}
		if visit.Store {
			s.Store(o)
			return
		}
		r, finding := s.Lookup(o)
		var found []structural.Finding
		if finding != nil {
			found = append(found, *finding)
		}
		switch {
		case r != nil && visit.Known != nil:
			found = append(found, visit.Known(r, o)...)
		case r == nil && visit.Unknown != nil && (finding == nil || finding.Rule == RuleUnknownKind):
			found = append(found, visit.Unknown(o)...)
		}
		s.charge(o, found, report)
		for _, finding := range found {
			if finding.Rule == RuleResourceVersion {
				// What kubectl get prints has one in each object. The first says it for all.
				if resourceVersions++; resourceVersions > 1 {
					continue
				}
			}
			report.Add(finding)
		}
	}
	f.Lines = s.budget.ParseText(data, func(doc *yamltext.Document) {
		manifest.Objects(doc, s.isKind, object, func(n *yamltext.Node) {
			if visit.Listed {
				f.Passed++
				return
			}
			report.Add(structural.Finding{
				Rule: RuleNotObject, Line: n.Pos.Line, Column: n.Pos.Column, Severity: structural.SeverityError,
				Message: fmt.Sprintf("got %s, want an object", n.Describe()),
			})
		})
	}, report.Problem)
	f.Findings = report.Sorted()
	if resourceVersions > 1 {
		i := slices.IndexFunc(f.Findings, func(f structural.Finding) bool { return f.Rule == RuleResourceVersion })
		if i >= 0 {
			others := "; so is 1 more object in this file"
			if resourceVersions > 2 {
				others = fmt.Sprintf("; so are %d more objects in this file", resourceVersions-1)
			}
			f.Findings[i].Hint += others
		}
	}
	f.Foreign = s.isForeign(f.Findings, data)
	return f
}

// hasRoom counts an object, and reports whether it is within the limit.
func (s *Server) hasRoom(o manifest.Object, report *structural.Report) bool {
	ok, p := s.budget.AddObject(o.Node, s.isKind(o.APIVersion, o.Kind))
	if p != nil {
		report.Problem(p)
	}
	return ok
}

// charge counts the texts of findings about an object, which can be long even where the object is small.
func (s *Server) charge(o manifest.Object, found []structural.Finding, report *structural.Report) {
	if s.texts < 0 {
		return // it was said before
	}
	for _, f := range found {
		s.texts -= len(f.Path) + len(f.Message) + len(f.Hint)
	}
	if s.texts < 0 {
		report.Problem(s.budget.Exceed(o.Node.Pos, fmt.Sprintf("%d MiB of findings", maxFindingText>>20)))
	}
}

// isForeign reports whether a text has errors and does not mention a group of the server. Beyond the limit it looks no further, and
// such a text is not foreign.
func (s *Server) isForeign(found []structural.Finding, data []byte) bool {
	if !hasErrors(found) {
		return false
	}
	for _, group := range s.groups {
		if s.search -= int64(len(data)); s.search < 0 || bytes.Contains(data, []byte(group)) {
			return false
		}
	}
	return true
}

// notObject reports a map that does not say what it is, in the words of kubectl. Directories have other files in them.
func (f *File) notObject(o manifest.Object, listed bool, report *structural.Report) {
	if listed && (o.APIVersion == "" || o.Node.Get("metadata") == nil) {
		f.Passed++
		return
	}
	var missing []string
	if o.APIVersion == "" {
		missing = append(missing, "apiVersion not set")
	}
	if o.Kind == "" {
		missing = append(missing, "kind not set")
	}
	report.Add(structural.Finding{
		Rule: RuleNotObject, Line: o.Node.Pos.Line, Column: o.Node.Pos.Column, Object: o.String(), Severity: structural.SeverityError,
		Message: strings.Join(missing, ", "),
	})
}
