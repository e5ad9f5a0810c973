package yamltext_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
)

// A text is read as a whole or not at all: wherever the meter is spent, there is one problem that says so, and no document.
func TestParsingEndsWhereTheMeterIsSpent(t *testing.T) {
	values := strings.Repeat(`{"a": [1, "b", null]}, `, 40)
	for name, text := range map[string]string{
		"JSON": `{"a": [` + values + `0]}`, "YAML": "a: [" + values + "0]\n", "block": "a:\n" + strings.Repeat("- b: 1\n  c: [x]\n", 40),
	} {
		whole := meter.New(1)
		before := whole.Left()
		yamltext.ParseText(whole, []byte(text), func(*yamltext.Document) {}, func(p *yamltext.Problem) { t.Fatal(p.Message) })
		cost := int(before - whole.Left())
		if cost < 100 {
			t.Fatalf("%s costs %d", name, cost)
		}
		for left := 0; left < cost; left += 1 + cost/50 {
			m := meter.New(1)
			m.Spend(int(m.Left()) - left)
			documents, problems := 0, 0
			yamltext.ParseText(m, []byte(text), func(*yamltext.Document) { documents++ }, func(p *yamltext.Problem) {
				if problems++; p.ID != yamltext.IDTooLarge {
					t.Errorf("%s with %d units of %d: %s", name, left, cost, p.Message)
				}
			})
			if documents != 0 || problems != 1 {
				t.Errorf("%s with %d units of %d: %d documents, %d problems", name, left, cost, documents, problems)
			}
		}
	}
}

// Whichever document is one too many, by their number or by their separators, those before it are read, the problem is at its first character,
// and the limit that is advised is enough for those after it.
func TestTextsEndAtTheDocumentThatIsTooMany(t *testing.T) {
	const document = "---\na: [1, 2]\n"
	separators := strings.Repeat(",", 10_000)
	for read := range 4 {
		almost := func() *meter.Meter {
			m := meter.New(1).RaisedBy("--limit")
			for range meter.Documents - read {
				m.SpendDocument()
			}
			return m
		}
		little := meter.New(1)
		little.Spend(meter.Work - 10_000)
		for name, test := range map[string]struct {
			m    *meter.Meter
			more string
			want string
		}{
			"one":            {almost(), document, "50000 documents; raise it with --limit 2"},
			"twice too many": {almost(), strings.Repeat(document, meter.Documents), "50000 documents; raise it with --limit 2"},
			"more than that": {almost(), strings.Repeat(document, meter.Documents+1), "50000 documents; raise it with --limit 3"},
			"comments":       {almost(), document + strings.Repeat("---\n# a\n", meter.Documents), "50000 documents; raise it with --limit 2"},
			"separators":     {little, "---\n#" + separators, "20000000 units of work"},
		} {
			documents, problems := 0, ""
			yamltext.ParseText(test.m, []byte(strings.Repeat(document, read)+test.more), func(*yamltext.Document) { documents++ },
				func(p *yamltext.Problem) { problems += fmt.Sprintf("%d:%d %s\n", p.Pos.Line, p.Pos.Column, p.Message) })
			if want := fmt.Sprintf("%d:1 too large: the run exceeds the limit of %s\n", 2*read+1, test.want); documents != read || problems != want {
				t.Errorf("%s after %d: %d documents, %s, want %s", name, read, documents, problems, want)
			}
		}
	}
}
