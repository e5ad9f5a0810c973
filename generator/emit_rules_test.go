package generator

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/generator/internal/crdtest"
)

// What join and replace make may be much longer than what they are given, and what reads it costs as much.
func TestTextsThatRulesMakeArePaidFor(t *testing.T) {
	for _, c := range []struct{ rule, function string }{
		{"self.text.replace('a', 'bbbbb') != ''", "Replace"},
		{"self.words.join(',') != ''", "Join"},
	} {
		files := generate(t, Options{Features: AllFeatures(), Package: "v1"}, crdtest.Manifest("App", fmt.Sprintf(`
type: object
properties:
  text: {type: string, maxLength: 10}
  words: {type: array, maxItems: 3, items: {type: string, maxLength: 5}}
x-kubernetes-validations:
- {rule: "%s"}
`, c.rule)))
		var code string
		for _, f := range files {
			if strings.Contains(f.Name, "rules") {
				code = string(f.Content)
			}
		}
		made := regexp.MustCompile(`(\w+), \w+ := prunecel\.` + c.function + `\(`).FindStringSubmatch(code)
		if made == nil {
			t.Fatalf("%s: no text is made:\n%s", c.rule, code)
		}
		if want := fmt.Sprintf("meter.Spend(len(%s)/10+1, 2)", made[1]); !strings.Contains(code, want) {
			t.Errorf("%s: the code has no %s:\n%s", c.rule, want, code)
		}
	}
}
