package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/hack/bench/measure"
)

func TestTextAlignsColumns(t *testing.T) {
	table := Table{Title: "T", Note: "N", Header: []string{"a", "time", "said"}, Left: []int{2}, Rows: [][]string{{"long", "1 µs", "x"}, {"b", "10 µs", ""}}}
	var b strings.Builder
	table.Text(&b)
	want := "T\n  N\n  a      time  said\n  long   1 µs  x\n  b     10 µs\n\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

func TestFiguresHaveThreeDigits(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Nanos(12.4), "12 ns"},
		{Nanos(999.7), "1.00 µs"},
		{Nanos(12_345), "12.3 µs"},
		{Nanos(999_600), "1.00 ms"},
		{Nanos(2_500_000_000), "2.50 s"},
		{Bytes(0), "0 B"},
		{Bytes(2_037), "2.04 KB"},
		{Bytes(200_297), "200 KB"},
		{Bytes(11_900_000), "11.9 MB"},
		{Percent(0.004), "0.4%"},
		{Percent(0.12), "12%"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// comparisons returns one for each row, with two kinds of three sizes.
func comparisons() []measure.Comparison {
	var results []measure.Result
	for _, row := range measure.Rows {
		for _, kind := range []string{"Foo", "Bar"} {
			for i, size := range []string{"small", "middle", "large"} {
				for _, c := range []*measure.Contestant{row.Ours, row.Theirs} {
					nanos := float64(int(100) << (4 * i))
					if c == row.Theirs {
						nanos *= 10
					}
					results = append(results, measure.Result{
						Kind: kind, Size: size, State: row.State, Bytes: 2000 << (3 * i), Function: c.Function, By: c.By,
						Rounds: []measure.Sample{{Ops: 1, Nanos: nanos}, {Ops: 1, Nanos: nanos * 1.1}, {Ops: 1, Nanos: nanos}},
					})
				}
			}
		}
	}
	var all []measure.Comparison
	for _, row := range measure.Rows {
		all = append(all, measure.Compare(row, results))
	}
	return all
}

func TestDocumentShowsEveryRowAndItsPlots(t *testing.T) {
	doc := &Document{
		Machine:     []string{"a machine"},
		Rounds:      9,
		Comparisons: comparisons(),
		Purego:      comparisons()[:1],
		Costs: []*Cost{{
			Table:     Table{Title: "Some cost", Header: []string{"what", "how much"}, Rows: [][]string{{"it", "1 KB"}}},
			Headlines: []string{"It costs 1 KB"},
			Bars:      []Bar{{"it", 0.001, "1 KB"}, {"<that> & more", 0.1, "100 KB"}},
			File:      "cost.svg",
			Axis:      "MB",
			Summary:   true,
		}, {
			Table: Table{Title: "Another cost", Header: []string{"what"}, Rows: [][]string{{"it"}}},
		}},
	}
	dir := t.TempDir()
	if err := doc.Write(dir); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "benchmarks.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	data, err = os.ReadFile(filepath.Join(dir, "benchmarks", "appendix.md"))
	if err != nil {
		t.Fatal(err)
	}
	appendix := string(data)
	for _, c := range doc.Comparisons {
		if title := "\n## " + ComparisonTable(c).Title + "\n"; strings.Contains(text, title) || !strings.Contains(appendix, title) {
			t.Errorf("%q is missing", title)
		}
	}
	for _, want := range []string{"a machine", "\n## Some cost\n", "9 rounds", "Foo small", "geometric mean", "\n## Summary\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	for _, want := range []string{"Foo small", "Bar large", "\n## Without unsafe\n", "\n## Another cost\n"} {
		if !strings.Contains(appendix, want) {
			t.Errorf("%q is missing in the appendix", want)
		}
	}
	links := regexp.MustCompile(`!\[[^\]]*\]\(([^)]*)\)`).FindAllStringSubmatch(text, -1)
	if len(links) != 3 {
		t.Errorf("%d figures, want 3", len(links))
	}
	shown := map[string]string{
		"benchmarks/decoded.svg": "Prune, clean objects, against pruning.Prune",
		"benchmarks/json.svg":    "DecodeJSON, dirty objects, against sonic.Unmarshal",
		"benchmarks/cost.svg":    "<that> & more",
	}
	for _, link := range links {
		picture, err := os.ReadFile(filepath.Join(dir, link[1]))
		if err != nil {
			t.Fatal(err)
		}
		if text := textOf(t, picture); !slices.Contains(text, shown[link[1]]) {
			t.Errorf("%s has no bar called %q in %q", link[1], shown[link[1]], text)
		}
	}
	if pages := text + appendix; strings.Contains(pages, "NaN") || strings.Contains(pages, dir) {
		t.Error("there is something in the pages that does not belong there")
	}
}

// textOf returns the texts of an SVG.
func textOf(t *testing.T, svg []byte) []string {
	t.Helper()
	var all []string
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
		if data, ok := token.(xml.CharData); ok {
			all = append(all, strings.TrimSpace(string(data)))
		}
	}
}

func TestFiguresAreTheSameEachTime(t *testing.T) {
	f := figure{file: "x.svg", title: "T", axis: "x", bars: []Bar{{"a", 1, "1x"}, {"b", 20, "20x"}}}
	first, err := f.svg()
	if err != nil {
		t.Fatal(err)
	}
	second, err := f.svg()
	if err != nil || !bytes.Equal(first, second) {
		t.Errorf("two pictures of the same figure differ: %v", err)
	}
}
