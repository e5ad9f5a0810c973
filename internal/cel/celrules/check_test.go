package celrules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/structural"
)

// schema returns the structural schema of a YAML text.
func schema(t *testing.T, yaml string) *structural.Schema {
	t.Helper()
	indented := "      " + strings.ReplaceAll(strings.TrimSpace(yaml), "\n", "\n      ")
	f := crdread.Load("crd.yaml", strings.NewReader(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: things, kind: Thing}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
     openAPIV3Schema:
`+indented+"\n"))
	if len(f.CRDs) != 1 {
		t.Fatalf("%v", f.Findings)
	}
	s, errs := structural.NewSchema(f.CRDs[0].Versions[0].Schema, nil)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return s
}

func TestNodesFollowTheSchema(t *testing.T) {
	n := celrules.Check(schema(t, `
type: object
properties:
  plain: {type: string}
  spec:
    type: object
    x-kubernetes-validations:
    - rule: self.min <= self.max && oldSelf.min == self.min
      messageExpression: "'min ' + string(self.min)"
    properties:
      min: {type: integer}
      max: {type: integer}
      ports:
        type: array
        items:
          type: object
          x-kubernetes-validations: [{rule: "self.namespace.size() > 0 && self.x__dash__y"}]
          properties:
            namespace: {type: string, maxLength: 10}
            x-y: {type: boolean}
      labels:
        type: object
        additionalProperties:
          type: string
          x-kubernetes-validations: [{rule: self.size() > 0}]
      1odd:
        type: string
        x-kubernetes-validations: [{rule: self.size() > 0}]
      hidden:
        x-kubernetes-preserve-unknown-fields: true
        x-kubernetes-validations: [{rule: "true"}]
`), celrules.Stored(0))
	spec := n.Properties["spec"]
	if len(n.Properties) != 1 || len(n.Rules) != 0 || !n.IsResource || spec.IsResource {
		t.Fatalf("%+v", n)
	}
	r := spec.Rules[0]
	if r.Err != "" || r.MessageErr != "" || !r.UsesOldSelf || r.AST == nil || r.Message == nil || r.MaxCost == 0 || r.MessageMaxCost == 0 {
		t.Errorf("%+v", r)
	}
	for name, below := range map[string]*celrules.Node{
		"ports":  spec.Properties["ports"].Items,
		"labels": spec.Properties["labels"].AdditionalProperties,
		"1odd":   spec.Properties["1odd"],
	} {
		if below == nil || len(below.Rules) != 1 || below.Rules[0].Err != "" || below.Type.Schema != below.Schema {
			t.Errorf("%s: %+v", name, below)
		}
	}
	if spec.Properties["hidden"] != nil {
		t.Error("a value without a type has a node")
	}
	if len(spec.Properties) != 3 {
		t.Errorf("properties: %v", spec.Properties)
	}
}

func TestSchemasWithoutRulesHaveNoNode(t *testing.T) {
	if n := celrules.Check(schema(t, "type: object"), celrules.Stored(0)); n != nil {
		t.Errorf("%+v", n)
	}
}

func TestErrorsAreTheServersWords(t *testing.T) {
	tests := map[string]struct {
		rule, message string
		want, wantMsg string
	}{
		"syntax":       {rule: "self.", want: "compilation failed: ERROR: <input>:1:6: Syntax error: no viable alternative at input '.'\n | self.\n | .....^"},
		"not a bool":   {rule: "self.a", want: "cel expression must evaluate to a bool"},
		"no field":     {rule: "self.b == 1", want: "compilation failed: ERROR: <input>:1:5: undefined field 'b'\n | self.b == 1\n | ....^"},
		"type name":    {rule: "self == 1", want: "compilation failed: ERROR: <input>:1:6: found no matching overload for '_==_' applied to '(selfType0, int)'\n | self == 1\n | .....^"},
		"guessed name": {rule: "type(self) == selfType0", want: "compilation failed: ERROR: <input>:1:15: undeclared reference to 'selfType0' (in container '')\n | type(self) == selfType0\n | ..............^"},
		"pattern":      {rule: "self.a.find('(') == ''", want: "program instantiation failed: error parsing regexp: missing closing ): `(`"},
		"constant":     {rule: "int('x') == 1", want: "program instantiation failed: type conversion error from 'string' to 'int'"},
		"no arguments": {rule: "format.dns1123Label().validate(self.a).hasValue()"},
		"message":      {rule: "true", message: "1", wantMsg: "messageExpression must evaluate to a string"},
		"message text": {rule: "true", message: "x", wantMsg: "messageExpression compilation failed: ERROR: <input>:1:1: undeclared reference to 'x' (in container '')\n | x\n | ^"},
		"empty":        {rule: " "},
		// cel-go panics, and the API server fails to answer.
		"optional element": {rule: "[?dyn(1)] != []", want: "compilation failed: internal error: runtime error: index out of range [0] with length 0"},
		"optional entry": {rule: "true", message: "string(size({?'a': dyn(1)}))",
			wantMsg: "messageExpression compilation failed: internal error: runtime error: index out of range [0] with length 0"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := schema(t, "type: object\nproperties: {a: {type: string}}")
			s.XValidations = []structural.ValidationRule{{Rule: test.rule, MessageExpression: test.message}}
			r := celrules.Check(s, celrules.Stored(0)).Rules[0]
			if r.Err != test.want || r.MessageErr != test.wantMsg {
				t.Errorf("got %q, %q\nwant %q, %q", r.Err, r.MessageErr, test.want, test.wantMsg)
			}
			if (r.AST == nil) != (test.want != "" || name == "empty") {
				t.Errorf("tree: %v", r.AST)
			}
		})
	}
}

func TestNewRulesHaveTheFunctionsOfTheVersionBefore(t *testing.T) {
	s := schema(t, "type: object\nproperties: {a: {type: array, items: {type: string}}}\nx-kubernetes-validations: [{rule: self.a.includes('x')}]")
	if r := celrules.Check(s, celrules.Stored(0)).Rules[0]; r.Err != "" {
		t.Error(r.Err)
	}
	if r := celrules.Check(s, celrules.New(0)).Rules[0]; !strings.Contains(r.Err, "undeclared reference to 'includes'") {
		t.Errorf("got %q", r.Err)
	}
}

func TestConstantsThatPanicAreErrors(t *testing.T) {
	n := celrules.Check(schema(t, `
type: object
x-kubernetes-validations: [{rule: "{b'key': 1}.size() == 1"}]
`), celrules.Stored(0))
	want := "program instantiation failed: internal error: runtime error: hash of unhashable type types.Bytes"
	if len(n.Rules) != 1 || n.Rules[0].Err != want {
		t.Errorf("%+v", n.Rules)
	}
}

func TestFieldPathsAreWrittenAsErrorsWriteThem(t *testing.T) {
	table := celrules.Table(celrules.Check(schema(t, `
type: object
x-kubernetes-validations:
- {rule: "true", fieldPath: .spec.a}
- {rule: "true", fieldPath: ".spec['x.y']"}
- {rule: "true", fieldPath: ".map['a key']"}
- {rule: "true", fieldPath: .map.key}
- {rule: "true", fieldPath: .spec.other}
- {rule: "true", fieldPath: spec}
- {rule: "true", fieldPath: .spec.a, messageExpression: "1"}
properties:
  spec:
    type: object
    properties: {a: {type: string}, x.y: {type: string}}
  map: {type: object, additionalProperties: {type: string}}
`), celrules.Stored(0)))
	for i, want := range []string{"spec.a", "spec.x.y", "map[a key]", "map[key]", "", "", ""} {
		if got := table.Rules[i].FieldPath; got != want {
			t.Errorf("rule %d: %q, want %q", i, got, want)
		}
	}
}

// A part of a schema has the rules that are in it, and values that rules do not see have none that could be checked.
func TestPartsOfSchemas(t *testing.T) {
	for text, want := range map[string]string{
		"{type: string}": "nothing",
		"{type: string, x-kubernetes-validations: [{rule: self == 'a'}]}":                                                                                                       "1 rules ",
		"{type: object, properties: {a: {type: string, x-kubernetes-validations: [{rule: self == 'a'}]}}}":                                                                      "0 rules ",
		"{x-kubernetes-preserve-unknown-fields: true, x-kubernetes-validations: [{rule: 'true'}]}":                                                                              "0 rules " + celrules.NotVisible,
		"{type: array, items: {x-kubernetes-preserve-unknown-fields: true, x-kubernetes-validations: [{rule: 'true'}]}}":                                                        "0 rules ",
		"{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true, x-kubernetes-validations: [{rule: self.metadata.name == self.kind}]}": "1 rules ",
	} {
		part := celrules.NewChecker(celrules.Stored(0)).Part(schema(t, "type: object\nproperties: {p: "+text+"}").Properties["p"])
		have := "nothing"
		if part != nil {
			have = fmt.Sprintf("%d rules %s", len(part.Rules), part.Err)
			for _, r := range part.Rules {
				if r.Err != "" {
					t.Errorf("%s: %s", text, r.Err)
				}
			}
			if part.IsResource != strings.Contains(text, "embedded") {
				t.Errorf("%s: is a resource: %t", text, part.IsResource)
			}
		}
		if have != want {
			t.Errorf("%s: %s, want %s", text, have, want)
		}
	}
	hidden := celrules.NewChecker(celrules.Stored(0)).Part(schema(t, "type: object\nproperties: {p: {type: array, items: {x-kubernetes-preserve-unknown-fields: true, x-kubernetes-validations: [{rule: 'true'}]}}}").Properties["p"])
	if hidden.Type != nil || hidden.Items == nil || hidden.Items.Err != celrules.NotVisible {
		t.Errorf("%+v", hidden)
	}
}

// A checker looks at as many bytes of rules as a request has.
func TestCheckersLookAtSoManyBytes(t *testing.T) {
	const tooLong = "the rules of the schema are longer than a request to the API server can be"
	typ := celrules.NewType(schema(t, "type: object"), true)
	c := celrules.NewChecker(celrules.Stored(0))
	third := structural.ValidationRule{Rule: "true // " + strings.Repeat("x", 1<<19-8), MessageExpression: strings.Repeat("x", 1<<19)}
	for i, r := range c.Check(typ, []structural.ValidationRule{third, third, third}) {
		if r.Err == tooLong || c.Full() {
			t.Errorf("rule %d is too much", i)
		}
	}
	if all := c.Check(typ, []structural.ValidationRule{{Rule: " "}, {Rule: "1"}, {Rule: "true"}}); all[0].Err != "" || all[1].Err != tooLong || all[2].Err != tooLong || !c.Full() {
		t.Errorf("%+v, full: %t", all, c.Full())
	}
}
