package manifest

import (
	"bytes"
	"io"
	"reflect"

	"github.com/prune-gen/prune-gen/internal/text/objects"
	"github.com/prune-gen/prune-gen/internal/text/report"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// Pruned is a manifest without what the server would drop.
type Pruned struct {
	File
	// Data is the text, nil if there are errors, and for a text that is not held.
	Data []byte
	// Objects is the number of objects of known kinds, Unknown the number of others.
	Objects, Unknown int
}

// Prune removes from a manifest the fields that the server would drop, and leaves every other byte as it is. The comments of a field are
// removed with it. Of duplicate keys, the last one stays, with a warning. It is an error if an alias refers to a removed field. Objects
// of kinds that the server does not know stay as they are. A text that is not held is written to w; what was written before an error
// stays written. The error is that of w, or of the reader of the text.
func (s *Server) Prune(t *objects.Text, w io.Writer) (Pruned, error) {
	var err error
	p := newPruning(t, s)
	switch {
	case !t.IsJSON():
		p.yaml(t.Data)
	case t.IsHeld():
		var out bytes.Buffer
		err = newJSONPruner(p).copy(&out, t)
		p.data, p.Lines = out.Bytes(), yamltext.NewLines(t.Data)
	default:
		err = newJSONPruner(p).copy(w, t)
	}
	p.finish()
	if hasErrors(p.Findings) {
		p.data = nil
	}
	return Pruned{File: p.File, Data: p.data, Objects: p.objects, Unknown: p.unknown}, err
}

// pruning is the work on one manifest.
type pruning struct {
	*reader
	server           *Server
	data             []byte
	objects, unknown int
	edits            []yamltext.Edit
	want             []expected
}

func newPruning(t *objects.Text, s *Server) *pruning {
	return &pruning{reader: newReader(t, s), server: s}
}

// yaml prunes YAML. The pruned text is parsed again, and that is counted instead of parsing the text: it does not cost more.
func (p *pruning) yaml(data []byte) {
	restore := p.meter.Save()
	p.Lines = yamltext.ParseEditable(p.meter, data, p.document, p.report.Problem)
	if hasErrors(p.report.Findings) {
		return
	}
	restore()
	for _, f := range p.report.Findings {
		report.Spend(&f, p.meter)
	}
	p.data = yamltext.Apply(data, p.edits)
	p.check(p.data)
}

// expected is the expected content of a document.
type expected struct {
	at    yamltext.Pos
	value any // the objects in it, or the document if it has none
}

func (p *pruning) document(d *yamltext.Editable) {
	values := map[*yamltext.Node]map[string]any{}
	var all []any
	objects.InDocument(&d.Document, p.isKind, p.within(func(o Object) {
		value := o.Value()
		all = append(all, value)
		r, duplicates := p.resource(o)
		if r == nil {
			p.unknown++
			return
		}
		p.objects++
		p.report.Read()
		if dropped := r.PruneReport(value); len(dropped)+duplicates > 0 {
			values[o.Node] = value
		}
	}), func(n *yamltext.Node) { all = append(all, n.Value()) })
	p.want = append(p.want, expected{d.Root.Pos, all})
	if len(values) == 0 {
		return
	}
	edits, problem := d.Reduce(values)
	p.edits = append(p.edits, edits...)
	if problem != nil {
		p.report.Problem(problem)
	}
}

// resource returns the resource of an object, nil if the server does not know it, and the number of its duplicate keys. It adds
// the warnings about both.
func (p *pruning) resource(o Object) (r *Resource, duplicates int) {
	r, finding := p.server.lookup(o)
	if finding != nil {
		finding.Severity = structural.SeverityWarning // the object stays as it is
		p.add([]structural.Finding{*finding})
	}
	if r == nil {
		return nil, 0
	}
	all := o.Duplicates()
	for _, d := range all {
		f := duplicate(d, structural.SeverityWarning)
		f.Line, f.Column, f.Object = d.Pos.Line, d.Pos.Column, o.String()
		p.add([]structural.Finding{f})
	}
	return r, len(all)
}

// check reads the pruned text, and reports the first document that is not as expected.
func (p *pruning) check(data []byte) {
	i, wrong := 0, false
	yamltext.ParseEditable(p.meter, data, func(d *yamltext.Editable) {
		var all []any
		objects.InDocument(&d.Document, p.isKind, func(o Object) { all = append(all, o.Value()) },
			func(n *yamltext.Node) { all = append(all, n.Value()) })
		wrong = wrong || i >= len(p.want) || !reflect.DeepEqual(any(all), p.want[i].value)
		if !wrong {
			i++
		}
	}, func(problem *yamltext.Problem) {
		if wrong = true; p.meter.Spent() {
			p.report.Problem(problem)
		}
	})
	if p.meter.Spent() || !wrong && i == len(p.want) {
		return
	}
	at := yamltext.Pos{Line: 1, Column: 1}
	if i < len(p.want) {
		at = p.want[i].at
	}
	p.report.Add(structural.Finding{
		ID: IDInPlace, Line: at.Line, Column: at.Column, Severity: structural.SeverityError,
		Message: "the fields that are dropped cannot be removed from the text of this document",
		Hint:    "write it in block style, without aliases",
	})
}
