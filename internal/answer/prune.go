package answer

import (
	"fmt"
	"reflect"

	"github.com/prune-gen/prune-gen/internal/manifest"
	"github.com/prune-gen/prune-gen/internal/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// Pruned is a manifest without what the server would drop.
type Pruned struct {
	// Data is the text, nil where there are errors.
	Data []byte
	// Findings are all findings, in the order of the file.
	Findings []structural.Finding
	Lines    *yamltext.Lines
	// Objects is the number of objects of known kinds, Dropped the number of fields that were dropped in them. Unknown is the number
	// of other objects.
	Objects, Dropped, Unknown int
	// Foreign is as in File.
	Foreign bool
}

// PruneText removes from a manifest, which yamltext.Decode has returned, the fields that the server would drop, and leaves every other byte
// as it is. The comments of a field go with it. The name is used in findings.
//
// It is an error if an alias stands for a field that goes, or if a document has a key twice.
func (s *Server) PruneText(name string, data []byte) Pruned {
	p := &pruning{Server: s, report: &structural.Report{File: name}}
	p.Lines = s.budget.ParseEditable(data, p.document, p.report.Problem)
	if p.Findings = p.report.Sorted(); !hasErrors(p.Findings) {
		p.Data = yamltext.Apply(data, p.edits)
		p.check(p.Data)
	}
	p.Findings = p.report.Sorted()
	if p.Foreign = s.isForeign(p.Findings, data); hasErrors(p.Findings) {
		p.Data = nil
	}
	return p.Pruned
}

// pruning is the work on one manifest.
type pruning struct {
	*Server
	Pruned
	report *structural.Report
	edits  []yamltext.Edit
	want   []expected
}

// expected is what a document has to be.
type expected struct {
	at    yamltext.Pos
	value any // the objects in it, or the document where it has none
}

func (p *pruning) document(d *yamltext.Editable) {
	for _, flaws := range d.Flaws {
		for _, f := range flaws {
			if f.Rule == yamltext.RuleDuplicateKey {
				p.report.Add(structural.Finding{
					Rule: RuleDuplicateField, Line: f.Pos.Line, Column: f.Pos.Column, Severity: structural.SeverityError,
					Message: fmt.Sprintf("key %q is already set on line %d", yamltext.Shorten(f.Key), f.First.Line), Hint: "remove one of them",
				})
			}
		}
	}
	values := map[*yamltext.Node]map[string]any{}
	var objects []any
	manifest.Objects(&d.Document, p.isKind, func(o manifest.Object) {
		if !p.hasRoom(o, p.report) {
			return
		}
		value := o.Value()
		objects = append(objects, value)
		r, finding := p.Lookup(o)
		if r == nil {
			p.Unknown++
			if finding != nil {
				finding.Severity = structural.SeverityWarning // it stays as it is
				p.report.Add(*finding)
			}
			return
		}
		p.Objects++
		if dropped := r.PruneReport(value); len(dropped) > 0 {
			p.Dropped += len(dropped)
			values[o.Node] = value
		}
	}, func(n *yamltext.Node) { objects = append(objects, n.Value()) })
	p.want = append(p.want, expected{d.Root.Pos, objects})
	if len(values) == 0 {
		return
	}
	edits, problem := d.Reduce(values)
	p.edits = append(p.edits, edits...)
	if problem != nil {
		p.report.Problem(problem)
	}
}

// check reads the pruned text, and reports the first document that is not what it has to be.
func (p *pruning) check(data []byte) {
	i, wrong := 0, false
	yamltext.NewBudget().ParseEditable(data, func(d *yamltext.Editable) {
		var objects []any
		manifest.Objects(&d.Document, p.isKind, func(o manifest.Object) { objects = append(objects, o.Value()) },
			func(n *yamltext.Node) { objects = append(objects, n.Value()) })
		wrong = wrong || i >= len(p.want) || !reflect.DeepEqual(any(objects), p.want[i].value)
		if !wrong {
			i++
		}
	}, func(*yamltext.Problem) { wrong = true })
	if !wrong && i == len(p.want) {
		return
	}
	at := yamltext.Pos{Line: 1, Column: 1}
	if i < len(p.want) {
		at = p.want[i].at
	}
	p.report.Add(structural.Finding{
		Rule: RuleInPlace, Line: at.Line, Column: at.Column, Severity: structural.SeverityError,
		Message: "the fields that are dropped cannot be removed from the text of this document",
		Hint:    "write it in block style, without aliases",
	})
}

func hasErrors(found []structural.Finding) bool {
	for _, f := range found {
		if f.Severity == structural.SeverityError {
			return true
		}
	}
	return false
}
