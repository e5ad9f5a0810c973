package crdread

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/text/objects"
	"github.com/prune-gen/prune-gen/internal/text/report"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// decoder reads the fields of a CRD from its nodes, as Kubernetes' JSON decoder would, and goes on after an error.
type decoder struct {
	report  *report.Report
	crd     string          // for findings: metadata.name, or group/kind
	version string          // for findings: the version they are about
	failed  bool            // there was an error
	whole   *structural.CRD // nil for a schema alone
	meter   *meter.Meter    // nil if the schemas were counted before
	doc     *yamltext.Document
}

// find reports a finding at a path, nil for none. The message has the path in quotes, with dots.
func (d *decoder) find(id structural.ID, severity structural.Severity, at yamltext.Pos, path *structural.Path, message, hint string) {
	f := structural.Finding{ID: id, Severity: severity, Message: message, Hint: hint}
	switch {
	case path == nil:
	case path.Dotted() == path.String():
		f = f.Quoting(path.String(), path.Steps())
	default:
		f = f.WithPath(path.String(), path.Steps())
	}
	d.add(f, at)
}

// add reports a finding, which gets its place and its subject.
func (d *decoder) add(f structural.Finding, at yamltext.Pos) {
	d.failed = d.failed || f.Severity == structural.SeverityError
	f.Line, f.Column, f.CRD, f.Version = at.Line, at.Column, d.crd, d.version
	d.report.Add(f)
}

// invalid reports an error at a path, path first as Kubernetes writes it.
func (d *decoder) invalid(id structural.ID, at yamltext.Pos, path *structural.Path, message, hint string) {
	if path == nil || d.report.Full {
		d.find(id, structural.SeverityError, at, nil, message, hint)
		return
	}
	d.say(structural.Finding{ID: id, Severity: structural.SeverityError, Hint: hint}, at, path, message)
}

// say reports a finding at a path, with a message that begins with it.
func (d *decoder) say(f structural.Finding, at yamltext.Pos, path *structural.Path, body string) {
	text := path.String()
	d.add(f.WithPath(text, path.Steps()).Saying(text, body), at)
}

// wrongType reports that n, at the given path, has the wrong type.
func (d *decoder) wrongType(n *yamltext.Node, at yamltext.Pos, path *structural.Path, expected, hint string) {
	if hint == "" && expected == "a string" {
		switch n.Kind {
		case yamltext.Bool, yamltext.Int, yamltext.Float:
			hint = "put it in quotes"
		}
	}
	d.invalid(idWrongType, at, path, "expected "+expected+", found "+n.Describe(), hint)
}

// unknownField warns of a field that the API server would ignore, in its words. The hint is made for its key.
func (d *decoder) unknownField(id structural.ID, e *yamltext.Entry, at *structural.Path, hint func(key string) string) {
	if d.report.Full {
		return
	}
	path := at.Child(e.Key)
	d.find(id, structural.SeverityWarning, e.Pos, path, fmt.Sprintf("unknown field %q", path.Dotted()), hint(e.Key))
}

// flaws reports the keys below n that are written twice, and those that a merge key after them replaces.
func (d *decoder) flaws(doc *yamltext.Document, n *yamltext.Node) {
	report.EachFlaw(doc, n, func(f yamltext.Flaw, path *structural.Path) { d.flaw(objects.Duplicate{Flaw: f, Path: path, In: doc}) })
}

func (d *decoder) flaw(key objects.Duplicate) {
	f, path := key.Flaw, key.Path
	severity, message, hint := structural.SeverityError, key.Message, key.Hint()
	if f.ID == yamltext.IDReplacedKey {
		severity = structural.SeverityWarning
		message = func() string {
			return fmt.Sprintf("field %q is replaced by the merge key in line %d", path.Dotted(), f.First.Line)
		}
		hint = "Kubernetes lets the last one win: move the merge key (<<) to the top of its map"
	}
	if d.report.Full { // texts can be as long as the path, and would be dropped
		d.find(structural.ID(f.ID), severity, f.Pos, nil, "", hint)
		return
	}
	d.find(structural.ID(f.ID), severity, f.Pos, path, message(), hint)
}

// entries returns the entries of an object at path, nil for null and for anything else.
func (d *decoder) entries(n *yamltext.Node, pos yamltext.Pos, path *structural.Path) []yamltext.Entry {
	switch {
	case n.IsNull():
		return nil
	case n.Kind != yamltext.Map:
		d.wrongType(n, pos, path, "an object", "")
	}
	return n.Entries
}

// expect reports whether n, at the given path, is one of the kinds, and reports an error if it is not.
func (d *decoder) expect(n *yamltext.Node, pos yamltext.Pos, at *structural.Path, expected, hint string, kinds ...yamltext.Kind) bool {
	if slices.Contains(kinds, n.Kind) {
		return true
	}
	if s := strings.ToLower(n.Str()); expected == "a boolean" && (s == "true" || s == "false") {
		hint = "remove the quotes"
	}
	d.wrongType(n, pos, at, expected, hint)
	return false
}
