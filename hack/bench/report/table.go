// Package report writes what was measured: as text for a terminal, and as Markdown.
package report

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Table is a table with a heading. The first column is text, and so are the columns in Left; the others are figures.
type Table struct {
	Title  string
	Note   string
	Header []string
	Left   []int
	Rows   [][]string
}

func (t *Table) left(column int) bool {
	for _, l := range t.Left {
		if l == column {
			return true
		}
	}
	return column == 0
}

// Text writes the table for a terminal.
func (t *Table) Text(w io.Writer) {
	fmt.Fprintln(w, t.Title)
	for _, line := range wrap(t.Note, 116) {
		fmt.Fprintln(w, " ", line)
	}
	rows := append([][]string{t.Header}, t.Rows...)
	widths := make([]int, len(t.Header))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if b.WriteString("  "); t.left(i) {
				b.WriteString(cell + pad)
			} else {
				b.WriteString(pad + cell)
			}
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
	fmt.Fprintln(w)
}

// Markdown writes the table below a heading of the given level.
func (t *Table) Markdown(w io.Writer, level int) {
	fmt.Fprintf(w, "%s %s\n\n", strings.Repeat("#", level), t.Title)
	if t.Note != "" {
		fmt.Fprintf(w, "%s\n\n", strings.Join(wrap(t.Note, 120), "\n"))
	}
	line := func(cells []string) { fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | ")) }
	rule := make([]string, len(t.Header))
	for i := range rule {
		if rule[i] = "---:"; t.left(i) {
			rule[i] = "---"
		}
	}
	line(t.Header)
	line(rule)
	for _, row := range t.Rows {
		line(row)
	}
	fmt.Fprintln(w)
}

// wrap breaks text into lines of at most width characters.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
