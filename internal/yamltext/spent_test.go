package yamltext_test

import (
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/meter"
	"github.com/prune-gen/prune-gen/internal/yamltext"
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
				if problems++; p.Rule != yamltext.RuleTooLarge {
					t.Errorf("%s with %d units of %d: %s", name, left, cost, p.Message)
				}
			})
			if documents != 0 || problems != 1 {
				t.Errorf("%s with %d units of %d: %d documents, %d problems", name, left, cost, documents, problems)
			}
		}
	}
}
