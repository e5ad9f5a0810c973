package generator

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/generate/typecheck"
	"github.com/prune-gen/prune-gen/internal/testing/crdtest"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// A rule of twice the nesting has code of at most twice the size, where an operand that can fail is in every level.
func TestTheCodeOfRulesGrowsWithTheirSize(t *testing.T) {
	size := func(levels int) int {
		rule := "self.b"
		for i := range levels {
			rule = fmt.Sprintf("(%s) %s self.a == 1", rule, []string{"&&", "||"}[i%2])
		}
		files := generate(t, Options{Features: Features{FeatureRules}.Complete(), Package: "v1"}, crdtest.Manifest("App", fmt.Sprintf(`
type: object
properties:
  a: {type: integer}
  b: {type: boolean}
x-kubernetes-validations:
- {rule: "%s"}
`, rule)))
		n := 0
		for _, f := range files {
			if strings.Contains(f.Name, "rules") {
				n += len(f.Content)
			}
		}
		return n
	}
	none, some, twice := size(0), size(10), size(20)
	if some <= none || twice-none > 5*(some-none)/2 {
		t.Errorf("%d bytes for no levels, %d for 10, %d for 20", none, some, twice)
	}
}

// The code of all rules that the tests of lowering have compiles: no variable is left over, and no type is another. It can be reviewed.
func TestTheCodeOfRulesCompiles(t *testing.T) {
	testsize.NotShort(t)
	text, err := os.ReadFile(filepath.Join("internal", "lower", "testdata", "rules.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var schemas []map[string]any
	rules := 0
	for line := range strings.Lines(string(text)) {
		var l struct {
			Schema map[string]any
			Rule   string
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		if l.Schema != nil {
			l.Schema["x-kubernetes-validations"] = []any{}
			schemas = append(schemas, l.Schema)
			continue
		}
		last := schemas[len(schemas)-1]
		last["x-kubernetes-validations"] = append(last["x-kubernetes-validations"].([]any), map[string]any{"rule": l.Rule})
		rules++
	}
	var manifests []string
	for i, schema := range schemas {
		text, err := json.Marshal(schema)
		if err != nil {
			t.Fatal(err)
		}
		manifests = append(manifests, crdtest.Manifest(fmt.Sprint("App", i), string(text)))
	}
	files := generate(t, Options{Features: Features{FeatureRules}.Complete(), Package: "v1"}, manifests...)
	if _, err := typecheck.Check(files); err != nil {
		t.Fatal(err)
	}
	review(t, files)
	compiled := 0
	for _, f := range files {
		compiled += strings.Count(string(f.Content), "(r prunecel.Reader) prunecel.Verdict")
	}
	if compiled < 1000 {
		t.Errorf("%d of %d rules are compiled", compiled, rules)
	}
}
