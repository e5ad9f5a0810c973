package verdicts

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"sigs.k8s.io/yaml"
)

// ruledDefaults are schemas with CEL rules about their defaults, as the schema of one property called a. Beside one that the API
// server refuses is the nearest one that it takes.
var ruledDefaults = []string{
	`{type: string, maxLength: 9, default: b, x-kubernetes-validations: [{rule: self == 'a'}]}`,
	`{type: string, maxLength: 9, default: a, x-kubernetes-validations: [{rule: self == 'a'}]}`,
	`{type: string, maxLength: 9, default: b, x-kubernetes-validations: [{rule: self == 'a', message: ' must be a '}]}`,
	`{type: string, maxLength: 9, default: b, x-kubernetes-validations: [{rule: self == 'a', messageExpression: "self + ' is not a'"}]}`,
	`{type: string, maxLength: 9, default: b, x-kubernetes-validations: [{rule: self == 'a', message: no, messageExpression: "self + 1"}]}`,
	`{type: string, maxLength: 9, default: b, x-kubernetes-validations: [{rule: self == 'a', reason: FieldValueForbidden, message: no}]}`,
	`{type: string, maxLength: 9, default: b, x-kubernetes-validations: [{rule: self == 'a', reason: FieldValueRequired, message: no}]}`,
	`{type: string, maxLength: 9, default: b, x-kubernetes-validations: [{rule: self == 'a', reason: FieldValueDuplicate, message: no}]}`,
	`{type: string, maxLength: 9, default: b, x-kubernetes-validations: [{rule: self == 'a', reason: Because, message: no}]}`,
	`{type: string, maxLength: 9, default: b, x-kubernetes-validations: [{rule: self == 'a'}, {rule: self == 'c'}, {rule: self == 'b'}]}`,
	`{type: integer, default: 3, x-kubernetes-validations: [{rule: self / 0 == 1}, {rule: self > 3}]}`,
	`{type: number, default: 1.5, x-kubernetes-validations: [{rule: self > 1.5}]}`,
	`{type: boolean, default: false, x-kubernetes-validations: [{rule: self}]}`,
	`{x-kubernetes-int-or-string: true, default: 3, x-kubernetes-validations: [{rule: 'type(self) == string'}, {rule: self.size() == 3}]}`,
	`{type: string, default: x, format: date-time, x-kubernetes-validations: [{rule: self.getHours() == 1}]}`,
	`{type: string, nullable: true, default: null, x-kubernetes-validations: [{rule: 'false'}]}`,
	// Where in the default.
	`{type: object, default: {b: x}, properties: {b: {type: string, maxLength: 9}}, x-kubernetes-validations: [{rule: self.b == 'a'}]}`,
	`{type: object, default: {b: x}, properties: {b: {type: string, maxLength: 9}}, x-kubernetes-validations: [{rule: self.b == 'a', fieldPath: .b}]}`,
	`{type: object, default: {b: x}, properties: {b: {type: string, maxLength: 9}}, x-kubernetes-validations: [{rule: self.b == 'a', fieldPath: .c}]}`,
	`{type: object, default: {b: x}, properties: {b: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == 'a'}]}}}`,
	`{type: object, default: {'[b': x, b.c: x}, properties: {'[b': {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == 'a'}]}, b.c: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == 'a'}]}}}`,
	`{type: object, default: {'é': x}, properties: {'é': {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == 'a'}]}}}`,
	`{type: object, default: {k: x, l: a}, maxProperties: 3, additionalProperties: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == 'a'}]}}`,
	`{type: array, maxItems: 3, default: [a, b], items: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == 'a'}]}}`,
	`{type: array, maxItems: 3, default: [{b: x}, {}], items: {type: object, properties: {b: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == 'a'}]}}}}`,
	`{type: array, maxItems: 3, default: [[x]], items: {type: array, maxItems: 2, items: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == 'a'}]}}}`,
	// Defaults in defaults: those within are not filled in.
	`{type: object, default: {}, properties: {b: {type: string, maxLength: 9, default: x}}, x-kubernetes-validations: [{rule: has(self.b)}]}`,
	`{type: object, default: {b: y}, properties: {b: {type: string, maxLength: 9, default: x, x-kubernetes-validations: [{rule: self == 'x'}]}}}`,
	`{type: object, default: {b: x}, properties: {b: {type: string, maxLength: 9, default: y, x-kubernetes-validations: [{rule: self == 'x'}]}}}`,
	`{type: array, maxItems: 3, default: [], items: {type: object, default: {}, properties: {b: {type: string, default: x, maxLength: 9, x-kubernetes-validations: [{rule: self == 'a'}]}}}}`,
	`{type: object, properties: {b: {type: string, maxLength: 9}}, default: {}, x-kubernetes-validations: [{rule: self.b == 'a'}]}`,
	// A rule that does not compile is an error of the default, and hides those of other rules.
	`{type: string, maxLength: 9, default: b, x-kubernetes-validations: [{rule: self ==}]}`,
	`{type: string, maxLength: 9, default: b, x-kubernetes-validations: [{rule: self}, {rule: unknown}, {rule: self == 'a'}]}`,
	`{type: string, maxLength: 9, default: b, x-kubernetes-validations: [{rule: '', message: a}]}`,
	`{type: object, properties: {b: {type: string, default: x, x-kubernetes-validations: [{rule: self ==}]}, c: {type: string, x-kubernetes-validations: [{rule: self ==}]}}}`,
	`{type: object, properties: {b: {type: string, default: x, maxLength: 9, x-kubernetes-validations: [{rule: self == 'x'}]}, c: {type: string, x-kubernetes-validations: [{rule: self ==}]}}}`,
	`{type: object, default: {}, properties: {b: {type: string, x-kubernetes-validations: [{rule: self ==}]}}}`,
	`{x-kubernetes-preserve-unknown-fields: true, default: 1, x-kubernetes-validations: [{rule: 'true'}]}`,
	`{type: array, maxItems: 1, default: [1], items: {x-kubernetes-preserve-unknown-fields: true, x-kubernetes-validations: [{rule: 'true'}]}}`,
	`{type: array, maxItems: 1, default: [1], items: {type: integer, x-kubernetes-validations: [{rule: 'self.includes(1)'}]}}`,
	`{type: array, maxItems: 1, default: [1], items: {type: integer}, x-kubernetes-validations: [{rule: 'self.includes(2)'}]}`,
	`{type: array, maxItems: 1, default: [2], items: {type: integer}, x-kubernetes-validations: [{rule: 'self.includes(2)'}]}`,
	// Estimates are not looked at.
	`{type: array, default: [a], items: {type: string}, x-kubernetes-validations: [{rule: 'self.all(x, self.all(y, x.contains(y)))'}]}`,
	`{type: array, default: [a, b], items: {type: string}, x-kubernetes-validations: [{rule: 'self.all(x, self.all(y, x.contains(y)))'}]}`,
	// Other errors of the default hide those of rules, apart from unknown fields.
	`{type: string, maxLength: 3, default: long text, x-kubernetes-validations: [{rule: self == 'a'}]}`,
	`{type: string, maxLength: 3, default: 1, x-kubernetes-validations: [{rule: self == 'a'}]}`,
	`{type: object, default: {b: x, c: y}, properties: {b: {type: string, maxLength: 9}}, x-kubernetes-validations: [{rule: self.b == 'a'}]}`,
	`{type: object, default: {b: x, c: y}, properties: {b: {type: string, maxLength: 9}}, x-kubernetes-validations: [{rule: self.b == 'x'}]}`,
	`{type: object, default: {b: {c: y}}, properties: {b: {type: object, properties: {d: {type: string}}}}, x-kubernetes-validations: [{rule: self.b != self.b}]}`,
	// Updates that change nothing, and new values.
	`{type: string, maxLength: 9, default: b, x-kubernetes-validations: [{rule: self != oldSelf}]}`,
	`{type: string, maxLength: 9, default: b, x-kubernetes-validations: [{rule: self == oldSelf}]}`,
	`{type: string, maxLength: 9, default: b, x-kubernetes-validations: [{rule: oldSelf.hasValue(), optionalOldSelf: true}]}`,
	`{type: string, maxLength: 9, default: b, x-kubernetes-validations: [{rule: '!oldSelf.hasValue()', optionalOldSelf: true}]}`,
	`{type: string, maxLength: 9, default: b, x-kubernetes-validations: [{rule: oldSelf.orValue('c') == self, optionalOldSelf: true, messageExpression: self}]}`,
	`{type: string, maxLength: 9, default: b, x-kubernetes-validations: [{rule: oldSelf.orValue(self) == self, optionalOldSelf: true}]}`,
	`{type: array, maxItems: 3, default: [{k: a, v: 1}, {k: b, v: 2}], x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, required: [k], properties: {k: {type: string}, v: {type: integer, x-kubernetes-validations: [{rule: self > oldSelf}]}}}}`,
	`{type: array, maxItems: 3, default: [{v: 1}], items: {type: object, properties: {v: {type: integer, x-kubernetes-validations: [{rule: self > oldSelf}]}}}}`,
	`{type: array, maxItems: 3, default: [1, 2], x-kubernetes-list-type: set, items: {type: integer}, x-kubernetes-validations: [{rule: 'self == [2, 1] && self != oldSelf'}]}`,
	`{type: object, default: {b: x}, x-kubernetes-map-type: atomic, properties: {b: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self != oldSelf}]}}}`,
	`{type: object, default: {b: x}, properties: {b: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == 'a', messageExpression: oldSelf}]}}}`,
	`{type: object, default: {b: x}, properties: {b: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == 'a', messageExpression: oldSelf}, {rule: self == oldSelf}]}}}`,
	// Resources and their metadata.
	`{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true, default: {apiVersion: v1, kind: Pod, metadata: {name: a}}, x-kubernetes-validations: [{rule: self.metadata.name == 'b'}, {rule: self.kind == 'Pods'}]}`,
	`{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true, default: {apiVersion: v1, kind: Pod, metadata: {name: a}}, x-kubernetes-validations: [{rule: self.metadata.name == 'a'}]}`,
	`{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true, default: {apiVersion: v1, kind: Pod, metadata: {}}, x-kubernetes-validations: [{rule: has(self.metadata.generateName)}]}`,
	`{type: object, x-kubernetes-embedded-resource: true, default: {apiVersion: v1, kind: Pod, metadata: {name: a, nonsense: b}}, properties: {b: {type: string}}, x-kubernetes-validations: [{rule: self.metadata.name == 'b'}]}`,
	`{type: object, default: {b: {apiVersion: v1, kind: Pod, metadata: {name: a}}}, properties: {b: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true, x-kubernetes-validations: [{rule: self.metadata.name == 'b'}]}}}`,
	`{type: object, x-kubernetes-embedded-resource: true, properties: {metadata: {type: object, default: {name: a}, x-kubernetes-validations: [{rule: self.name == 'b'}], properties: {name: {type: string, maxLength: 9}}}}}`,
	`{type: object, x-kubernetes-embedded-resource: true, properties: {metadata: {type: object, properties: {name: {type: string, maxLength: 9, default: a, x-kubernetes-validations: [{rule: self == 'b'}]}}}}}`,
	`{type: object, x-kubernetes-embedded-resource: true, properties: {metadata: {type: object, default: {name: a, labels: {b: c}}, x-kubernetes-validations: [{rule: has(self.labels)}]}}}`,
	`{type: object, x-kubernetes-embedded-resource: true, properties: {kind: {type: string, maxLength: 9, default: Pod, x-kubernetes-validations: [{rule: self == 'Pods'}]}}}`,
	`{type: object, x-kubernetes-embedded-resource: true, properties: {kind: {type: string, maxLength: 9, default: 'P o d', x-kubernetes-validations: [{rule: self == 'Pods'}]}}}`,
}

