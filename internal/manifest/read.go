package manifest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/meter"
	"github.com/prune-gen/prune-gen/internal/report"
	"github.com/prune-gen/prune-gen/internal/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// File is what was found in the text of a manifest.
type File struct {
	// Findings are all findings, in the order of the file.
	Findings []structural.Finding
	// Lines is the index of the lines of the text, nil where nothing could be read.
	Lines *yamltext.Lines
	// Passed has the first line of each document that is not an object of Kubernetes.
	Passed []int
	// Foreign reports that the text has errors and does not mention a group of the server. Directories contain templates and
	// other files: callers should skip such a file unless it was named.
	Foreign bool
}

// Read reads a manifest, which yamltext.Decode has returned, and calls visit for each object in it. What visit returns is added to the
// findings, in which the name is the file. Listed says that the file was found in a directory, where not every document needs to be
// an object. The kinds of the servers, of which there is at least one, decide what is a list of objects.
func Read(name string, data []byte, listed bool, visit func(Object) []structural.Finding, servers ...*Server) File {
	r := &reader{report: report.Report{File: name}, listed: listed, visit: visit, servers: servers}
	r.Lines = yamltext.ParseText(servers[0].meter, data, func(doc *yamltext.Document) { r.eachObject(doc, r.object, r.other) }, r.report.Problem)
	r.finish(data)
	return r.File
}

// reader is the work on one manifest.
type reader struct {
	File
	report  report.Report
	listed  bool
	visit   func(Object) []structural.Finding
	servers []*Server
	// versions counts the warnings about resourceVersions.
	versions int
}

// eachObject calls visit for the objects of a document, within the limits, and other with what is not an object.
func (r *reader) eachObject(doc *yamltext.Document, visit func(Object), other func(*yamltext.Node)) {
	isKind := func(apiVersion, kind string) bool {
		return slices.ContainsFunc(r.servers, func(s *Server) bool { return s.isKind(apiVersion, kind) })
	}
	Objects(doc, isKind, func(o Object) {
		m := r.servers[0].meter
		if m.Spent() {
			return // it was said before
		}
		if p := o.Node.Object(m, isKind(o.APIVersion, o.Kind)); p != nil {
			r.report.Problem(p)
			return
		}
		visit(o)
		r.report.Exceeded(m, o.Node.Pos)
	}, other)
}

// other reports what is not an object.
func (r *reader) other(n *yamltext.Node) {
	if r.listed {
		r.Passed = append(r.Passed, n.Pos.Line)
		return
	}
	r.report.Add(structural.Finding{
		Rule: RuleNotObject, Line: n.Pos.Line, Column: n.Pos.Column, Severity: structural.SeverityError,
		Message: fmt.Sprintf("got %s, want an object", n.Describe()),
	})
}

// object visits an object. One that does not say what it is gets an error in the words of kubectl.
func (r *reader) object(o Object) {
	var missing []string
	if o.APIVersion == "" {
		missing = append(missing, "apiVersion not set")
	}
	if o.Kind == "" {
		missing = append(missing, "kind not set")
	}
	switch {
	case missing == nil:
		r.add(r.visit(o))
	case r.listed && (o.APIVersion == "" || o.Node.Get("metadata") == nil):
		r.Passed = append(r.Passed, o.Node.Pos.Line)
	default:
		r.report.Add(structural.Finding{
			Rule: RuleNotObject, Line: o.Node.Pos.Line, Column: o.Node.Pos.Column, Object: o.String(), Severity: structural.SeverityError,
			Message: strings.Join(missing, ", "),
		})
	}
}

// add adds findings about an object. What kubectl get prints has a resourceVersion in each object: the first warning says it for all.
func (r *reader) add(found []structural.Finding) {
	for _, f := range found {
		if f.Rule == RuleResourceVersion {
			if r.versions++; r.versions > 1 {
				continue
			}
		}
		report.Spend(&f, r.servers[0].meter)
		r.report.Add(f)
	}
}

// finish sorts the findings.
func (r *reader) finish(data []byte) {
	r.Findings = r.report.Sorted()
	if r.versions > 1 {
		if i := slices.IndexFunc(r.Findings, func(f structural.Finding) bool { return f.Rule == RuleResourceVersion }); i >= 0 {
			others := "; so is 1 more object in this file"
			if r.versions > 2 {
				others = fmt.Sprintf("; so are %d more objects in this file", r.versions-1)
			}
			r.Findings[i].Hint += others
		}
	}
	r.Foreign = hasErrors(r.Findings) && !slices.ContainsFunc(r.servers, func(s *Server) bool { return s.mentioned(data) })
}

// mentioned reports whether a text mentions a group of the server, or may do so.
func (s *Server) mentioned(data []byte) bool {
	return slices.ContainsFunc(s.groups, func(group string) bool {
		return !s.meter.Spend(1+len(data)/meter.ScannedBytes) || bytes.Contains(data, []byte(group))
	})
}

func hasErrors(found []structural.Finding) bool {
	return slices.ContainsFunc(found, func(f structural.Finding) bool { return f.Severity == structural.SeverityError })
}
