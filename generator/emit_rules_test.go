package generator

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/generator/internal/crdtest"
	"github.com/prune-gen/prune-gen/generator/typecheck"
	"github.com/prune-gen/prune-gen/internal/testsize"
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

// The code of all rules that the tests of lowering have compiles: no variable is left over, and no type is another.
func TestTheCodeOfRulesCompiles(t *testing.T) {
	testsize.NotShort(t)
	text, err := os.ReadFile(filepath.Join("internal", "lower", "testdata", "rules.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	schema := map[string]any{}
	var rules []any
	for line := range strings.Lines(string(text)) {
		var l struct {
			Schema map[string]any
			Rule   string
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		if l.Schema != nil {
			schema = l.Schema
		} else {
			rules = append(rules, map[string]any{"rule": l.Rule})
		}
	}
	schema["x-kubernetes-validations"] = rules
	manifest, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	files := generate(t, Options{Features: Features{FeatureRules}.Complete(), Package: "v1"}, crdtest.Manifest("App", string(manifest)))
	if _, err := typecheck.Check(files); err != nil {
		t.Fatal(err)
	}
	compiled := 0
	for _, f := range files {
		compiled += strings.Count(string(f.Content), "(raw, oldRaw any) (prunecel.Verdict, int64)")
	}
	if compiled < 1000 {
		t.Errorf("%d of %d rules are compiled", compiled, len(rules))
	}
}
