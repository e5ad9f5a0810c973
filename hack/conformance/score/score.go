// Package score is the scoreboard: what was compared, how much of it, and how often the two sides disagreed.
package score

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/prune-gen/prune-gen/hack/conformance/compare"
	"github.com/prune-gen/prune-gen/hack/conformance/known"
)

// Board is the result of a run.
type Board struct {
	Seed uint64 `json:"seed"`
	// What was there to compare.
	Modules    int `json:"modules"`
	Files      int `json:"files"`
	CRDs       int `json:"crds"`
	Versions   int `json:"versions"`
	Duplicates int `json:"duplicates"`
	// Refused counts the CRDs that neither side takes, NotYAML the files that are none.
	Refused int `json:"refused"`
	NotYAML int `json:"notYAML"`

	// Rules counts the CEL rules that objects were made for, NeverFalse lists those that no object made false.
	Rules      int      `json:"rules"`
	NeverFalse []string `json:"neverFalse"`
	// Tabled counts the rules in tables of generated code, where equal nodes share them, Compiled those that are compiled, Calls their evaluations, and Unsure those that were left to programs.
	Tabled   int `json:"tabled"`
	Compiled int `json:"compiled"`
	Calls    int `json:"calls"`
	Unsure   int `json:"unsure"`

	Rows     []Row             `json:"rows"`
	Known    []Known           `json:"known"`
	Failures []compare.Failure `json:"failures"`
	// Problems are disagreements that are not about an object.
	Problems []string `json:"problems"`
}

// Row is one line of the table.
type Row struct {
	// Name is our function, Against what it was compared to.
	Name    string `json:"name"`
	Against string `json:"against"`
	// Compared counts What: objects, schemas, CRDs.
	CRDs          int    `json:"crds"`
	Versions      int    `json:"versions"`
	Compared      int    `json:"compared"`
	What          string `json:"what"`
	Errors        int    `json:"errors,omitempty"` // that Kubernetes finds in them, where each is compared
	Known         int    `json:"known"`
	Unsteady      int    `json:"unsteady,omitempty"` // on which Kubernetes disagrees with itself, because it reads maps in any order
	Disagreements int    `json:"disagreements"`
}

// Known says how often a known difference was seen.
type Known struct {
	known.Difference
	Count int `json:"count"`
}

// New returns a board with nothing on it.
func New(seed uint64) (*Board, error) {
	b := &Board{Seed: seed}
	all, err := known.Differences()
	for _, d := range all {
		b.Known = append(b.Known, Known{Difference: d})
	}
	return b, err
}

// Disagreements counts what nobody has explained.
func (b *Board) Disagreements() int {
	n := 0
	for _, r := range b.Rows {
		n += r.Disagreements
	}
	return n
}

// Count adds sightings of a known difference.
func (b *Board) Count(name known.Name, n int) {
	for i := range b.Known {
		if b.Known[i].Name == name {
			b.Known[i].Count += n
			return
		}
	}
	panic("score: no known difference is called " + string(name))
}

// Add adds a tally as a row. crds counts the CRDs that its subjects belong to.
func (b *Board) Add(t *compare.Tally, crds int) {
	row := Row{
		Name: t.Function.Name, Against: t.Function.Theirs, CRDs: crds, Versions: t.Subjects,
		Compared: t.Objects, What: "objects", Errors: t.Errors, Disagreements: t.Disagreements,
	}
	for name, n := range t.Known {
		b.Count(name, n)
		row.Known += n
	}
	b.Rows = append(b.Rows, row)
	b.Failures = append(b.Failures, t.Failures...)
}

// JSON returns the board for machines.
func (b *Board) JSON() ([]byte, error) {
	c := *b
	// Lists that are empty are there all the same.
	c.Rows, c.Known = slices.Concat([]Row{}, b.Rows), slices.Concat([]Known{}, b.Known)
	c.NeverFalse = slices.Concat([]string{}, b.NeverFalse)
	c.Failures, c.Problems = slices.Concat([]compare.Failure{}, b.Failures), slices.Concat([]string{}, b.Problems)
	data, err := json.MarshalIndent(&c, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode the scoreboard: %w", err)
	}
	return append(data, '\n'), nil
}

// Print writes the board for people: failures first, so that the table is the last thing on the screen.
func (b *Board) Print(w io.Writer) error {
	var out strings.Builder
	for _, p := range b.Problems {
		fmt.Fprintf(&out, "%s\n\n", p)
	}
	for _, f := range b.Failures {
		fmt.Fprintf(&out, "%s\n", f)
	}
	fmt.Fprintf(&out, "%d modules, %d files, %d CRDs with %d versions (%d more are copies, %d are refused by both sides, "+
		"%d files are not YAML), seed %d\n\n", b.Modules, b.Files, b.CRDs, b.Versions, b.Duplicates, b.Refused, b.NotYAML, b.Seed)
	tw := tabwriter.NewWriter(&out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "function\tCRDs\tversions\tcompared\t\tknown\tdisagreements\t")
	for _, r := range b.Rows {
		what := r.What
		if r.Errors > 0 {
			what = fmt.Sprintf("%s, %d errors", what, r.Errors)
		}
		if r.Unsteady > 0 {
			what = fmt.Sprintf("%s, %d unsteady", what, r.Unsteady)
		}
		fmt.Fprintf(tw, "%s\t%d\t%d\t%d\t%s\t%d\t%d\t\n", r.Name, r.CRDs, r.Versions, r.Compared, what, r.Known, r.Disagreements)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	if b.Compiled > 0 {
		fmt.Fprintf(&out, "\n%d of %d CEL rules in generated code are compiled. Of %d evaluations of these %d (%.1f%%) were left to programs.\n", b.Compiled, b.Tabled, b.Calls, b.Unsure,
			100*float64(b.Unsure)/float64(max(b.Calls, 1)))
	}
	if b.Rules > 0 {
		fmt.Fprintf(&out, "\n%d CEL rules, of which %d were never false:\n", b.Rules, len(b.NeverFalse))
		for _, r := range slices.Sorted(slices.Values(b.NeverFalse)) {
			fmt.Fprintf(&out, "  %s\n", r)
		}
	}
	for _, k := range b.Known {
		fmt.Fprintf(&out, "\nknown difference %s, seen %d times:\n  %s\n", k.Name, k.Count, k.Reason)
	}
	if n := b.Disagreements(); n > 0 {
		fmt.Fprintf(&out, "\n%d disagreements\n", n)
	} else {
		fmt.Fprintf(&out, "\nno disagreements\n")
	}
	_, err := io.WriteString(w, out.String())
	return err
}
