package celrules_test

import (
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/cel/celrules"
)

// What was found out about a rule holds for other objects with the same rule only if they have the same fields, of the same types and
// limits, where the rule looks.
func TestAnswersAreForEqualSchemas(t *testing.T) {
	const rule = "self.a.b.all(x, x.contains('c'))"
	first := uint64(0)
	for i, test := range []struct {
		schema  string
		problem string
		equal   bool
	}{
		{"{a: {type: object, properties: {b: {type: array, maxItems: 3, items: {type: string}}}}}", "", true},
		{"{a: {type: object, properties: {b: {type: array, maxItems: 3, items: {type: string}}, c: {type: string}}}, b: {type: string}}", "", true},
		{"{a: {type: object, properties: {b: {type: array, maxItems: 4, items: {type: string}}}}}", "", false},
		{"{a: {type: object, properties: {b: {type: array, maxItems: 3, items: {type: string, maxLength: 1}}}}}", "", false},
		{"{a: {type: object, properties: {b: {type: array, maxItems: 3, items: {type: integer}}}}}", "no matching overload for 'contains'", false},
		{"{a: {type: object, properties: {b: {type: array, maxItems: 3, items: {type: object}}}}}", "no matching overload for 'contains'", false},
		{"{a: {type: object, properties: {b: {type: string}}}}", "cannot be range of a comprehension", false},
		{"{a: {type: object, properties: {c: {type: array, items: {type: string}}}}}", "undefined field 'b'", false},
		{"{a: {type: array, items: {type: string}}}", "does not support field selection", false},
		{"{b: {type: array, items: {type: string}}}", "undefined field 'a'", false},
		{"{a: {type: object, properties: {b: {type: array, maxItems: 3, items: {type: string}}}}}", "", true},
	} {
		n := celrules.Check(schema(t, "type: object\nproperties: {spec: {type: object, x-kubernetes-validations: [{rule: \""+rule+"\"}], properties: "+
			test.schema+"}}"), celrules.Stored(0))
		r := n.Properties["spec"].Rules[0]
		if i == 0 {
			first = r.MaxCost
		}
		if !strings.Contains(r.Err, test.problem) || (r.Err == "") != (test.problem == "") || (r.MaxCost == first) != test.equal {
			t.Errorf("%s: got cost %d (first: %d) and error %q", test.schema, r.MaxCost, first, r.Err)
		}
	}
}

// The same text is a rule or a messageExpression.
func TestAnswersAreForOneUse(t *testing.T) {
	n := celrules.Check(schema(t, `
type: object
properties:
  a: {type: boolean, x-kubernetes-validations: [{rule: self, messageExpression: self}]}
  b: {type: string, x-kubernetes-validations: [{rule: self}, {rule: "true", messageExpression: self}]}`), celrules.Stored(0))
	if a := n.Properties["a"].Rules[0]; a.Err != "" || a.MessageErr == "" {
		t.Errorf("got %q and %q for a boolean", a.Err, a.MessageErr)
	}
	if b := n.Properties["b"].Rules; b[0].Err == "" || b[1].MessageErr != "" {
		t.Errorf("got %q and %q for a string", b[0].Err, b[1].MessageErr)
	}
}
