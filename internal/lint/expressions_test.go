package lint_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/structural"
)

// TestLintRefusesRulesInTheWordsOfTheServer has one schema for each text, beside the nearest one that is taken. The conformance
// suite asks the server about them and many more.
func TestLintRefusesRulesInTheWordsOfTheServer(t *testing.T) {
	const root = "spec.versions[0].schema.openAPIV3Schema"
	const at = ".properties[a].x-kubernetes-validations[0]"
	const advice = " (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)"
	rule := func(fields string) string {
		return "{type: string, maxLength: 9, x-kubernetes-validations: [" + fields + "]}"
	}
	value := func(rule, messageExpression string) string {
		return fmt.Sprintf(`{"Rule":%q,"Message":"","MessageExpression":%q,"Reason":null,"FieldPath":"","OptionalOldSelf":null}`, rule, messageExpression)
	}
	for name, test := range map[string]struct {
		wrong, right string // the schema of a property
		want         []string
	}{
		"syntax": {
			rule("{rule: self ==}"), rule("{rule: self == self}"),
			[]string{at + ".rule: Invalid value: " + value("self ==", "") + ": compilation failed: ERROR: <input>:1:8: Syntax error: " +
				"mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n" +
				" | self ==\n | .......^"},
		},
		"result": {
			rule("{rule: self}"), rule("{rule: self != ''}"),
			[]string{at + ".rule: Invalid value: " + value("self", "") + ": cel expression must evaluate to a bool"},
		},
		"message": {
			rule("{rule: 'true', messageExpression: '1'}"), rule("{rule: 'true', messageExpression: 'self'}"),
			[]string{at + ".messageExpression: Invalid value: " + value("true", "1") + ": messageExpression must evaluate to a string"},
		},
		"new functions": {
			"{type: array, maxItems: 1, items: {type: string, maxLength: 1}, x-kubernetes-validations: [{rule: self.includes('a')}]}",
			"{type: array, maxItems: 1, items: {type: string, maxLength: 1}, x-kubernetes-validations: [{rule: self.indexOf('a') == 0}]}",
			[]string{at + ".rule: Invalid value: " + value("self.includes('a')", "") + ": compilation failed: ERROR: <input>:1:14: " +
				"undeclared reference to 'includes' (in container '')\n | self.includes('a')\n | .............^"},
		},
		"no type": {
			"{x-kubernetes-preserve-unknown-fields: true, x-kubernetes-validations: [{rule: 'true'}]}",
			"{type: object, x-kubernetes-preserve-unknown-fields: true, x-kubernetes-validations: [{rule: 'true'}]}",
			[]string{".properties[a].x-kubernetes-validations: Internal error: internal error: failed to construct type information for " +
				"x-kubernetes-validations rules: unable to convert structural schema to CEL declarations"},
		},
		"old values": {
			"{type: array, maxItems: 9, x-kubernetes-list-type: set, items: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == oldSelf}]}}",
			"{type: array, maxItems: 9, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, required: [k], properties: {k: {type: string, maxLength: 9}}, x-kubernetes-validations: [{rule: self.k == oldSelf.k}]}}",
			[]string{".properties[a].items.x-kubernetes-validations[0].rule: Invalid value: \"self == oldSelf\": oldSelf cannot be used on the " +
				"uncorrelatable portion of the schema within " + root + ".properties[a]"},
		},
		"optional old values": {
			rule("{rule: self == self, optionalOldSelf: true}"), rule("{rule: oldSelf.hasValue(), optionalOldSelf: true}"),
			[]string{at + ".optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule"},
		},
		"cost": {
			"{type: array, items: {type: string}, x-kubernetes-validations: [{rule: 'self.all(x, x.contains(self[0]))'}]}",
			"{type: array, maxItems: 9, items: {type: string, maxLength: 9}, x-kubernetes-validations: [{rule: 'self.all(x, x.contains(self[0]))'}]}",
			[]string{
				at + ".rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema",
				at + ".rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x" + advice,
				": Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x" + advice,
			},
		},
		"number of values": {
			"{type: array, maxItems: 5000001, items: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self != 'a'}]}}",
			"{type: array, maxItems: 5000000, items: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self != 'a'}]}}",
			[]string{".properties[a].items.x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of 1.000000x" + advice},
		},
		"default": {
			"{type: object, default: {b: [x]}, properties: {b: {type: array, maxItems: 9, items: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == 'a'}]}}}}",
			"{type: object, default: {b: [a]}, properties: {b: {type: array, maxItems: 9, items: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == 'a'}]}}}}",
			[]string{`.properties[a].default.b[0]: Invalid value: "x": failed rule: self == 'a'`},
		},
		"default that is a list": {
			"{type: array, maxItems: 9, default: [x], items: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == 'a'}]}}",
			"{type: array, maxItems: 9, default: [a], items: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == 'a'}]}}",
			[]string{`.properties[a].default[0]: Invalid value: "x": failed rule: self == 'a'`},
		},
		"default that is not a new value": {
			"{type: string, maxLength: 9, default: x, x-kubernetes-validations: [{rule: oldSelf.hasValue(), optionalOldSelf: true}]}",
			"{type: string, maxLength: 9, default: x, x-kubernetes-validations: [{rule: oldSelf.orValue(self) == self, optionalOldSelf: true}]}",
			[]string{`.properties[a].default: Invalid value: "x": failed rule: oldSelf.hasValue()`},
		},
		"default and a rule that does not compile": {
			"{type: object, properties: {b: {type: string, default: x, x-kubernetes-validations: [{rule: self}]}, c: {type: string, x-kubernetes-validations: [{rule: self}]}}}",
			"{type: object, properties: {b: {type: string, default: x, x-kubernetes-validations: [{rule: self != ''}]}, c: {type: string}}}",
			[]string{`.properties[a].properties[b].default: Invalid value: "string": rule compile error: cel expression must evaluate to a bool`},
		},
		"message about an old value of a default": {
			"{type: string, maxLength: 9, default: x, x-kubernetes-validations: [{rule: self == 'a', messageExpression: oldSelf}]}",
			"{type: string, maxLength: 9, default: a, x-kubernetes-validations: [{rule: self == 'a', messageExpression: oldSelf}]}",
			[]string{`.properties[a].default: Invalid value: "x": failed rule: self == 'a'`},
		},
		"unknown field in a default": {
			"{type: object, default: {b: x, c: z}, properties: {b: {type: string, maxLength: 9}}, x-kubernetes-validations: [{rule: self.b == 'a'}]}",
			"{type: object, default: {b: a}, properties: {b: {type: string, maxLength: 9}}, x-kubernetes-validations: [{rule: self.b == 'a'}]}",
			[]string{
				`.properties[a].default: Invalid value: {"b":"x","c":"z"}: must not have unknown fields`,
				`.properties[a].default: Invalid value: failed rule: self.b == 'a'`,
			},
		},
		"cost of the message": {
			"{type: array, items: {type: string}, x-kubernetes-validations: [{rule: 'true', messageExpression: self.join('')}]}",
			"{type: array, maxItems: 9, items: {type: string, maxLength: 9}, x-kubernetes-validations: [{rule: 'true', messageExpression: self.join('')}]}",
			[]string{
				at + ".messageExpression: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema",
				at + ".messageExpression: Forbidden: estimated messageExpression cost exceeds budget by factor of more than 100x" + advice,
				": Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x" + advice,
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			find := func(schema string) []string {
				got := messages(structuraltest.FindAll(structuraltest.CRDWith("type: object\nproperties:\n  a: "+schema)), structural.SeverityError)
				slices.Sort(got)
				return got
			}
			for i := range test.want {
				test.want[i] = root + test.want[i]
			}
			slices.Sort(test.want)
			if got := find(test.wrong); !slices.Equal(got, test.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
			if got := find(test.right); len(got) > 0 {
				t.Errorf("the right one: %s", strings.Join(got, "\n"))
			}
		})
	}
}

// A CEL rule that does not compile beside a default is named by its line. The API server reports it as an error of the default.
func TestRulesThatDoNotCompileBesideDefaults(t *testing.T) {
	crd := `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Thing, plural: things, singular: thing, listKind: ThingList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            default: {a: 1}
            x-kubernetes-validations:
            - rule: self.a > 0
            - rule: self.aa > 0
            required: [a]
            properties: {a: {type: integer}}
`
	f := crdread.Load("f.yaml", strings.NewReader(crd))
	found := lint.CRD(f.CRDs[0])
	if len(found) != 1 || found[0].ID != lint.IDCELExpression || found[0].Line != 18 || found[0].Hint != "the CEL rule on line 21 does not compile; it applies to this default" {
		t.Errorf("%+v", found)
	}
}