// costlyDefaults are those whose rules reach the limits of the server.
var costlyDefaults = []string{
	`{type: array, maxItems: 100, default: [0,1,2,3,4,5,6,7,8,9], items: {type: integer}, x-kubernetes-validations: [{rule: 'self.all(a, self.all(b, self.all(c, self.all(d, self.all(e, a + b + c + d + e >= 0)))))'}, {rule: 'false'}]}`,
	`{type: array, maxItems: 100, default: [0,1,2,3,4,5,6,7,8,9], items: {type: integer}, x-kubernetes-validations: [{rule: 'self.all(a, self.all(b, self.all(c, self.all(d, a + b + c + d >= 0))))'}]}`,
	`{type: array, maxItems: 400, default: [` + strings.Repeat("1,", 320) + `1], items: {type: integer}, x-kubernetes-validations: [` + strings.Repeat("{rule: 'self.all(a, self.all(b, a + b >= 0))'},", 16) + `{rule: 'false'}]}`,
	`{type: integer, default: 1, x-kubernetes-validations: [{rule: 'false', messageExpression: "[0,1,2,3,4,5,6,7,8,9].all(a, lists.range(100).all(b, lists.range(100).all(c, lists.range(100).all(d, a + b + c + d >= 0)))) ? 'a' : 'b'"}, {rule: 'false'}]}`,
}

