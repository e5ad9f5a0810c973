package manifest

import (
	"fmt"
	"reflect"

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
	p := &pruning{reader: reader{report: structural.Report{File: name}, servers: []*Server{s}}, server: s}
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
	edits            []yamltext.Edit
	want             []expected
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
		r, finding := p.server.lookup(o)
		if r == nil {
			p.unknown++
			if finding != nil {
				finding.Severity = structural.SeverityWarning // it stays as it is
				p.add([]structural.Finding{*finding})
			}
			return
		}
		p.objects++
		duplicates := o.Duplicates()
		for _, duplicate := range duplicates {
			p.add([]structural.Finding{{
				Rule: RuleDuplicateField, Line: duplicate.Pos.Line, Column: duplicate.Pos.Column, Severity: structural.SeverityWarning, Object: o.String(),
				Path: duplicate.Path.Dotted(), Message: fmt.Sprintf("duplicate field %q", duplicate.Path.Dotted()),
				Hint: fmt.Sprintf("it is set on line %d already, and the last one counts", duplicate.First.Line),
			}})
		}
		if dropped := r.PruneReport(value); len(dropped)+len(duplicates) > 0 {
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
