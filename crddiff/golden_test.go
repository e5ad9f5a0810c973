package crddiff_test

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/crddiff"
	"github.com/prune-gen/prune-gen/internal/testing/recorded"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/structural"
)

var update = flag.Bool("update", false, "write the files in testdata instead of comparing with them")

// wide is a CRD with two versions, for changes that need more than TestCRDsNamesEveryChange has.
const wide = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: wides.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Wide, plural: wides, singular: wide, listKind: WideList, categories: [all]}
  conversion: {strategy: Webhook, webhook: {clientConfig: {url: 'https://a'}, conversionReviewVersions: [v1]}}
  versions:
  - name: v1
    served: true
    storage: true
    deprecated: true
    deprecationWarning: use v2
    subresources: {scale: {specReplicasPath: .spec.n, statusReplicasPath: .status.n, labelSelectorPath: .status.s}}
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            x-kubernetes-validations: [{rule: "oldSelf.size < 9", message: a, optionalOldSelf: true}, {rule: "self.size < 8", message: a}]
            properties:
              size: {type: number, minimum: 1.5, maximum: 9.5, multipleOf: 0.5}
              text: {type: string, format: date, minLength: 1, maxLength: 3, enum: [a, b, c, d, e, f, g, h]}
              list: {type: array, minItems: 1, maxItems: 3, uniqueItems: false, items: {type: integer, format: int32}}
              map: {type: object, minProperties: 1, maxProperties: 3, additionalProperties: {type: integer, default: 1}}
              alternatives: {type: string, allOf: [{minLength: 1}], anyOf: [{minLength: 2}], oneOf: [{minLength: 3}], not: {minLength: 4}}
              none: {type: string, nullable: true, default: "<a>"}
              keys: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a, b], items: {type: object, required: [a, b], properties: {a: {type: string}, b: {type: string}}}}
              set: {type: array, x-kubernetes-list-type: set, items: {type: string}}
              any: {x-kubernetes-preserve-unknown-fields: true}
              open: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: object, properties: {b: {type: string}}}}}
              nested: {type: array, items: {type: array, items: {type: object, properties: {a: {type: string}}}}}
              maps: {type: object, additionalProperties: {type: object, properties: {a: {type: string}, b: {type: string}}}}
              free: {type: object, additionalProperties: true}
              embedded: {type: object, x-kubernetes-embedded-resource: true, properties: {kind: {type: string}, spec: {type: object}}}
  - name: v2
    served: true
    storage: false
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {text: {type: string}}}}}}
`

// wideChanges are replacements in wide, pairs of an old and a new text.
var wideChanges = [][]string{
	{"    deprecated: true\n", "    deprecated: true\n    selectableFields: [{jsonPath: .spec.text}]\n"},
	{"    deprecated: true\n", "    deprecated: true\n    additionalPrinterColumns: [{name: Text, type: string, jsonPath: .spec.text}]\n"},
	{"size: {type: number,", "size: {type: number, default: 2,"},
	{"kind: Wide,", "kind: Other,", "plural: wides, singular: wide, listKind: WideList", "plural: wides, singular: other, listKind: OtherList", "[all]", "[all, more]", "Namespaced", "Cluster"},
	{", categories: [all]", ""},
	{"  conversion: {strategy: Webhook, webhook: {clientConfig: {url: 'https://a'}, conversionReviewVersions: [v1]}}\n", ""},
	{"  conversion: {strategy: Webhook, webhook: {clientConfig: {url: 'https://a'}, conversionReviewVersions: [v1]}}\n", "", "    storage: true", "    storage: false", "    storage: false", "    storage: true"},
	{"  conversion: {strategy: Webhook, webhook: {clientConfig: {url: 'https://a'}, conversionReviewVersions: [v1]}}\n", "",
		"  - name: v2\n    served: true\n    storage: false\n    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {text: {type: string}}}}}}\n", ""},
	{"    storage: true", "    storage: false", "    storage: false", "    storage: true"},
	{"    storage: true", "    storage: false"},
	{"name: v2\n    served: true", "name: v2\n    served: false"},
	{"name: v2\n    served: true", "name: v3\n    served: false"},
	{"    deprecationWarning: use v2\n", ""},
	{"    deprecated: true\n    deprecationWarning: use v2\n", ""},
	{", labelSelectorPath: .status.s", ""},
	{"{scale: {specReplicasPath: .spec.n, statusReplicasPath: .status.n, labelSelectorPath: .status.s}}", "{status: {}}"},
	{"        type: object\n        required", "        required"}, // not structural

	{"required: [spec]", "required: [spec, status]"},
	{"        required: [spec]", "        minProperties: 4\n        anyOf: [{required: [spec]}]\n        x-kubernetes-validations: [{rule: has(self.spec)}]"},
	{"  - name: v1\n    served: true\n    storage: true", "  - name: v0\n    served: false\n    storage: true"},
	{"multipleOf: 0.5", "multipleOf: 1.5"},
	{", optionalOldSelf: true", ""},
	{", optionalOldSelf: true", "", "message: a}]", "message: b}]"},
	{"oldSelf.size < 9", "oldSelf.size < 10", "self.size < 8", "self.size < 11"},
	{"message: a}", "message: b}", "self.size < 8", "self.size < 7"},
	{", message: a}", "}", "self.size < 8", "self.size < 7", ", message: a, optionalOldSelf: true", ""},
	{", message: a}", "}, {rule: \"true\"}", ", message: a, optionalOldSelf: true", ", message: 'true'"},
	{"message: a}", "messageExpression: \"'a'\"}"},
	{`x-kubernetes-validations: [{rule: "oldSelf.size < 9", message: a, optionalOldSelf: true}, {rule: "self.size < 8", message: a}]`, `description: ""`},

	{"minimum: 1.5", "minimum: 1"}, {"minimum: 1.5", "minimum: 1.5, exclusiveMinimum: true"}, {"minimum: 1.5", "minimum: 1, exclusiveMinimum: true"},
	{"maximum: 9.5", "maximum: 10"}, {"maximum: 9.5", "maximum: 9.5, exclusiveMaximum: true"}, {"maximum: 9.5", "maximum: 10, exclusiveMaximum: true"},
	{"minimum: 1.5, maximum: 9.5, multipleOf: 0.5", "format: double"},
	{"multipleOf: 0.5", "multipleOf: 0.25"},
	{"minLength: 1, maxLength: 3", "pattern: ^a$, minLength: 1, maxLength: 3"}, {"minLength: 1, maxLength: 3", "minLength: 0, maxLength: 4"}, {"minLength: 1, maxLength: 3, ", ""},
	{"minItems: 1, maxItems: 3", "minItems: 0, maxItems: 4"}, {"minItems: 1, maxItems: 3, ", ""},
	{"minProperties: 1, maxProperties: 3", "minProperties: 0, maxProperties: 4"}, {"minProperties: 1, maxProperties: 3, ", ""},
	{"uniqueItems: false", "uniqueItems: true"},
	{"format: date,", "format: date-time,"}, {"format: date,", ""}, {"format: int32", "format: int64"}, {"format: int32", "format: date"},
	{"[a, b, c, d, e, f, g, h]", "[a, b, c, d, e, f, g, h, i]"}, {"[a, b, c, d, e, f, g, h]", "[h, g, f, e, d, c, b, a]"},
	{"[a, b, c, d, e, f, g, h]", "[i, j, k, l, m, o, p, q, r]"}, {", enum: [a, b, c, d, e, f, g, h]", ""},
	{"allOf: [{minLength: 1}]", "allOf: [{minLength: 5}]"}, {"anyOf: [{minLength: 2}]", "anyOf: [{minLength: 5}]"},
	{"oneOf: [{minLength: 3}]", "oneOf: [{minLength: 5}]"}, {"not: {minLength: 4}", "not: {minLength: 5}"},
	{", allOf: [{minLength: 1}], anyOf: [{minLength: 2}], oneOf: [{minLength: 3}], not: {minLength: 4}", ""},
	{", nullable: true", ""}, {`default: "<a>"`, `default: ` + strings.Repeat("ä", 40)}, {`, default: "<a>"`, ""},
	{"[a, b], items", "[b, a], items"}, {"x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a, b], items: {type: object, required: [a, b]", "x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a], items: {type: object, required: [a]"},
	{"x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a, b],", "x-kubernetes-list-type: set,"}, {"x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a, b], ", ""},
	{"x-kubernetes-list-type: set, ", ""}, {"x-kubernetes-list-type: set", "x-kubernetes-list-type: atomic"},
	{"maps: {type: object, additionalProperties: {type: object, p", "maps: {type: object, additionalProperties: {type: object, required: [a], p"},
	{"maps: {type: object,", "maps: {type: object, x-kubernetes-map-type: granular,"}, {"maps: {type: object,", "maps: {type: object, x-kubernetes-map-type: atomic,"},

	// Types that hold the values of others, and those that do not.
	{"properties: {text: {type: string}}", "properties: {text: {type: integer}}"},
	{"size: {type: number, minimum: 1.5, maximum: 9.5, multipleOf: 0.5}", "size: {type: integer}"}, {"size: {type: number, minimum: 1.5, maximum: 9.5, multipleOf: 0.5}", "size: {x-kubernetes-int-or-string: true}"},
	{"text: {type: string, format: date,", "text: {x-kubernetes-int-or-string: true, format: date,"}, {"any: {x-k", "any: {type: object, x-k"},
	{"any: {x-kubernetes-preserve-unknown-fields: true}", "any: {type: array, items: {type: string}}"},
	{"any: {x-kubernetes-preserve-unknown-fields: true}", "any: {type: array, x-kubernetes-preserve-unknown-fields: true, items: {type: object, properties: {a: {type: string}}}}"},
	{"any: {x-kubernetes-preserve-unknown-fields: true}", "any: {x-kubernetes-preserve-unknown-fields: true, items: {type: object, x-kubernetes-preserve-unknown-fields: true}}"},
	{"any: {x-kubernetes-preserve-unknown-fields: true}", "any: {x-kubernetes-preserve-unknown-fields: true, properties: {a: {x-kubernetes-preserve-unknown-fields: true}}}"},
	{"any: {x-kubernetes-preserve-unknown-fields: true}", "any: {x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: array, items: {type: object}}, b: {type: array, items: {type: string}}, c: {type: string}}}"},
	{"any: {x-kubernetes-preserve-unknown-fields: true}", "any: {x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: array, items: {type: array, items: {type: object}}}, b: {type: array, items: {type: array, items: {type: string}}}}}"},
	{"any: {x-kubernetes-preserve-unknown-fields: true}", "any: {x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: array, items: {type: object, x-kubernetes-preserve-unknown-fields: true}}, b: {type: array, items: {type: array, x-kubernetes-preserve-unknown-fields: true, items: {type: object}}}}}"},
	{"any: {x-kubernetes-preserve-unknown-fields: true}", "any: {x-kubernetes-int-or-string: true}"},

	// What is kept.
	{"free: {type: object, additionalProperties: true}", "free: {type: object, x-kubernetes-preserve-unknown-fields: true}"}, {"free: {type: object, additionalProperties: true}", "free: {type: object, additionalProperties: {type: string}}"},
	{"free: {type: object, additionalProperties: true}", "free: {type: object, additionalProperties: {type: object}}"}, {"free: {type: object, additionalProperties: true}", "free: {type: object}"},
	{"free: {type: object, additionalProperties: true}", "free: {type: object, properties: {a: {type: string, default: b}}, required: [a]}"},
	{"maps: {type: object, additionalProperties: {type: object, properties: {a: {type: string}, b: {type: string}}}}", "maps: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {c: {type: object, properties: {a: {type: string}}}}}"},
	{"maps: {type: object, additionalProperties: {type: object, properties: {a: {type: string}, b: {type: string}}}}", "maps: {type: object, x-kubernetes-preserve-unknown-fields: true}"},
	{"maps: {type: object, additionalProperties: {type: object, properties: {a: {type: string}, b: {type: string}}}}", "maps: {type: object, properties: {c: {type: object, properties: {a: {type: string}}}}}"},
	{"additionalProperties: {type: object, properties: {a: {type: string}, b: {type: string}}}", "additionalProperties: {type: object, properties: {a: {type: string}}}"},
	{"items: {type: array, items: {type: object, properties: {a: {type: string}}}}", "items: {type: array, items: {type: object}}"},
	{"items: {type: array, items: {type: object, properties: {a: {type: string}}}}", "items: {type: array, x-kubernetes-preserve-unknown-fields: true, items: {type: object}}"},
	{"items: {type: array, items: {type: object, properties: {a: {type: string}}}}", "items: {type: object, properties: {a: {type: string}}}"},
	{"open: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: object, properties: {b: {type: string}}}}}", "open: {type: object, x-kubernetes-preserve-unknown-fields: true}"},
	{"open: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: object, properties: {b: {type: string}}}}}", "open: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: object}}}"},
	{"open: {type: object, x-kubernetes-preserve-unknown-fields: true, properties", "open: {type: object, properties"},
	{"x-kubernetes-embedded-resource: true, properties: {kind: {type: string}, spec: {type: object}}", "x-kubernetes-embedded-resource: true, properties: {kind: {type: string}}"},
	{"x-kubernetes-embedded-resource: true, properties: {kind: {type: string}, spec: {type: object}}", "properties: {kind: {type: string}, spec: {type: object}, metadata: {type: object}}"},
	{"            properties:\n              size:", "            x-kubernetes-preserve-unknown-fields: true\n            properties:\n              size:"},

	{"  conversion: {strategy: Webhook, webhook: {clientConfig: {url: 'https://a'}, conversionReviewVersions: [v1]}}\n", "", "    storage: true", "    storage: false", "    storage: false", "    storage: true",
		"properties: {text: {type: string}}", "properties: {text: {type: string}, alternatives: {type: string}, any: {type: string}, embedded: {type: string}}"},

	// What is checked in every update.
	{"          spec:\n            type: object\n", "          kind: {type: string, enum: [Wide], pattern: ^W, format: uuid}\n          spec:\n            type: object\n"},
	{"        required: [spec]\n        properties:", "        maxProperties: 9\n        properties:\n          top: {type: string, default: a}"},
	{"specReplicasPath: .spec.n", "specReplicasPath: .spec.size"},
	{"open: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: object, properties: {b: {type: string}}}}}", "open: {type: object, x-kubernetes-preserve-unknown-fields: true, maxProperties: 3}"},
	{"text: {type: string, format: date,", "text: {type: string, anyOf: [{format: date}, {format: uuid}],"},

	// Several at once are in the order of versions, places, and what breaks.
	{"format: date, minLength: 1, maxLength: 3", "minLength: 2, maxLength: 4", "type: integer, default: 1", "type: integer", "properties: {text: {type: string}}", "properties: {text: {type: string, maxLength: 1}, a: {type: string}}"},
}

// betaChanges are parts of specs of v1beta1, in which versions can share a schema. It can be missing or not structural, and is compared
// as a whole then.
var betaChanges = func() (all [][]string) {
	specs := []string{
		"preserveUnknownFields: true",
		"validation: {openAPIV3Schema: {type: object, properties: {a: {type: string, maxLength: 3}}}}\npreserveUnknownFields: false",
		"validation: {openAPIV3Schema: {type: object, properties: {a: {type: string, maxLength: 4}}}}\npreserveUnknownFields: true",
		"validation: {openAPIV3Schema: {type: object, properties: {a: {type: string, maxLength: 3}}, definitions: {b: {type: string}}}}\npreserveUnknownFields: true",
		"validation: {openAPIV3Schema: {type: object, properties: {a: {type: string, maxLength: 4}}, definitions: {b: {type: string}}}}\npreserveUnknownFields: true",
	}
	for i, old := range specs {
		for _, new := range specs[i:] {
			all = append(all, []string{old, new})
		}
	}
	return all
}()

// wideRules are the rules of wide, and ruleChanges are rules in their place: a rule that has changed is known by its message.
const wideRules = `x-kubernetes-validations: [{rule: "oldSelf.size < 9", message: a, optionalOldSelf: true}, {rule: "self.size < 8", message: a}]`

var ruleChanges = [][]string{
	{`[{rule: "self.size < 8"}]`, `[{rule: "self.size < 9"}]`},
	{`[{rule: "self.size < 8"}]`, `[{rule: "self.size < 8", message: a}]`},
	{`[{rule: "self.size < 8", message: a}]`, `[{rule: "self.size < 9", message: a}]`},
	{`[{rule: "self.size < 8", message: a}]`, `[{rule: "self.size < 9", message: b}]`},
	{`[{rule: "self.size < 8", message: a}, {rule: "self.size < 7", message: b}]`, `[{rule: "self.size < 7", message: a}, {rule: "self.size < 8", message: b}]`},
	{`[{rule: "self.size < 8", message: a}]`, `[]`},
	{`[{rule: "has(self.size) && self.size < 8"}]`, `[{rule: "has(self.size)&&(self.size<8)"}]`},
	{`[]`, `[{rule: "!has(self.size) || self.size < 8"}, {rule: "self == oldSelf", fieldPath: .size}, {rule: "self.map.all(k, oldSelf.map[k] == 1)"}]`},
}

// changesText returns all of changes, one a line: ! for a breaking one, the rule, the version, where it stands, and what it says.
func changesText(t *testing.T, old, new *structural.CRD) string {
	var b strings.Builder
	for _, c := range changesOf(t, old, new) {
		at := strings.Replace(c.At.String(), "].schema.openAPIV3Schema", "]…", 1)
		fmt.Fprintf(&b, "%s %s %s | %s\n", summary(c)[:1], strings.TrimPrefix(string(c.ID), "diff/"), strings.TrimSpace(c.Version+" "+at), c)
	}
	return b.String()
}

// Everything that is said about a change, in both directions, is in testdata/changes.txt. Each rule has the levels that are listed.
func TestCRDsSaysTheSameAsBefore(t *testing.T) {
	var have strings.Builder
	seen := map[structural.ID]map[crddiff.Level]bool{"diff/crd-removed": {crddiff.Stored: true}, "diff/crd-added": {crddiff.None: true}}
	compare := func(pair []string, oldText, newText string) {
		for i := 0; i < len(pair); i += 2 {
			fmt.Fprintf(&have, "== %s\n=> %s\n", strings.TrimSpace(pair[i]), strings.TrimSpace(pair[i+1]))
		}
		old, new := structuraltest.LoadCRD(t, oldText), structuraltest.LoadCRD(t, newText)
		fmt.Fprintf(&have, "%s<=\n%s\n", changesText(t, old, new), changesText(t, new, old))
		for _, c := range append(changesOf(t, old, new), changesOf(t, new, old)...) {
			if seen[c.ID] == nil {
				seen[c.ID] = map[crddiff.Level]bool{}
			}
			seen[c.ID][c.Level] = true
		}
		// CRDs that a program has made have no text, and the same changes.
		want := listed(changesOf(t, old, new))
		old.Source, new.Source = nil, nil
		if have := listed(changesOf(t, old, new)); !slices.Equal(have, want) {
			t.Errorf("%q: without the texts\n%q, with them\n%q", pair, have, want)
		}
	}
	for _, pair := range wideChanges {
		text := strings.NewReplacer(pair...).Replace(wide)
		if text == wide {
			t.Fatalf("%q: nothing changed", pair)
		}
		compare(pair, wide, text)
	}
	for _, pair := range ruleChanges {
		rules := func(all string) string { return strings.Replace(wide, wideRules, "x-kubernetes-validations: "+all, 1) }
		compare(pair, rules(pair[0]), rules(pair[1]))
	}
	for _, pair := range betaChanges {
		compare(pair, structuraltest.V1beta1With(pair[0]), structuraltest.V1beta1With(pair[1]))
	}
	recorded.Compare(t, *update, "testdata/changes.txt", have.String())
	for _, r := range crddiff.IDs() {
		if got := slices.Sorted(maps.Keys(seen[r.ID])); !slices.Equal(got, crddiff.Levels(r.ID)) {
			t.Errorf("%s has the levels %v, want %v", r.ID, got, crddiff.Levels(r.ID))
		}
	}
}

// listed returns changes as texts, sorted.
func listed(changes []crddiff.Change) (all []string) {
	for _, c := range changes {
		all = append(all, fmt.Sprint(c.ID, " ", c.Level, " ", c.Version, " ", c.At, " ", c.Was, " ", c.Field(), " ", c))
	}
	slices.Sort(all)
	return all
}

// changesOf returns the changes from one CRD to another.
func changesOf(t *testing.T, old, new *structural.CRD) []crddiff.Change {
	t.Helper()
	changes, err := crddiff.Compare(old, new)
	if err != nil {
		t.Fatal(err)
	}
	return changes
}
