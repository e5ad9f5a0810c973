package structural

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

const structOrMap = "Forbidden: must not be used where there are properties, too: an object is either a struct or a map"

func TestSkeletonDoesTheExamplesOfKEP24(t *testing.T) {
	for _, e := range []struct {
		name, schema, want string
		errs               []string
	}{
		{
			name:   "example 1",
			schema: `{"properties": {"a": {}, "b": {"type": "string"}, "c": {"not": {}}}}`,
			want:   `{"properties": {"a": {}, "b": {"type": "string"}, "c": {}}}`,
		},
		{
			name:   "example 2",
			schema: `{"anyOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]}`,
			want:   `{"properties": {"a": {}, "b": {}}}`,
		},
		{
			name: "example 3",
			schema: `{
				"properties": {"a": {}, "b": {"type": "string", "properties": {"x": {}}}},
				"anyOf": [{"properties": {"c": {}}}, {"properties": {"d": {"not": {}}}}]
			}`,
			want: `{"properties": {"a": {}, "b": {"type": "string", "properties": {"x": {}}}, "c": {}, "d": {}}}`,
		},
		{
			name: "example 4",
			schema: `{"properties": {
				"a": {"type": "string", "pattern": "<some-long-regex-for-ips>", "format": "ip"},
				"b": {"properties": {"x": {}, "y": {}}}
			}}`,
			want: `{"properties": {"a": {"type": "string"}, "b": {"properties": {"x": {}, "y": {}}}}}`,
		},
		{
			name: "example 5",
			schema: `{
				"anyOf": [
					{"properties": {"a": {"type": "string"}}},
					{"properties": {"a": {"type": "integer"}, "b": {"type": "string"}}}
				],
				"properties": {"c": {}}
			}`,
			want: `{"properties": {"a": {}, "b": {"type": "string"}, "c": {}}}`,
		},
		{
			// The document prints {"properties": {}, "additionalProperties": {}}, which is not what its definition gives: a
			// is a key of properties, and both types are the only ones in their places. That the two stand beside each
			// other is what the example is about, and this is refused either way.
			name:   "example 6",
			schema: `{"anyOf": [{"properties": {"a": {"type": "string"}}}, {"additionalProperties": {"type": "integer"}}]}`,
			want:   `{"properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "integer"}}`,
			errs:   []string{"x.additionalProperties: " + structOrMap},
		},
		{
			name:   "example 6, as it is printed",
			schema: `{"properties": {}, "additionalProperties": {}}`,
			want:   `{"properties": {}, "additionalProperties": {}}`,
			errs:   []string{"x.additionalProperties: " + structOrMap},
		},
	} {
		t.Run(e.name, func(t *testing.T) { wantSkeleton(t, e.schema, e.want, e.errs...) })
	}
}

func wantSkeleton(t *testing.T, schema, want string, errs ...string) {
	t.Helper()
	s := parseSchema(t, schema)
	before := toJSON(t, s.Object())
	got, gotErrs := Skeleton(s, NewPath("x"))
	wantTexts(t, gotErrs, errs...)
	if !reflect.DeepEqual(got.Object(), parseObject(t, want)) {
		t.Errorf("got  %s\nwant %s", toJSON(t, got.Object()), want)
	}
	if toJSON(t, s.Object()) != before {
		t.Error("the schema changed")
	}
}

