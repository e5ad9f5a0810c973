package crdcover

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"
)

// Report says which constraints of some CRDs were satisfied and violated.
type Report struct {
	CRDs []CRDReport
}

// CRDReport is about one version of a CRD.
type CRDReport struct {
	CRD         string
	Version     string
	Kind        string
	Constraints []Constraint
}

// NewReport returns a report about kinds, sorted by the names and versions of their CRDs. Kinds of the same name and version, which are
// variants of one CRD, are reported as one: a constraint that several have was seen if it was seen in one of them.
func NewReport(kinds ...*Kind) Report {
	type key struct{ kind, path, text string }
	var r Report
	merged := map[[2]string]map[key]*Constraint{}
	order := map[[2]string][]*Constraint{}
	for _, k := range kinds {
		of := [2]string{k.crd.Name, k.version.Name}
		if merged[of] == nil {
			merged[of] = map[key]*Constraint{}
			r.CRDs = append(r.CRDs, CRDReport{CRD: k.crd.Name, Version: k.version.Name, Kind: k.crd.Names.Kind})
		}
		for _, c := range k.Constraints() {
			at := key{c.Kind, c.Path, c.Text}
			if same := merged[of][at]; same != nil {
				same.SatisfiedBy, same.ViolatedBy = union(same.SatisfiedBy, c.SatisfiedBy), union(same.ViolatedBy, c.ViolatedBy)
				continue
			}
			merged[of][at] = &c
			order[of] = append(order[of], &c)
		}
	}
	for i := range r.CRDs {
		for _, c := range order[[2]string{r.CRDs[i].CRD, r.CRDs[i].Version}] {
			r.CRDs[i].Constraints = append(r.CRDs[i].Constraints, *c)
		}
	}
	slices.SortStableFunc(r.CRDs, func(a, b CRDReport) int { return cmp.Or(cmp.Compare(a.CRD, b.CRD), cmp.Compare(a.Version, b.Version)) })
	return r
}

// union returns what is in one of two sorted lists.
func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// Count is how many constraints there are, how many were seen satisfied, and how many violated.
type Count struct{ All, Satisfied, Violated int }

// CountOf counts constraints.
func CountOf(all []Constraint) Count {
	n := Count{All: len(all)}
	for _, c := range all {
		if len(c.SatisfiedBy) > 0 {
			n.Satisfied++
		}
		if len(c.ViolatedBy) > 0 {
			n.Violated++
		}
	}
	return n
}

// Percent returns the percentage of constraints that were violated or, for defaults, applied. It is 100 if there are none.
func (n Count) Percent() float64 {
	if n.All == 0 {
		return 100
	}
	return 100 * float64(n.Violated) / float64(n.All)
}

// PercentText writes a percentage with one digit, rounded down: 100.0 is all.
func PercentText(p float64) string { return fmt.Sprintf("%.1f%%", float64(int(p*10))/10) }

// Count counts the constraints of all CRDs.
func (r Report) Count() Count { return CountOf(r.constraints()) }

// Percent is that of Count.
func (r Report) Percent() float64 { return r.Count().Percent() }

func (r Report) constraints() []Constraint {
	var all []Constraint
	for _, c := range r.CRDs {
		all = append(all, c.Constraints...)
	}
	return all
}

// State says whether a constraint was satisfied and violated.
func (c Constraint) State() string {
	violated, satisfied := "violated", "satisfied"
	if c.Kind == Default {
		violated, satisfied = "applied", "overridden"
	}
	switch isViolated, isSatisfied := len(c.ViolatedBy) > 0, len(c.SatisfiedBy) > 0; {
	case isViolated && isSatisfied:
		return violated + " and " + satisfied
	case isViolated:
		return "only " + violated
	case isSatisfied:
		return "only " + satisfied
	}
	return "never reached"
}

// WriteText writes a line for each CRD, with its share of violated constraints, and below it the places of the others. The last line is
// about all CRDs.
func (r Report) WriteText(w io.Writer) error {
	const total = "total"
	width := len(total)
	for _, crd := range r.CRDs {
		width = max(width, utf8.RuneCountInString(crd.name()))
	}
	var out strings.Builder
	line := func(name string, n Count) {
		fmt.Fprintf(&out, "%-*s  %12s  %6s\n", width, printable(name), fmt.Sprintf("%d of %d", n.Violated, n.All), PercentText(n.Percent()))
	}
	for _, crd := range r.CRDs {
		line(crd.name(), CountOf(crd.Constraints))
		table := tabwriter.NewWriter(&out, 0, 8, 2, ' ', 0)
		for _, c := range crd.Constraints {
			if len(c.ViolatedBy) == 0 {
				fmt.Fprintf(table, "  %s\t%s\t%s\t%s\n", printable(c.Place()), printable(c.Name()), printable(short(c.Kind+" "+c.Text)), c.State())
			}
		}
		table.Flush()
	}
	line(total, r.Count())
	_, err := io.WriteString(w, out.String())
	return err
}

func (r CRDReport) name() string { return r.CRD + " " + r.Version }

// Place returns where the CRD has the constraint: file:line.
func (c Constraint) Place() string {
	if c.Line == 0 {
		return c.File
	}
	return c.File + ":" + strconv.Itoa(c.Line)
}

// Name returns the path, or a dot for the object itself.
func (c Constraint) Name() string { return cmp.Or(c.Path, ".") }

// Title returns the constraint with its place, as one line that a terminal can show.
func (c Constraint) Title() string { return printable(c.Name() + ": " + short(c.Kind+" "+c.Text)) }

// short returns the beginning of a text, as one line.
func short(text string) string {
	const most = 72
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return string(runes)
}

// printable returns a text in which characters that a terminal might act on are replaced.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if strconv.IsPrint(r) {
			return r
		}
		return '\uFFFD'
	}, text)
}
