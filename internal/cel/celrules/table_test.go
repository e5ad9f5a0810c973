package celrules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/internal/testing/recorded"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// ruledSchema has rules in every place, with all that a rule can have, and some that do not compile.
const ruledSchema = `
type: object
x-kubernetes-validations:
- {rule: " self.a == 'b' ", message: " m ", reason: FieldValueForbidden, fieldPath: .a}
- {rule: self.a == oldSelf.a, messageExpression: "'was ' + oldSelf.a"}
- {rule: "oldSelf.hasValue() && self.a == 'c'", optionalOldSelf: true, messageExpression: "oldSelf.a.orValue('none')"}
- {rule: self.a == 'd', optionalOldSelf: false, messageExpression: self.z}
- {rule: self.z, messageExpression: self.a, fieldPath: .a}
- {rule: "self.metadata.name == self.kind && type(self) == type(self.a)", fieldPath: .z}
- {rule: "self.l.all(x, i, x > i) || self.m.exists(k, v, k == v) || self.r.filter(x, x.k == 'a').map(x, x.k) == ['b']"}
- {rule: "[?self.?a, 'x'] == ['y'] && {?'k': self.?a, 'l': 'm'}.size() == 1 && (has(self.a) ? self.o : self.o).b == 1 && self.o.b in [1, 2]"}
- {rule: "self.a + self.a == self.a.replace('a', b'c' == b'd' ? 'e' : 'f') && duration('1s') < duration('2s') && 1.5 > 1.0 && 1u < 2u && null == null"}
properties:
  a: {type: string}
  l: {type: array, items: {type: integer, x-kubernetes-validations: [{rule: self > 1}]}}
  m: {type: object, additionalProperties: {type: string, x-kubernetes-validations: [{rule: self > 'a', message: said}]}}
  o: {type: object, properties: {b: {type: integer, x-kubernetes-validations: [{rule: self >= oldSelf}]}}}
  r: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, properties: {k: {type: string}, v: {type: integer, x-kubernetes-validations: [{rule: self > oldSelf}]}}}}
  s: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, properties: {k: {type: string}}, x-kubernetes-validations: [{rule: self.k > 'a'}]}}
  t: {type: array, x-kubernetes-list-type: set, items: {type: string}, x-kubernetes-validations: [{rule: self == oldSelf}]}
  e: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true, x-kubernetes-validations: [{rule: self.metadata.name == 'a'}]}
  1x: {type: string, x-kubernetes-validations: [{rule: self == 'a'}]}
  h: {x-kubernetes-preserve-unknown-fields: true, x-kubernetes-validations: [{rule: 'true'}]}
  hidden: {type: array, items: {x-kubernetes-preserve-unknown-fields: true, x-kubernetes-validations: [{rule: 'true'}]}}
  q: {type: object, additionalProperties: {type: object, properties: {r: {type: array, items: {type: string, x-kubernetes-validations: [{rule: self.size() > 1}]}}}}}
  none: {type: object, properties: {x: {type: string}}}
allOf:
- x-kubernetes-validations: [{rule: self.a > 'z'}]
- properties:
    o: {properties: {b: {x-kubernetes-validations: [{rule: self > 7}]}}}
    l: {items: {x-kubernetes-validations: [{rule: self > 8}]}, allOf: [{items: {x-kubernetes-validations: [{rule: self > 9}]}}]}
    m: {additionalProperties: {x-kubernetes-validations: [{rule: self > 'y'}]}}
    r: {items: {properties: {v: {x-kubernetes-validations: [{rule: self < oldSelf}]}}}}
    z: {x-kubernetes-validations: [{rule: self == 1}]}
- {properties: {a: {minLength: 1}}}
`

func TestTablesAreRecorded(t *testing.T) {
	n := celrules.Check(schema(t, ruledSchema), celrules.Stored(0))
	var have strings.Builder
	writeNode(&have, n, "")
	have.WriteString("\n")
	writeRules(&have, celrules.Table(n), "")
	recorded.Compare(t, *update, "testdata/table.txt", have.String())
	if celrules.Table(nil) != nil {
		t.Error("no rules have a table")
	}
}

// writeNode writes what was checked.
func writeNode(b *strings.Builder, n *celrules.Node, indent string) {
	if n.Err != "" {
		fmt.Fprintf(b, "%s error %s\n", indent, n.Err)
	}
	for _, r := range n.Rules {
		fmt.Fprintf(b, "%s rule %s: tree %t, old %t, at most %d\n", indent, strings.TrimSpace(r.Rule.Rule), r.AST != nil, r.UsesOldSelf, r.MaxCost)
		if r.Err != "" {
			fmt.Fprintf(b, "%s   error %q\n", indent, r.Err)
		}
		if r.Rule.MessageExpression != "" {
			fmt.Fprintf(b, "%s   message %t, at most %d, %q\n", indent, r.Message != nil, r.MessageMaxCost, r.MessageErr)
		}
	}
	if n.IsResource {
		fmt.Fprintf(b, "%s resource\n", indent)
	}
	below := func(name string, n *celrules.Node) {
		if n != nil {
			fmt.Fprintf(b, "%s %s\n", indent, name)
			writeNode(b, n, indent+"  ")
		}
	}
	for _, name := range []string{"a", "l", "m", "o", "r", "s", "t", "e", "1x", "h", "hidden", "q", "none", "b", "k", "v", "x", "z"} {
		below("."+name, n.Properties[name])
	}
	below("items", n.Items)
	below("values", n.AdditionalProperties)
	for _, all := range n.AllOf {
		below("allOf", all)
	}
}

// writeRules writes the table that rules are evaluated by.
func writeRules(b *strings.Builder, r *prunecel.Rules, indent string) {
	fmt.Fprintf(b, "%s type %s keys %q", indent, r.Type, r.Keys)
	if r.Problem != "" {
		fmt.Fprintf(b, " problem %q", r.Problem)
	}
	if r.Self != "" {
		fmt.Fprintf(b, " self %s", r.Self)
	}
	b.WriteString("\n")
	for _, rule := range r.Rules {
		fmt.Fprintf(b, "%s rule %q message %q reason %q path %q old %t %t\n", indent, rule.Rule, rule.Message, rule.Reason, rule.FieldPath, rule.UsesOld, rule.OptionalOld)
		if rule.Problem != "" {
			fmt.Fprintf(b, "%s   problem %q\n", indent, rule.Problem)
		}
		fmt.Fprintf(b, "%s   is %s\n", indent, rule.Program)
		if rule.MessageProgram != "" {
			fmt.Fprintf(b, "%s   says %q %s\n", indent, rule.MessageExpression, rule.MessageProgram)
		}
	}
	for _, f := range r.Fields {
		fmt.Fprintf(b, "%s .%s\n", indent, f.Name)
		writeRules(b, f.Rules, indent+"  ")
	}
	below := func(name string, r *prunecel.Rules) {
		if r != nil {
			fmt.Fprintf(b, "%s %s\n", indent, name)
			writeRules(b, r, indent+"  ")
		}
	}
	below("items", r.Items)
	below("values", r.Values)
	for _, all := range r.AllOf {
		below("allOf", all)
	}
}
