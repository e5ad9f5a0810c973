package celrules_test

import (
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/internal/testing/allocated"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/structural"
)

// TestHostileRulesAreBounded has rules that are made to be slow, or to be said much about.
func TestHostileRulesAreBounded(t *testing.T) {
	testsize.NotShort(t)
	nested := func(before, in, after string, n int) string {
		return strings.Repeat(before, n) + in + strings.Repeat(after, n)
	}
	for name, rule := range map[string]string{
		"long":                  "true" + strings.Repeat(" && true", 12_000),
		"too long":              "true" + strings.Repeat(" && true", 13_000),
		"wrong everywhere":      "a" + strings.Repeat(" && a", 19_000),
		"not CEL":               strings.Repeat("(", 99_000),
		"not CEL either":        strings.Repeat("a b ", 24_000),
		"parentheses":           nested("(", "true", ")", 200),
		"too many parentheses":  nested("(", "true", ")", 2000),
		"lists":                 nested("[", "1", "]", 100) + " == []",
		"comprehensions":        nested("[1].all(x, ", "true", ")", 60),
		"many comprehensions":   "true" + strings.Repeat(" && [1].all(x, true)", 4_000),
		"comprehensions on map": nested("self.m.map(k, ", "k", ")", 40) + " == []",
		"conditions":            strings.Repeat("true ? true : ", 100) + "true",
		"selections":            "self" + strings.Repeat(".a", 40_000),
		"additions":             "self.s" + strings.Repeat(" + self.s", 8_000) + " == ''",
		"dyn":                   "dyn(self.s)" + strings.Repeat(" + dyn(self.s)", 6_000) + " == ''",
		"types":                 nested("optional.of(", "self.s", ")", 80) + " == self.s",
		"patterns":              "self.s.matches('" + strings.Repeat("(a{1,999}){1,1}", 60) + "')",
		"folded":                "[" + strings.Repeat("int('1'),", 9_000) + "1] == []",
		"newlines":              strings.Repeat("a &&\n", 19_000) + "a",
	} {
		t.Run(name, func(t *testing.T) {
			s := schema(t, "type: object\nproperties: {s: {type: string}, m: {type: object, additionalProperties: {type: string}}}")
			s.XValidations = []structural.ValidationRule{{Rule: rule}}
			var n *celrules.Node
			bytes := allocated.By(func() { n = celrules.Check(s, celrules.Stored(0)) })
			if bytes > 200<<20 {
				t.Errorf("allocates %d bytes", bytes)
			}
			if size := len(n.Rules[0].Err); size > 100*len(rule)+1_000_000 {
				t.Errorf("%d bytes are said about %d", size, len(rule))
			}
		})
	}
}

func TestRulesThatNoServerReadsAreNotChecked(t *testing.T) {
	s := schema(t, "type: object")
	for range 40 {
		s.XValidations = append(s.XValidations, structural.ValidationRule{Rule: "true // " + strings.Repeat("x", 99_000)})
	}
	all := celrules.Check(s, celrules.Stored(0)).Rules
	if all[30].Err != "" || all[32].Err == "" || all[39].Err == "" || all[39].AST != nil {
		t.Errorf("%q, %q, %q", all[30].Err, all[32].Err, all[39].Err)
	}
}
