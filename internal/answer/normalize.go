package answer

import (
	"github.com/prune-gen/prune-gen/internal/manifest"
	"github.com/prune-gen/prune-gen/internal/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// Normalized is a manifest with its objects as the server would store them.
type Normalized struct {
	// Documents are the documents of the manifest. In them, objects of known kinds are what would be stored.
	Documents []any
	// Findings are what is wrong with the text, and why objects are refused.
	Findings []structural.Finding
	Lines    *yamltext.Lines
	// Objects, Unknown and Foreign are as in Pruned.
	Objects, Unknown int
	Foreign          bool
}

// NormalizeText returns the documents of a manifest, which yamltext.Decode has returned, as the server would store the objects in them if
// they were created. The name is used in findings.
func (s *Server) NormalizeText(name string, data []byte) Normalized {
	var n Normalized
	report := &structural.Report{File: name}
	n.Lines = s.budget.ParseText(data, func(doc *yamltext.Document) {
		stored := map[*yamltext.Node]any{}
		manifest.Objects(doc, s.isKind, func(o manifest.Object) {
			if !s.hasRoom(o, report) {
				return
			}
			r, finding := s.Lookup(o)
			if finding != nil {
				report.Add(*finding)
			}
			if r == nil {
				n.Unknown++
				return
			}
			n.Objects++
			a := s.Ask(r, o, Options{})
			s.charge(o, a.Findings, report)
			for _, f := range a.Findings {
				if f.Severity == structural.SeverityError {
					report.Add(f)
				}
			}
			stored[o.Node] = a.Object
		}, func(*yamltext.Node) {})
		n.Documents = append(n.Documents, replaced(doc.Root, stored))
	}, report.Problem)
	n.Findings = report.Sorted()
	n.Foreign = s.isForeign(n.Findings, data)
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
