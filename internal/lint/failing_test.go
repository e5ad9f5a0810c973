package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural/dynamic"
)

// A rule is warned of if an object that the schema accepts makes its evaluation fail.
func TestRulesThatFail(t *testing.T) {
	const schema = `{type: object, properties: {spec: {type: object, x-kubernetes-validations: [%s], properties: {
		a: {type: integer}, o: {type: object, properties: {p: {type: integer}}}, l: {type: array, maxItems: 5, items: {type: object, properties: {x: {type: integer}}}},
		m: {type: object, additionalProperties: {type: integer}}, s: {type: string, maxLength: 9}, d: {type: string, pattern: '^[0-9]{1,4}s$'}, i: {x-kubernetes-int-or-string: true}}}}}`
	for _, tt := range []struct{ rules, object, want string }{
		{`{rule: self.a > 0}`, `{}`, "self.a may be missing"},
		{`{rule: has(self.a)}, {rule: self.a > 0}`, "", ""}, // the other rule refuses what it fails for
		{`{rule: "!has(self.o) || self.o.p > 0"}`, `{o: {}}`, "self.o.p may be missing"},
		{`{rule: "!has(self.o) || !has(self.o.p) || self.o.p > 0"}`, "", ""},
		{`{rule: "!has(self.l) || self.l.all(e, e.x > 0)"}`, `{l: [{}]}`, "e.x may be missing"},
		{`{rule: "!has(self.l) || self.l[0].x > 0"}`, `{l: []}`, "self.l[0] may not exist"},
		{`{rule: "!has(self.m) || self.m['a'] > 0"}`, `{m: {}}`, `self.m["a"] may not exist`},
		{`{rule: "!has(self.s) || duration(self.s) > duration('1s')"}`, `{s: x}`, "duration may fail for self.s"},
		{`{rule: "!has(self.d) || duration(self.d) > duration('1s')"}`, "", ""},
		{`{rule: "!has(self.i) || self.i > 0"}`, `{i: 50%}`, "self.i may have another type"},
		{`{rule: "!has(self.a) || 10 / self.a > 0"}`, `{a: 0}`, "self.a may be 0"},
		{`{rule: "!has(self.a) || self.a + 1 > 0"}`, "", ""},                     // an overflow, which no object of people has
		{`{rule: "self.a > 0 || self.s == 'x'"}`, `{}`, "self.a may be missing"}, // and does not for {s: x}
	} {
		crd := structuraltest.LoadCRD(t, structuraltest.CRDWith(fmt.Sprintf(schema, tt.rules)))
		var found []string
		for _, f := range lint.CRD(crd) {
			if f.ID == "schema/rule-fails" {
				found = append(found, f.Message)
			}
		}
		if got := strings.Join(found, "; "); (tt.want == "") != (got == "") || !strings.HasSuffix(got, "may fail: "+tt.want+"; an object for which it fails can be neither created nor updated") && tt.want != "" {
			t.Errorf("%s: got %q, want %q", tt.rules, got, tt.want)
		}
		if tt.object == "" {
			continue
		}
		resources, err := dynamic.Compile(crd)
		if err != nil {
			t.Fatal(err)
		}
		obj := map[string]any{"apiVersion": resources[0].APIVersion(), "kind": resources[0].Kind, "metadata": map[string]any{"name": "a"}, "spec": structuraltest.ParseObject(t, tt.object)}
		if a := resources[0].Create(obj, prunert.Request{}); a.Refusal == nil || !strings.Contains(a.Refusal.Message, "rule: ") {
			t.Errorf("%s does not fail for %s: %v", tt.rules, tt.object, a.Refusal)
		}
	}
}
