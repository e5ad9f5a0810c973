package crdcover

import (
	"cmp"
	_ "embed"
	"html/template"
	"io"
	"maps"
	"slices"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"percent": func(n Count) string { return PercentText(n.Percent()) },
	"width":   Count.Percent,
	"state":   Count.state,
	"color":   func(c htmlConstraint) string { return CountOf([]Constraint{c.Constraint}).state() },
	"cases":   someCases,
}).Parse(pageText))

// state returns the class of a count.
func (n Count) state() string {
	switch {
	case n.Violated == n.All:
		return "full"
	case n.Violated > 0 || n.Satisfied > 0:
		return "half"
	}
	return "none"
}

// htmlConstraint is a Constraint in the tree of fields.
type htmlConstraint struct {
	Constraint
	Each bool // it is about the elements of a list or the values of a map
}

// htmlField is a field, or the object itself. Elements of lists and values of maps are in the field that has them.
type htmlField struct {
	Name        string
	Constraints []htmlConstraint
	Fields      []*htmlField
	Count       Count // of the constraints here and below
}

// Done reports whether every constraint was violated.
func (f *htmlField) Done() bool { return f.Count.Violated == f.Count.All }

// add adds a constraint that is some steps below f.
func (f *htmlField) add(c Constraint, steps []string) {
	n := CountOf([]Constraint{c})
	f.Count = Count{f.Count.All + n.All, f.Count.Satisfied + n.Satisfied, f.Count.Violated + n.Violated}
	each := false
	for len(steps) > 0 && (steps[0] == "[]" || steps[0] == "[*]") {
		each, steps = true, steps[1:]
	}
	if len(steps) == 0 {
		f.Constraints = append(f.Constraints, htmlConstraint{c, each})
		return
	}
	i, found := slices.BinarySearchFunc(f.Fields, steps[0], func(f *htmlField, name string) int { return cmp.Compare(f.Name, name) })
	if !found {
		f.Fields = slices.Insert(f.Fields, i, &htmlField{Name: steps[0]})
	}
	f.Fields[i].add(c, steps[1:])
}

// cases is a list of cases with its title.
type cases struct {
	What string
	All  []string
	More int // cases that are not in the list
}

// someCases returns the first of many cases: thousands can satisfy a constraint.
func someCases(what string, all []string) cases {
	const most = 10
	if len(all) > most {
		return cases{what, all[:most], len(all) - most}
	}
	return cases{what, all, 0}
}

// WriteHTML writes a page that needs nothing else: the fields of each CRD as a tree, with their constraints and the cases of these.
func (r Report) WriteHTML(w io.Writer) error {
	type crd struct {
		CRDReport
		Root *htmlField
		Done bool
	}
	type kind struct {
		Name string
		Count
	}
	const few = 3
	data := struct {
		Count Count
		Kinds []kind
		CRDs  []crd
		Open  bool // the trees are shown at once
	}{Count: r.Count(), Open: len(r.CRDs) <= few}
	counts := r.ByKind()
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		data.Kinds = append(data.Kinds, kind{name, counts[name]})
	}
	for _, c := range r.CRDs {
		root := &htmlField{}
		for _, constraint := range c.Constraints {
			root.add(constraint, constraint.steps)
		}
		data.CRDs = append(data.CRDs, crd{c, root, root.Done()})
	}
	return page.Execute(w, data)
}
