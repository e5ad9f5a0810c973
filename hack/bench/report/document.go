package report

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/prune-gen/prune-gen/hack/bench/measure"
)

// Document is everything that was measured.
type Document struct {
	Machine     []string
	Clock       measure.Clock
	Rounds      int
	Comparisons []measure.Comparison
	Purego      []measure.Comparison // in the build without unsafe
	Costs       []*Cost
}

// Headlines writes one line for each figure, to be quoted.
func (d *Document) Headlines(w io.Writer) {
	fmt.Fprintln(w, "Headlines")
	for _, line := range d.headlines() {
		fmt.Fprintln(w, "  "+line)
	}
}

func (d *Document) headlines() []string {
	var lines []string
	for _, c := range d.Comparisons {
		lines = append(lines, Headline(c))
	}
	for _, c := range d.Costs {
		lines = append(lines, c.Headlines...)
	}
	return lines
}

// Write writes benchmarks.md into dir, and the plots and an appendix into a folder beside it.
func (d *Document) Write(dir string) error {
	const plots = "benchmarks"
	if err := os.MkdirAll(filepath.Join(dir, plots), 0o777); err != nil {
		return err
	}
	figures := speedFigures(d.Comparisons)
	for _, c := range d.Costs {
		figures = append(figures, c.figures()...)
	}
	for _, f := range figures {
		picture, err := f.svg()
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, plots, f.file), picture, 0o666); err != nil {
			return err
		}
	}
	var page, appendix bytes.Buffer
	d.markdown(&page, plots)
	d.appendix(&appendix)
	if err := os.WriteFile(filepath.Join(dir, plots, "appendix.md"), appendix.Bytes(), 0o666); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "benchmarks.md"), page.Bytes(), 0o666)
}

const (
	written = "<!-- Written by hack/bench. Do not edit: run make bench-report. -->\n\n"

	introduction = written + `# Benchmarks

Generated code beside Kubernetes' own, on the same objects, in the same process, in turns; and what it costs programs
that use it. ` + "`make bench`" + ` prints all tables on your machine, ` + "`make bench-report`" + ` writes this page and
[its appendix](benchmarks/appendix.md), which has each object and the other costs.

`
)

func (d *Document) markdown(w io.Writer, plots string) {
	io.WriteString(w, introduction)
	fmt.Fprintf(w, "Measured with %s.\n\n", strings.Join(d.Machine, "; "))
	show := func(f figure) { fmt.Fprintf(w, "![%s](%s/%s)\n\n", f.alt, plots, f.file) }
	if len(d.Comparisons) > 0 {
		fmt.Fprintf(w, "## At a glance\n\n%s\n\n", strings.Join(wrap(plotNote, 120), "\n"))
		for _, f := range speedFigures(d.Comparisons) {
			show(f)
		}
		SummaryTable(d.Comparisons).Markdown(w, 2)
	}
	for _, c := range d.Costs {
		if c.Summary {
			c.Table.Markdown(w, 2)
			for _, f := range c.figures() {
				show(f)
			}
		}
	}
	fmt.Fprintf(w, "## How it is measured\n\n")
	for _, line := range d.method() {
		fmt.Fprintf(w, "- %s\n", strings.Join(wrap(line, 118), "\n  "))
	}
}

// appendix writes the tables that are not on the page.
func (d *Document) appendix(w io.Writer) {
	io.WriteString(w, written+"# Benchmarks: appendix\n\nThe tables that are not in [benchmarks.md](../benchmarks.md), of the same run.\n\n")
	if len(d.Purego) > 0 {
		PuregoTable(d.Purego, d.Comparisons).Markdown(w, 2)
	}
	for _, c := range d.Comparisons {
		ComparisonTable(c).Markdown(w, 2)
	}
	for _, c := range d.Costs {
		if !c.Summary {
			c.Table.Markdown(w, 2)
		}
	}
}

const plotNote = "A bar is the geometric mean over all objects. The summary has the worst objects, and a few more comparisons."

// method says how the figures came about.
func (d *Document) method() []string {
	clock := "Wall time is measured, including garbage collection."
	if d.Clock == measure.CPU {
		clock = "The processor time of the measuring thread is measured, because the machine was busy; most of the garbage collection is not in it."
	}
	return []string{
		"The set: five kinds that people have in their clusters, from pinned versions of the projects that ship them. For each there is an object of about 2 KB, one " +
			"of 15 KB and one of 200 KB, made from the schema with a fixed seed. A dirty object is the same with unknown fields added on every level; " +
			"the tables show its size with them.",
		"Real objects are the manifests of the five kinds that the projects ship as examples and for tests, each once, without those that have " +
			"unknown fields. All manifests of a kind are measured as one object; their size is the average.",
		"CEL rules have a set of their own: six kinds with rules. For each there is an object with lists of one element, one with lists of 12, and the largest valid " +
			"manifest that a project of the corpus ships, all as they would be stored. A conforming object replaces one with another label in an update; " +
			"a violating one has changes that make rules false, and replaces the conforming one. Both sides must report the same errors, word for word.",
		"Before anything is measured, both sides work on each object and must agree: on the pruned object, on the reported paths, and that there is no type error.",
		fmt.Sprintf("All contestants take turns in one process, %d rounds, each beginning with another one. A time is the median of the rounds; a ratio is the median of "+
			"the ratios of the rounds, because what disturbs the machine disturbs both sides of a round. ± is the median deviation from the median. ", d.Rounds) + clock,
		"A turn goes through a number of copies of the object, because the maps of each copy have their own hash seed and because one object alone would train the " +
			"processor's branch prediction. Dirty objects are copied afresh for each run, outside of what is timed, for both sides alike, " +
			"and the garbage collector is kept lazy meanwhile, because most of what it would collect is copies.",
		"Generated code prunes metadata as well, and checks its types. pruning.Prune and the schema validator do not: Kubernetes does that elsewhere, by decoding " +
			"and encoding it. Against pruning.Prune alone, a little more work is thus compared with a little less; against pruning.Prune and objectmeta.Coerce, " +
			"the same work is.",
		"The bare walk is a recursive function that visits every value of the object and does nothing, the dropping walk one that also deletes the unknown fields, which it recognizes by their address. " +
			"Looking up the fields that a schema names can take less time than either, because an object need not be iterated over if all its fields were found.",
		"Go's map limits the functions on decoded objects: in profiles, most of the time of Prune, Check, Normalize and Validate passes in the map's own lookups and iteration. " +
			"The functions on JSON avoid the map.",
		"Validate looks at more than ValidateCustomResource: at the types of metadata, at list sets and list maps, and at embedded resources.",
		"Functions on JSON work on the bytes of the same objects, compact, and indented as kubectl prints them. A processor learns a document that is repeated; " +
			"in the rows with rotating documents, 64 different ones of 15 KB take turns. dst has room for what is written. sonic and encoding/json only check the syntax, or decode without pruning.",
		"Ratios are what counts: times depend on the machine.",
		"With `-o FILE`, every round is written in the format of Go's benchmarks, and `benchstat -col /by FILE` compares them.",
	}
}