// compareProperty compares the verdicts on a CRD with a property of a schema.
func compareProperty(t *testing.T, schema string) bool {
	t.Helper()
	var s Object
	if err := yaml.Unmarshal([]byte("{type: object, properties: {a: "+schema+"}}"), &s); err != nil {
		t.Fatalf("%v\n%s", err, schema)
	}
	compareVerdict(t, schema+", v1beta1", crdOf(t, "v1beta1", s, nil))
	return compareVerdict(t, schema, crdOf(t, "v1", s, nil))
}

// TestRulesRefuseDefaultsForTheSameReasons compares every text about rules on defaults.
func TestRulesRefuseDefaultsForTheSameReasons(t *testing.T) {
	t.Parallel()
	taken, refused := 0, 0
	schemas := ruledDefaults
	if testsize.All() {
		schemas = slices.Concat(schemas, costlyDefaults)
	}
	for _, s := range schemas {
		if compareProperty(t, s) {
			taken++
		} else {
			refused++
		}
	}
	t.Logf("%d taken, %d refused", taken, refused)
	if taken < 5 || refused < 60 {
		t.Errorf("only %d CRDs are taken and %d refused", taken, refused)
	}
}

// TestRulesRefuseAnyDefaultForTheSameReasons gives defaults to the schemas that have rules.
func TestRulesRefuseAnyDefaultForTheSameReasons(t *testing.T) {
	t.Parallel()
	taken, refused := 0, 0
	compare := func(schema, value string) {
		if compareProperty(t, strings.Replace(schema, "{", "{default: "+value+", ", 1)) {
			taken++
		} else {
			refused++
		}
	}
	for _, s := range ruleSchemas {
		for _, v := range []string{"a", "3", "true", "{b: a}", "[a, b]", "[{k: a}]"} {
			compare(s, v)
		}
	}
	short := strings.NewReplacer(" LENGTH", ", maxLength: 20", " ITEMS", ", maxItems: 10", " PROPERTIES", ", maxProperties: 10").Replace(aboutS)
	for i, e := range expressionsAboutS {
		if i%testsize.Pick(6, 1) != 0 {
			continue
		}
		schema := strings.ReplaceAll(short, "RULE", fmt.Sprintf("%q", e))
		compare(schema, "{}")
		compare(schema, `{s: a, t: b, e: abc, ls: [a, b], li: [1, 2], m: {a: b}, o: {a: a, s: a}, lo: [{a: b}], d: 1s, w: "2020-01-01T00:00:00Z", by: YQ==, i: 3, n: 1.5, b: true, ios: 5}`)
		compare(schema, `{s: "1", t: "1", e: defg, ls: [], li: [2, 1], m: {}, o: {}, lo: [{a: b}, {a: b, s: ""}], d: 2h, w: "2020-01-01T00:00:00+01:00", by: "", i: -1, n: 2, b: false, ios: aa}`)
		compare(schema, `{s: 10.0.0.0/8, t: 10.1.1.1, ls: [b, a, a], ios: "7"}`)
	}
	t.Logf("%d taken, %d refused", taken, refused)
	if taken < 40 || refused < 300 || testsize.All() && (taken < 100 || refused < 1000) {
		t.Errorf("only %d CRDs are taken and %d refused", taken, refused)
	}
}
