package caches

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
)

const (
	page    = "../../../docs/memory.md"
	picture = "../../../docs/pictures/heap.svg"
	begin   = "<!-- heap: " + "go test ./caches -run Memory -update, in hack/apiserver -->\n"
	end     = "<!-- end -->\n"
)

// write writes the table and the picture.
func write(t *testing.T, all []measurement) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no place for the table", page)
	}
	must(os.WriteFile(page, []byte(before+begin+table(all)+end+after), 0o666))
	must(os.WriteFile(picture, plot(all), 0o666))
}

func table(all []measurement) string {
	var b strings.Builder
	columns := []string{whole, stripped, projected}
	fmt.Fprintf(&b, "\n| heap of %d objects | %s |\n| --- |%s\n", all[0].Objects, strings.Join(columns, " | "), strings.Repeat(" ---: |", len(columns)))
	for _, first := range all {
		if first.Content != whole {
			continue
		}
		fmt.Fprintf(&b, "| %s, %s |", first.Kind, first.Form)
		for _, content := range columns {
			cell := " |"
			for _, m := range all {
				if m.Kind == first.Kind && m.Form == first.Form && m.Content == content {
					cell = " " + megabytes(m.Heap) + " |"
				}
			}
			b.WriteString(cell)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "\nMeasured on %s/%s with %s.\n", runtime.GOOS, runtime.GOARCH, runtime.Version())
	return b.String()
}

func megabytes(n uint64) string { return fmt.Sprintf("%.0f MB", float64(n)/1e6) }

const style = `<style>
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.title { font-weight: 600; font-size: 15px }
.end { text-anchor: end }
.a { fill: #818b98 } .b { fill: #bc4c00 } .c { fill: #0969da }
@media (prefers-color-scheme: dark) { text { fill: #f0f6fc } .b { fill: #db6d28 } .c { fill: #4493f8 } }
</style>
`

// plot draws the heap of all caches.
func plot(all []measurement) []byte {
	const left, width, row = 210, 420, 20
	most := slices.MaxFunc(all, func(a, b measurement) int { return int(a.Heap) - int(b.Heap) }).Heap
	var b strings.Builder
	y := 44
	for _, m := range all {
		class, name := "b", ""
		switch m.Content {
		case whole:
			class, name = "a", m.Kind+", "+m.Form
			y += row / 2
		case projected, scheduling:
			class = "c"
		}
		w := float64(width) * float64(m.Heap) / float64(most)
		fmt.Fprintf(&b, "<text x=\"%d\" y=\"%d\" class=\"end\">%s</text>\n<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" class=\"%s\"/>\n", left-8, y+12, name, left, y, w, row-4, class)
		fmt.Fprintf(&b, "<text x=\"%.1f\" y=\"%d\">%s %s</text>\n", left+w+6, y+12, megabytes(m.Heap), strings.ReplaceAll(m.Content, "`", ""))
		y += row
	}
	title := fmt.Sprintf("Heap of a cache with %d objects", all[0].Objects)
	return fmt.Appendf(nil, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 860 %d\" width=\"860\" height=\"%[1]d\" role=\"img\" aria-label=\"%s\">\n%s<text x=\"10\" y=\"22\" class=\"title\">%[2]s</text>\n%[4]s</svg>\n",
		y+10, title, style, b.String())
}
