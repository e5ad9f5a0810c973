package manifest

import (
	"fmt"
	"reflect"

	"github.com/prune-gen/prune-gen/internal/report"
	"github.com/prune-gen/prune-gen/internal/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// Pruned is a manifest without what the server would drop.
type Pruned struct {
	File
	// Data is the text, nil where there are errors.
	Data []byte
	// Objects is the number of objects of known kinds, Unknown the number of others.
	Objects, Unknown int
}

// PruneText removes from a manifest, which yamltext.Decode has returned, the fields that the server would drop, and leaves every other byte
// as it is. The comments of a field go with it. The name is used in findings. Of a key that is there twice, the last one stays, with a
// warning. It is an error if an alias refers to a field that goes.
func (s *Server) PruneText(name string, data []byte) Pruned {
	p := newPruning(name, s)
	p.Lines = yamltext.ParseEditable(s.meter, data, p.document, p.report.Problem)
	if !hasErrors(p.report.Findings) {
		p.data = yamltext.Apply(data, p.edits)
		p.check(p.data)
	}
	p.finish(data)
	if hasErrors(p.Findings) {
		p.data = nil
	}
	return Pruned{File: p.File, Data: p.data, Objects: p.objects, Unknown: p.unknown}
}

// pruning is the work on one manifest.
type pruning struct {
	reader
	server           *Server
	data             []byte
	objects, unknown int
	before           yamltext.Pos // what comes before the text in its stream: lines, and characters in the line in which it begins
	edits            []yamltext.Edit
	want             []expected
}

func newPruning(name string, s *Server) pruning {
	return pruning{reader: reader{report: report.Report{File: name}, servers: []*Server{s}}, server: s}
}

// expected is what a document has to be.
type expected struct {
	at    yamltext.Pos
	value any // the objects in it, or the document where it has none
}

func (p *pruning) document(d *yamltext.Editable) {
	values := map[*yamltext.Node]map[string]any{}
	var objects []any
	p.eachObject(&d.Document, func(o Object) {
		value := o.Value()
		objects = append(objects, value)
		r, duplicates := p.resource(o)
		if r == nil {
			p.unknown++
			return
		}
		p.objects++
		if dropped := r.PruneReport(value); len(dropped)+duplicates > 0 {
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

// resource returns the resource of an object, nil if the server does not know it, and how many of its keys are there twice. It adds
// the warnings about both.
func (p *pruning) resource(o Object) (r *Resource, duplicates int) {
	r, finding := p.server.lookup(o)
	if finding != nil {
		finding.Severity = structural.SeverityWarning // the object stays as it is
		p.addAt(o.Node.Pos, *finding)
	}
	if r == nil {
		return nil, 0
	}
	all := o.Duplicates()
	for _, d := range all {
		p.addAt(d.Pos, structural.Finding{
			Rule: RuleDuplicateField, Severity: structural.SeverityWarning, Object: o.String(),
			Path: d.Path.Dotted(), Message: fmt.Sprintf("duplicate field %q", d.Path.Dotted()),
			Hint: fmt.Sprintf("it is set on line %d already, and the last one counts", p.place(d.First).Line),
		})
	}
	return r, len(all)
}

// addAt adds a finding about a place in the text.
func (p *pruning) addAt(at yamltext.Pos, f structural.Finding) {
	at = p.place(at)
	f.Line, f.Column = at.Line, at.Column
	p.add([]structural.Finding{f})
}

// place returns where in the stream a place in the text is.
func (p *pruning) place(at yamltext.Pos) yamltext.Pos {
	if at.Line == 1 {
		at.Column += p.before.Column
	}
	at.Line += p.before.Line
	return at
}

// check reads the pruned text, and reports the first document that is not what it has to be.
func (p *pruning) check(data []byte) {
	i, wrong := 0, false
	yamltext.ParseEditable(nil, data, func(d *yamltext.Editable) {
		var objects []any
		Objects(&d.Document, p.server.isKind, func(o Object) { objects = append(objects, o.Value()) },
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
