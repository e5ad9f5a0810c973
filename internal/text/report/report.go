// Package report collects findings and errors, as many as are listed.
package report

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/prune-gen/prune-gen/internal/base/listed"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// Report collects the findings about one file, as many as are listed.
type Report struct {
	File     string
	Findings []structural.Finding
	// Meter bounds the texts of the findings of a run; it may be nil. The caller reports that it is spent.
	Meter *meter.Meter
	list  listed.List
	// problem and template report that a document cannot be read, and that one is a template. read reports that one is what the caller
	// looks for.
	problem, template, read bool
	// exceeded reports that a finding says that the run exceeds a limit.
	exceeded bool
	// Full reports that there are more findings. The last one then stands for all that follow.
	Full bool
}

func (r *Report) Add(f structural.Finding) {
	if f.ID == yamltext.IDTooLarge {
		if r.exceeded {
			return // it was said before
		}
		r.exceeded = true
	}
	if r.Full {
		// It must not be lost that there was an error, or that the run exceeds a limit.
		last := &r.Findings[len(r.Findings)-1]
		if f.Severity == structural.SeverityError {
			last.Severity = structural.SeverityError
		}
		if f.ID == yamltext.IDTooLarge {
			last.ID, last.Message = f.ID, f.Message
		}
		return
	}
	f.File = r.File
	Spend(&f, r.Meter)
	if !r.list.Add(f.TextSize()) {
		r.Full = true
		f = f.WithPath("", nil)
		f.ID, f.Hint = structural.IDMore, ""
		f.Message = "only the first " + strconv.Itoa(len(r.Findings)) + " findings about this file are shown"
	}
	r.Findings = append(r.Findings, f)
}

// Ended reports whether another error of an object makes no difference: it is not listed, and there was one that is not.
func (r *Report) Ended() bool {
	return r.Full && r.Findings[len(r.Findings)-1].Severity == structural.SeverityError
}

// Problem adds what is wrong with the text itself. That it is a template is said once.
func (r *Report) Problem(p *yamltext.Problem) {
	isTemplate := p.ID == yamltext.IDTemplate
	if isTemplate && r.template {
		return
	}
	r.template, r.problem = r.template || isTemplate, r.problem || !isTemplate
	r.Add(structural.Finding{
		ID: structural.ID(p.ID), Line: p.Pos.Line, Column: p.Pos.Column, Severity: structural.SeverityError, Message: p.Message, Hint: p.Hint,
	})
}

// Read notes that a document is what the caller looks for.
func (r *Report) Read() { r.read = true }

// Foreign says why callers skip a file that was found in a directory, or a part of it: directories contain templates and other files.
type Foreign uint8

const (
	// NotForeign is a file that is not skipped.
	NotForeign Foreign = iota
	// TemplateInPart is a file in which some documents are templates, and others are what the caller looks for. Only the former are skipped.
	TemplateInPart
	// NoMention is a text that cannot be read and does not mention what the caller looks for.
	NoMention
	// Template is a template. Nothing is known about it before it is rendered.
	Template
)

// Whole reports whether the whole file is skipped.
func (f Foreign) Whole() bool { return f > TemplateInPart }

// Keep returns the findings about a file without the one about the documents that are skipped, and the line of that one, 0 if there is none.
func (f Foreign) Keep(found []structural.Finding) (kept []structural.Finding, template int) {
	if f != TemplateInPart {
		return found, 0
	}
	for _, f := range found {
		if f.ID == yamltext.IDTemplate {
			template = f.Line
		} else {
			kept = append(kept, f)
		}
	}
	return kept, template
}

// Foreign says whether the file is foreign; mentions reports whether its text mentions what the caller looks for. Errors of objects make no
// file foreign.
func (r *Report) Foreign(mentions func() bool) Foreign {
	switch {
	case r.template && !r.read:
		return Template
	case r.problem && !mentions():
		return NoMention
	case r.template:
		return TemplateInPart
	}
	return NotForeign
}

// Exceeded adds a finding at the given place if the run exceeds a limit.
func (r *Report) Exceeded(m *meter.Meter, at yamltext.Pos) {
	if p := yamltext.Exceeded(m, at); p != nil {
		r.Problem(p)
	}
}

// Sorted returns the findings in the order of the file.
func (r *Report) Sorted() []structural.Finding {
	all := r.Findings
	if r.Full { // the last one stands for those that are not listed
		all = all[:len(all)-1]
	}
	slices.SortStableFunc(all, func(a, b structural.Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return r.Findings
}

// Spend counts a finding, whose texts are copied several times until it is printed.
func Spend(f *structural.Finding, m *meter.Meter) {
	m.SpendMemory(meter.CopiesOfFinding * f.TextSize())
}

// Place fills in the subject of f: the CRD c and the place of p in it.
func Place(c *structural.CRD, f structural.Finding, p *structural.Path) structural.Finding {
	placed := c.Finding(f.Version, f.Severity, &structural.Error{ID: f.ID, Path: p})
	f.File, f.Line, f.Column, f.CRD = placed.File, placed.Line, placed.Column, placed.CRD
	if p == nil {
		return f // about all of the CRD
	}
	return f.WithPath(placed.Path, p.Steps())
}

// TooLarge converts the error of a meter into a finding about c, none for nil.
func TooLarge(c *structural.CRD, err error) []structural.Finding {
	if err == nil {
		return nil
	}
	return []structural.Finding{Place(c, structural.Finding{ID: yamltext.IDTooLarge, Severity: structural.SeverityError, Message: err.Error()}, nil)}
}

// EachFlaw calls visit for the flaws of the maps below n in a document, with the paths of their keys. An alias is not followed a second time.
func EachFlaw(doc *yamltext.Document, n *yamltext.Node, visit func(yamltext.Flaw, *structural.Path)) {
	if len(doc.Flaws) == 0 {
		return
	}
	seen := map[*yamltext.Node]bool{}
	var walk func(*yamltext.Node, *structural.Path)
	walk = func(n *yamltext.Node, at *structural.Path) {
		if n == nil || seen[n] {
			return
		}
		seen[n] = true
		for _, f := range doc.Flaws[n] {
			visit(f, at.Child(f.Key))
			walk(f.Value, at.Child(f.Key))
		}
		for i := range n.Entries {
			walk(n.Entries[i].Value, at.Child(n.Entries[i].Key))
		}
		for i, e := range n.List {
			walk(e, at.Index(i))
		}
	}
	walk(n, nil)
}