func TestSkeletonMerges(t *testing.T) {
	for _, c := range []struct{ name, schema, want string }{
		{"types that agree", `{type: object, allOf: [{type: object}], not: {type: object}}`, `{type: object}`},
		{"a branch without a type", `{type: object, anyOf: [{required: [a]}]}`, `{}`},
		{"types in branches alone", `{anyOf: [{type: integer}, {type: string}]}`, `{}`},
		{"junctors in junctors", `{allOf: [{anyOf: [{oneOf: [{not: {properties: {a: {type: string}}}}]}]}]}`, `{properties: {a: {type: string}}}`},
		{"fields in all branches",
			`{properties: {a: {properties: {b: {}}}}, allOf: [{properties: {a: {properties: {c: {type: string}}}}}],
			  oneOf: [{properties: {a: {properties: {c: {type: string}}, not: {properties: {d: {}}}}}}]}`,
			`{properties: {a: {properties: {b: {}, c: {type: string}, d: {}}}}}`},
		{"items", `{items: {type: object, properties: {a: {}}}, allOf: [{items: {type: object, properties: {b: {}}}}]}`,
			`{items: {type: object, properties: {a: {}, b: {}}}}`},
		{"lists of items", `{items: [{type: string}, {properties: {a: {}}}], anyOf: [{items: [{type: string}, {properties: {b: {}}}, {type: integer}]}]}`,
			`{items: [{type: string}, {properties: {a: {}, b: {}}}, {type: integer}]}`},
		{"one schema beside a list of items", `{items: [{properties: {a: {}}}, {properties: {b: {}}}], allOf: [{items: {properties: {c: {}}}}]}`,
			`{items: {properties: {a: {}, b: {}, c: {}}}}`},
		{"additionalItems", `{additionalItems: {type: string}, allOf: [{additionalItems: {type: string}}]}`, `{additionalItems: {type: string}}`},
		{"additionalProperties", `{additionalProperties: {properties: {a: {}}}, allOf: [{additionalProperties: {properties: {b: {}}}}]}`,
			`{additionalProperties: {properties: {a: {}, b: {}}}}`},
		{"patternProperties", `{patternProperties: {x: {properties: {a: {}}}}, not: {patternProperties: {x: {}, z: {type: string}}}}`,
			`{patternProperties: {x: {properties: {a: {}}}, z: {type: string}}}`},
		{"patternProperties beside additionalProperties", `{patternProperties: {x: {}}, additionalProperties: {}}`,
			`{patternProperties: {x: {}}, additionalProperties: {}}`},
		{"true", `{additionalProperties: true}`, `{additionalProperties: true}`},
		{"false", `{additionalProperties: false, allOf: [{additionalProperties: false}]}`, `{additionalProperties: false}`},
		{"true and false", `{additionalProperties: true, allOf: [{additionalProperties: false}]}`, `{additionalProperties: true}`},
		{"false and a schema", `{additionalProperties: false, allOf: [{additionalProperties: {type: object, properties: {a: {}}}}]}`,
			`{additionalProperties: {properties: {a: {}}}}`},
		{"everything else", `{type: object, description: d, title: t, default: {}, nullable: true, format: f, maximum: 1, required: [a], enum: [1],
			x-kubernetes-preserve-unknown-fields: true, x-kubernetes-int-or-string: true, definitions: {a: {}}, $ref: r, example: 1}`,
			`{type: object}`},
	} {
		t.Run(c.name, func(t *testing.T) { wantSkeleton(t, c.schema, c.want) })
	}
	if s, errs := Skeleton(nil, nil); s != nil || errs != nil {
		t.Errorf("nil becomes %v, %v", s, errs)
	}
}

func TestSkeletonIsStructOrMap(t *testing.T) {
	wantSkeleton(t, `{properties: {a: {}}, patternProperties: {b: {}}, additionalProperties: true}`,
		`{properties: {a: {}}, patternProperties: {b: {}}, additionalProperties: true}`,
		"x.additionalProperties: "+structOrMap, "x.patternProperties: "+structOrMap)
	// The two can come from different places, and be anywhere.
	wantSkeleton(t, `{properties: {p: {items: {properties: {a: {}}}}}, not: {properties: {p: {items: {additionalProperties: {}}}}}}`,
		`{properties: {p: {items: {properties: {a: {}}, additionalProperties: {}}}}}`,
		"x.properties[p].items.additionalProperties: "+structOrMap)
	wantSkeleton(t, `{additionalProperties: {properties: {a: {}}, patternProperties: {b: {}}}}`,
		`{additionalProperties: {properties: {a: {}}, patternProperties: {b: {}}}}`,
		"x.additionalProperties.patternProperties: "+structOrMap)
	wantSkeleton(t, `{items: [{}, {properties: {a: {}}, additionalProperties: {}}]}`,
		`{items: [{}, {properties: {a: {}}, additionalProperties: {}}]}`,
		"x.items[1].additionalProperties: "+structOrMap)
}

