package manifest

import (
	"slices"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/text/objects"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// Normalized is a manifest with its objects as the server would store them.
type Normalized struct {
	// File has what is wrong with the text, and why objects are refused.
	File
	// Documents are the documents of the manifest. In them, objects of known kinds are what would be stored.
	Documents []any
	// Objects and Unknown are as in Pruned.
	Objects, Unknown int
}

// Normalize returns the documents of a manifest, which is held, as the server would store the objects in them if they were created.
func (s *Server) Normalize(t *objects.Text) Normalized {
	var n Normalized
	r := newReader(t, s)
	r.Lines = yamltext.ParseText(s.meter, t.Data, func(doc *yamltext.Document) {
		stored := map[*yamltext.Node]any{}
		objects.InDocument(doc, r.isKind, r.within(func(o Object) {
			size, answer := s.Ask(o, Warn, WithReasons)
			r.later(o, size, func() {
				a := answer()
				if a.Resource == nil {
					n.Unknown++
					r.add(a.Findings)
					return
				}
				n.Objects++
				r.report.Read()
				r.add(slices.DeleteFunc(a.Findings, func(f structural.Finding) bool { return f.Severity != structural.SeverityError }))
				stored[o.Node] = a.Stored
			})
		}), func(*yamltext.Node) {})
		if doc.Root != nil && !doc.Root.Spend(s.meter, meter.UnitsOfPrinted) {
			r.report.Exceeded(s.meter, doc.Root.Pos)
			return
		}
		r.queue.Add(t.Name, 0, func() { n.Documents = append(n.Documents, replaced(doc.Root, stored)) })
	}, r.report.Problem)
	r.queue.Finish()
	n.File = r.finish()
	return n
}

// replaced returns the value of an object, or of a list of objects, with other values in place of some objects.
func replaced(n *yamltext.Node, by map[*yamltext.Node]any) any {
	if v, ok := by[n]; ok {
		return v
	}
	items := n.Child("items")
	if items == nil || items.Kind != yamltext.List {
		return n.Value()
	}
	list := make([]any, len(items.List))
	for i, e := range items.List {
		list[i] = replaced(e, by)
	}
	m := map[string]any{"items": list}
	for i := range n.Entries {
		if e := &n.Entries[i]; e.Key != "items" {
			m[e.Key] = e.Value.Value()
		}
	}
	return m
}
