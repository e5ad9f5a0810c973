package explaincmd

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/internal/explain/schematree"
	"github.com/prune-gen/prune-gen/structural"
)

// printer prints an outline for people:
//
//	spec          object
//	  schedule    string    required
//	  keep        integer   default 7 · min 0
type printer struct {
	w            io.Writer
	paint        terminal.Palette
	open         map[*schematree.Node]bool
	descriptions bool
	hidden       int // fields that were not printed
	cut          int // texts that were not printed whole
}

func (p *printer) printf(format string, args ...any) { fmt.Fprintf(p.w, format, args...) }

// head prints the CRD and version of the outline.
func (p *printer) head(c *structural.CRD, v *structural.Version, n *schematree.Node) {
	p.printf("%s  %s %s  %s\n", p.paint.Bold(terminal.Escape(c.Names.Kind)), terminal.Escape(c.Name), terminal.Escape(v.Name),
		p.paint.Dim(strings.Join(traits(c, v), ", ")))
	if n.Path == "" {
		switch {
		case !v.Pruned:
			p.printf("Unknown fields are %s, except in metadata.\n", p.paint.Green("kept"))
		case slices.ContainsFunc(n.Facts, func(f schematree.Fact) bool { return f.Kind == schematree.Keeps }):
			p.printf("Unknown fields are %s, except in metadata and below a place that %s them again.\n", p.paint.Green("kept"), p.paint.Red("drops"))
		default:
			p.printf("Unknown fields are %s, except below a place that %s them.\n", p.paint.Red("dropped"), p.paint.Green("keeps"))
		}
	} else {
		p.printf("\n%s  %s%s\n", p.paint.Bold(terminal.Escape(n.Path)), p.paint.Blue(terminal.Escape(n.Type)), p.facts(n, whole))
	}
	if n.Path != "" || p.descriptions {
		p.description(n.Description, "  ")
	}
	most := longestText
	if n.Path != "" {
		most = whole
	}
	p.rules(n, "  ", most)
	if len(n.Fields) > 0 {
		p.printf("\n")
	}
}

// traits lists the properties of all objects of a version.
func traits(c *structural.CRD, v *structural.Version) []string {
	all := []string{strings.ToLower(c.Scope)}
	for _, t := range []struct {
		holds bool
		name  string
	}{
		{v.Served, "served"}, {!v.Served, "not served"}, {v.Storage, "stored"}, {v.HasStatus, "status subresource"},
		{v.Scale != nil, "scale subresource"}, {v.Deprecated, "deprecated"},
	} {
		if t.holds {
			all = append(all, t.name)
		}
	}
	return all
}

// widestName is the widest name after which types are still aligned in a column.
const widestName = 28

// fields prints the fields of a node.
func (p *printer) fields(n *schematree.Node, indent string) {
	width, types := 0, 0
	for _, f := range n.Fields {
		width = max(width, min(widestName, terminal.Cells(terminal.Escape(f.Name))))
		types = max(types, min(widestName, terminal.Cells(terminal.Escape(f.Type))))
	}
	for _, f := range n.Fields {
		name, typ := terminal.Escape(f.Name), terminal.Escape(f.Type)
		if name == "" {
			name = `""`
		}
		facts := p.facts(f, longestText)
		if len(f.Fields) > 0 && !p.open[f] {
			p.hidden += f.Count()
			facts += p.paint.Dim(fmt.Sprintf("  … %s", findings.Count(f.Count(), "field")))
		}
		if facts != "" {
			facts = pad(types-terminal.Cells(typ)) + facts
		}
		p.printf("%s%s%s  %s%s\n", indent, p.paint.Bold(name), pad(width-terminal.Cells(name)), p.paint.Blue(typ), facts)
		if p.descriptions {
			p.description(f.Description, indent+"    ")
		}
		p.rules(f, indent+"    ", longestText)
		if p.open[f] {
			p.fields(f, indent+"  ")
		}
	}
}

func pad(n int) string { return strings.Repeat(" ", max(0, n)) }

// longestText is the length beyond which a fact or a CEL rule is shortened in a tree. A field that is named is printed
// whole.
const (
	longestText = 90
	whole       = math.MaxInt
)

// shorten returns a text that can be printed, of at most some length.
func (p *printer) shorten(text string, most int) string {
	runes := []rune(terminal.Escape(text))
	if len(runes) <= most {
		return string(runes)
	}
	p.cut++
	return string(runes[:most-1]) + "…"
}

// facts returns the facts about a node, in the colours of what they mean, each of at most some length.
func (p *printer) facts(n *schematree.Node, most int) string {
	var all []string
	for _, f := range n.Facts {
		text := p.shorten(f.Text, most)
		switch f.Kind {
		case schematree.Required:
			all = append(all, p.paint.Yellow(text))
		case schematree.Keeps:
			all = append(all, p.paint.Green(text))
		case schematree.Drops, schematree.Empties:
			all = append(all, p.paint.Red(text))
		case schematree.Metadata:
			all = append(all, p.paint.Yellow(text))
		default:
			all = append(all, text)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return "  " + strings.Join(all, p.paint.Dim(" · "))
}

// rules prints the CEL rules of a node, each of at most some length.
func (p *printer) rules(n *schematree.Node, indent string, most int) {
	for _, r := range n.Rules {
		p.printf("%s%s %s", indent, p.paint.Yellow("rule"), p.shorten(strings.Join(strings.Fields(r.Rule), " "), most))
		if r.Message != "" {
			p.printf("  %s", p.paint.Dim("("+terminal.Escape(strings.Join(strings.Fields(r.Message), " "))+")"))
		}
		p.printf("\n")
	}
}

// lineWidth is the width to which descriptions are wrapped.
const lineWidth = 100

// description prints a description, wrapped. Paragraphs, and lines that look like items of a list, stay apart.
func (p *printer) description(text, indent string) {
	text = strings.TrimSpace(text)
	if text == "" {
		return
	}
	for _, paragraph := range strings.Split(text, "\n") {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			word = terminal.Escape(word)
			if line != "" && terminal.Cells(indent)+terminal.Cells(line)+1+terminal.Cells(word) > lineWidth {
				p.printf("%s%s\n", indent, p.paint.Dim(line))
				line = ""
			}
			line = strings.TrimSpace(line + " " + word)
		}
		if line != "" {
			p.printf("%s%s\n", indent, p.paint.Dim(line))
		}
	}
}

// foot says how to see what was left out.
func (p *printer) foot(n *schematree.Node) {
	if p.cut > 0 {
		p.printf("\n%s\n", p.paint.Dim("What ends in … is longer: name its field to see all of it."))
	}
	if p.hidden == 0 {
		return
	}
	are := "are"
	if p.hidden == 1 {
		are = "is"
	}
	p.printf("\n%s\n", p.paint.Dim(fmt.Sprintf("%s %s not shown: name a field to see those below it, or use --depth or --recursive.",
		findings.Count(p.hidden, "more field"), are)))
}
