// Package fields reads YAML files with known fields strictly: an unknown field is a finding with its place.
package fields

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/text/report"
	"github.com/prune-gen/prune-gen/internal/text/spelling"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// Decoder reads the nodes of a file and reports what is wrong with them.
type Decoder struct {
	report.Report
	ID structural.ID // of the findings, except those about the text
}

// New returns a decoder for a file.
func New(m *meter.Meter, file string, id structural.ID) *Decoder {
	return &Decoder{report.Report{File: file, Meter: m}, id}
}

// Document calls read with the only document of a text that yamltext.Decode has returned. It reports whether there is one. The text what
// describes the file.
func (d *Decoder) Document(text []byte, what string, read func(*yamltext.Node)) (lines *yamltext.Lines, found bool) {
	lines = yamltext.ParseText(d.Meter, text, func(doc *yamltext.Document) {
		if found {
			d.Wrong(doc.Root.Pos, "%s must have one document", what)
			return
		}
		found = true
		for _, flaws := range doc.Flaws {
			for _, f := range flaws {
				d.Wrong(f.Pos, "duplicate key %q", f.Key)
			}
		}
		read(doc.Root)
	}, d.Problem)
	return lines, found
}

// Wrong reports an error.
func (d *Decoder) Wrong(at yamltext.Pos, format string, args ...any) {
	d.WrongHint(at, "", format, args...)
}

// WrongHint is Wrong with a hint.
func (d *Decoder) WrongHint(at yamltext.Pos, hint, format string, args ...any) {
	d.Add(structural.Finding{ID: d.ID, Line: at.Line, Column: at.Column, Severity: structural.SeverityError, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// Fields calls the function for each key of a map, unless its value is null. Keys without a function are errors.
func (d *Decoder) Fields(n *yamltext.Node, what string, known map[string]func(*yamltext.Node)) {
	if n.Kind != yamltext.Map {
		d.Wrong(n.Pos, "got %s, want %s", n.Describe(), what)
		return
	}
	for _, e := range n.Entries {
		read, ok := known[e.Key]
		if !ok {
			names := slices.Sorted(maps.Keys(known))
			hint := what + " can have " + strings.Join(names, ", ")
			if near := spelling.Nearest(e.Key, names); near != "" {
				hint = "did you mean " + near + "?"
			}
			d.WrongHint(e.Pos, hint, "unknown key %q", e.Key)
			continue
		}
		if !e.Value.IsNull() {
			read(e.Value)
		}
	}
}

// Text returns a function that reads a string.
func (d *Decoder) Text(to *string) func(*yamltext.Node) {
	return func(n *yamltext.Node) {
		if n.Kind != yamltext.String {
			d.WrongHint(n.Pos, n.QuoteHint(), "got %s, want a string", n.Describe())
			return
		}
		*to = n.Str()
	}
}

// Texts returns a function that reads a list of strings.
func (d *Decoder) Texts(to *[]string) func(*yamltext.Node) {
	return func(n *yamltext.Node) {
		*to = []string{}
		d.Each(n, func(n *yamltext.Node) {
			var s string
			d.Text(&s)(n)
			*to = append(*to, s)
		})
	}
}

// Each reads the elements of a list.
func (d *Decoder) Each(n *yamltext.Node, read func(*yamltext.Node)) {
	if n.Kind != yamltext.List {
		d.Wrong(n.Pos, "got %s, want a list", n.Describe())
		return
	}
	for _, e := range n.List {
		read(e)
	}
}
