package report

import (
	"os"
	"path/filepath"
	"regexp"
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
		{timesText(0.649), "0.65x"},
		{timesText(2.42), "2.4x"},
		{timesText(111.3), "111x"},
		{tickText(Bytes)(10_000), "10 KB"},
		{tickText(Nanos)(100_000), "100 µs"},
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
			Points:    []Point{{1, 100}, {10, 1000}},
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
	for _, c := range doc.Comparisons {
		if title := "### " + ComparisonTable(c).Title + "\n"; !strings.Contains(text, title) {
			t.Errorf("%q is missing", title)
		}
	}
	for _, want := range []string{"a machine", "### Some cost", "9 rounds", "Foo small", "Bar large", "geometric mean", "## Without unsafe\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	links := regexp.MustCompile(`!\[[^\]]*\]\(([^)]*)\)`).FindAllStringSubmatch(text, -1)
	// Prune, report, PruneJSON, DecodeJSON and reporting Normalize, clean and dirty; Normalize and Check; Validate, valid and
	// invalid, and updates; the source.
	if len(links) != 16 {
		t.Errorf("%d plots, want 16", len(links))
	}
	for _, link := range links {
		if _, err := os.Stat(filepath.Join(dir, link[1])); err != nil {
			t.Error(err)
		}
	}
	if strings.Contains(text, "NaN") || strings.Contains(text, dir) {
		t.Error("there is something in the page that does not belong there")
	}
}

func TestHeadlinesSayWhetherAGoalIsMet(t *testing.T) {
	for _, c := range comparisons() {
		line := Headline(c)
		if strings.HasSuffix(line, ": met") != (c.SpeedMet && c.Row.Goal.Aimed()) {
			t.Errorf("%s: %q", c.Row.ID, line)
		}
	}
}
