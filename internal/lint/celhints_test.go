package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
)

// The hint about an expression follows from the expression: a field that is meant, or a function that costs.
func TestHintsAboutExpressions(t *testing.T) {
	const schema = `{type: object, properties: {spec: {type: object, x-kubernetes-validations: [%s], properties: {
		size: {type: integer}, maxSize: {type: integer}, l: {type: array, maxItems: 5, items: {type: object, properties: {port: {type: integer}}}}, s: {type: string}}}}}`
	for _, tt := range []struct{ rules, rule, want string }{
		{`{rule: self.size <= self.maxSzie}`, "schema/rule-expression", "did you mean maxSize?"},
		{`{rule: "self.l.all(e, e.prot > 0)"}`, "schema/rule-expression", "did you mean port?"},
		{`{rule: "true", messageExpression: self.siez}`, "schema/rule-expression", "did you mean size?"},
		{`{rule: self.size <= self.other}`, "schema/rule-expression", "correct the expression;"},
		{`{rule: "self.size > 0", messageExpression: "'x' + string(self.size)"}`, "schema/rule-cost", "string() counts as a text of any length, even of a number:"},
		{`{rule: "self.s.split('').all(c, self.s.split('').all(d, c == d))"}`, "schema/rule-cost", "write maxItems,"},
	} {
		found := 0
		for _, f := range lint.CRD(structuraltest.LoadCRD(t, structuraltest.CRDWith(fmt.Sprintf(schema, tt.rules)))) {
			if string(f.ID) != tt.rule || strings.HasSuffix(f.Path, "openAPIV3Schema") {
				continue // about something else, or about all expressions
			}
			if found++; !strings.HasPrefix(f.Hint, tt.want) {
				t.Errorf("%s: hint %q, want %q: %s", tt.rules, f.Hint, tt.want, f.Message)
			}
		}
		if found == 0 {
			t.Errorf("%s: no %s", tt.rules, tt.rule)
		}
	}
}
