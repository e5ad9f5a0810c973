package crdcover

import (
	"cmp"
	_ "embed"
	"fmt"
	"html"
	"io"
	"maps"
	"slices"
	"strings"
)

//go:embed page.html
var pageText string

// state returns the class of a count.
func (n Count) state() string {
	switch {
	case n.done():
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

// WriteHTML writes a self-contained page: the fields of each CRD as a tree, with their constraints and the cases for them.
func (r Report) WriteHTML(w io.Writer) error {
	var kinds, crds strings.Builder
	counts := r.ByKind()
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		n := counts[name]
		fmt.Fprintf(&kinds, "<tr><td>%s</td><td>%d</td><td>%d</td><td>%d</td><td>%s</td></tr>\n",
			html.EscapeString(name), n.All, n.Satisfied, n.Violated, PercentText(n.Percent()))
	}
	for _, c := range r.CRDs {
		root := &htmlField{}
		for _, constraint := range c.Constraints {
			root.add(constraint, constraint.steps)
		}
		const few = 3
		shown := ""
		if root.Count.done() {
			shown = ` class="done"`
		} else if len(r.CRDs) <= few {
			shown = " open"
		}
		fmt.Fprintf(&crds, "<details%s><summary><h2>%s</h2><span class=\"version\">%s %s</span>%s</summary>\n",
			shown, html.EscapeString(c.Kind), html.EscapeString(c.CRD), html.EscapeString(c.Version), root.Count.html())
		root.write(&crds)
		crds.WriteString("</details>\n")
	}
	if len(r.CRDs) == 0 {
		crds.WriteString("<p>No constraints.</p>\n")
	}
	all := r.Count()
	_, err := strings.NewReplacer(
		"{{percent}}", PercentText(all.Percent()),
		"{{count}}", fmt.Sprintf("%d of %d constraints have a case that violates them, %d have a case that satisfies them", all.Violated, all.All, all.Satisfied),
		"{{kinds}}", kinds.String(),
		"{{crds}}", crds.String(),
	).WriteString(w, pageText)
	return err
}

// done reports whether every constraint was violated.
func (n Count) done() bool { return n.Violated == n.All }

// html returns the count of a field or a CRD.
func (n Count) html() string {
	return fmt.Sprintf(`<span class="count %s">%d of %d · %s</span>`, n.state(), n.Violated, n.All, PercentText(n.Percent()))
}

// write writes what is in a field.
func (f *htmlField) write(w *strings.Builder) {
	for _, c := range f.Constraints {
		state, each := CountOf([]Constraint{c.Constraint}).state(), ""
		if len(c.ViolatedBy) > 0 {
			state += " done"
		}
		if c.Each {
			each = "each "
		}
		fmt.Fprintf(w, `<details class="constraint %s"><summary><span class="kind">%s%s</span><span class="text">%s</span><span class="state">%s</span></summary>`,
			state, each, html.EscapeString(c.Kind), html.EscapeString(c.Text), c.State())
		fmt.Fprintf(w, "\n<div class=\"cases\"><p class=\"place\">%s</p>", html.EscapeString(c.Place()))
		if c.Kind == "default" {
			writeCases(w, "Applied by", c.ViolatedBy)
			writeCases(w, "Overridden by", c.SatisfiedBy)
		} else {
			writeCases(w, "Violated by", c.ViolatedBy)
			writeCases(w, "Satisfied by", c.SatisfiedBy)
		}
		w.WriteString("</div></details>\n")
	}
	for _, f := range f.Fields {
		done := ""
		if f.Count.done() {
			done = " done"
		}
		fmt.Fprintf(w, "<details class=\"field%s\" open><summary><span class=\"name\">%s</span>%s</summary>\n", done, html.EscapeString(f.Name), f.Count.html())
		f.write(w)
		w.WriteString("</details>\n")
	}
}

// writeCases writes the first of many cases: thousands can satisfy a constraint.
func writeCases(w *strings.Builder, what string, all []string) {
	if len(all) == 0 {
		fmt.Fprintf(w, "<p><b>%s</b> no case</p>", what)
		return
	}
	const most = 10
	fmt.Fprintf(w, "<p><b>%s</b></p><ul>", what)
	for _, name := range all[:min(most, len(all))] {
		fmt.Fprintf(w, "<li>%s</li>", html.EscapeString(name))
	}
	if len(all) > most {
		fmt.Fprintf(w, "<li>and %d more</li>", len(all)-most)
	}
	w.WriteString("</ul>")
}