func TestSkeletonExcludesSubtrees(t *testing.T) {
	const nested = ".x-kubernetes-no-prune: Forbidden: must not be nested: everything here is excluded from pruning already"
	const never = ".x-kubernetes-no-prune: Forbidden: must be true or undefined"
	for _, c := range []struct {
		name, schema, want string
		errs               []string
	}{
		{"one spelling", `{properties: {a: {type: object, x-kubernetes-no-prune: true, properties: {b: {}}}}}`,
			`{properties: {a: {type: object, x-kubernetes-no-prune: true}}}`, nil},
		{"the other", `{properties: {a: {type: object, x-kubernetes-no-pruning: true, properties: {b: {}}}}}`,
			`{properties: {a: {type: object, x-kubernetes-no-prune: true}}}`, nil},
		{"the root", `{type: object, x-kubernetes-no-prune: true}`, `{type: object, x-kubernetes-no-prune: true}`, nil},
		{"below a junctor", `{properties: {a: {properties: {b: {}}}}, anyOf: [{properties: {a: {x-kubernetes-no-prune: true}}}]}`,
			`{properties: {a: {x-kubernetes-no-prune: true}}}`, nil},
		{"twice for one place", `{x-kubernetes-no-prune: true, allOf: [{x-kubernetes-no-prune: true}]}`, `{x-kubernetes-no-prune: true}`, nil},
		{"a struct that is a map, excluded", `{x-kubernetes-no-prune: true, properties: {a: {}}, additionalProperties: {}}`,
			`{x-kubernetes-no-prune: true}`, nil},
		{"false", `{properties: {a: {x-kubernetes-no-prune: false}}}`, `{properties: {a: {x-kubernetes-no-prune: true}}}`,
			[]string{"x.properties[a]" + never}},
		{"nested", `{properties: {a: {x-kubernetes-no-prune: true, properties: {b: {x-kubernetes-no-prune: true}}}}}`,
			`{properties: {a: {x-kubernetes-no-prune: true}}}`, []string{"x.properties[a].properties[b]" + nested}},
		{"the document's own nested example", `{properties: {x: {x-kubernetes-no-prune: true,
			properties: {"y": {x-kubernetes-no-pruning: false, properties: {z: {}}}}}}}`,
			`{properties: {x: {x-kubernetes-no-prune: true}}}`,
			[]string{"x.properties[x].properties[y]" + never, "x.properties[x].properties[y]" + nested}},
		{"nested further down", `{x-kubernetes-no-prune: true, items: {additionalProperties: {not: {x-kubernetes-no-prune: true}}}}`,
			`{x-kubernetes-no-prune: true}`, []string{"x.items.additionalProperties" + nested}},
		{"nested from another branch", `{allOf: [{properties: {a: {x-kubernetes-no-prune: true}}},
			{properties: {a: {properties: {b: {x-kubernetes-no-prune: true}}}}}]}`,
			`{properties: {a: {x-kubernetes-no-prune: true}}}`, []string{"x.properties[a].properties[b]" + nested}},
	} {
		t.Run(c.name, func(t *testing.T) { wantSkeleton(t, c.schema, c.want, c.errs...) })
	}
}

// TestSkeletonIsNoLargerThanTheSchema has schemas that a careless merge makes quadratic or worse.
func TestSkeletonIsNoLargerThanTheSchema(t *testing.T) {
	var list, branches, deep []string
	for i := range 2000 {
		list = append(list, `{type: string}`)
		branches = append(branches, fmt.Sprintf(`{properties: {a%d: {}}, items: {properties: {b%d: {}}}}`, i, i))
	}
	for range 100 {
		deep = append(deep, `{items: {}, anyOf: [`)
	}
	wide := `{properties: {` + strings.Repeat("k", 1000) + `: {}}}`
	for name, schema := range map[string]string{
		"one schema for many items": `{items: [` + strings.Join(list, ",") + `], allOf: [{items: ` + wide + `}]}`,
		"many branches":             `{anyOf: [` + strings.Join(branches, ",") + `]}`,
		"deep branches":             strings.Join(deep, "") + wide + strings.Repeat("]}", len(deep)),
	} {
		s := parseSchema(t, schema)
		skeleton, errs := Skeleton(s, nil)
		wantTexts(t, errs)
		in, _ := json.Marshal(s.Object())
		out, _ := json.Marshal(skeleton.Object())
		if len(out) > len(in) {
			t.Errorf("%s: %d bytes become %d", name, len(in), len(out))
		}
	}
}
