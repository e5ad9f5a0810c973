package structural

import (
	"cmp"
	"strings"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Position is a place in a file. Line and Column count from 1; Line is 0 if only the file is known.
type Position struct {
	File   string
	Line   int
	Column int
}

// Locate returns where p is written: the key of a field, the start of an element. If p is not written at all, it is the nearest place
// above it that is.
func (c *CRD) Locate(p prunert.Path) Position {
	at := Position{File: c.File}
	if c.Source != nil {
		at.Line, at.Column = c.Source.Locate(p)
	}
	return at
}

// Finding turns an error into a finding about a version of c, with its place in the file and a hint.
func (c *CRD) Finding(version string, severity Severity, e *Error) Finding {
	f := c.place(Finding{ID: e.ID, Version: version, Severity: severity, Hint: hintFor(e)}, e.Path)
	return f.Saying(f.Path+e.Below, e.Body())
}

// place fills in the subject of f: the CRD and the place of p.
func (c *CRD) place(f Finding, p *Path) Finding {
	steps := p.Steps()
	at := c.Locate(steps)
	f = f.WithPath(p.String(), steps)
	f.File, f.Line, f.Column = at.File, at.Line, at.Column
	f.CRD = cmp.Or(c.Name, strings.Trim(c.Group+"/"+c.Names.Kind, "/"))
	return f
}
