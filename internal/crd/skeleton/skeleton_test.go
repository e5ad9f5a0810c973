package skeleton_test

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"reflect"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/crd/skeleton"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/structural"
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
	s := structuraltest.ParseSchema(t, schema)
	before := structuraltest.ToJSON(t, s.Object())
	got, gotErrs := skeleton.Of(s, structural.NewPath("x"))
	structuraltest.WantTexts(t, gotErrs, errs...)
	if !reflect.DeepEqual(got.Object(), structuraltest.ParseObject(t, want)) {
		t.Errorf("got  %s\nwant %s", structuraltest.ToJSON(t, got.Object()), want)
	}
	if structuraltest.ToJSON(t, s.Object()) != before {
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
		{"true and a schema", `{additionalProperties: true, allOf: [{additionalProperties: {type: object, properties: {a: {}}}}]}`,
			`{additionalProperties: {properties: {a: {}}}}`},
		{"no items", `{properties: {a: {}}, allOf: [{type: array}]}`, `{properties: {a: {}}}`},
		{"everything else", `{type: object, description: d, title: t, default: {}, nullable: true, format: f, maximum: 1, required: [a], enum: [1],
			x-kubernetes-preserve-unknown-fields: true, x-kubernetes-int-or-string: true, definitions: {a: {}}, $ref: r, example: 1}`,
			`{type: object}`},
	} {
		t.Run(c.name, func(t *testing.T) { wantSkeleton(t, c.schema, c.want) })
	}
	if s, errs := skeleton.Of(nil, nil); s != nil || errs != nil {
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
		{"the third", `{properties: {a: {type: object, x-no-pruning: true, properties: {b: {}}}}}`,
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
		{"the document's own nested example", `{properties: {x: {x-no-pruning: true,
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
		s := structuraltest.ParseSchema(t, schema)
		skeleton, errs := skeleton.Of(s, nil)
		structuraltest.WantTexts(t, errs)
		in, _ := json.Marshal(s.Object())
		out, _ := json.Marshal(skeleton.Object())
		if len(out) > len(in) {
			t.Errorf("%s: %d bytes become %d", name, len(in), len(out))
		}
	}
}

// TestSkeletonsPruneAsKEP24Says has the objects of the document's examples.
func TestSkeletonsPruneAsKEP24Says(t *testing.T) {
	for _, e := range []struct{ name, schema, obj, want string }{
		{"example 1", `{"properties": {"a": {}, "b": {"type": "string"}, "c": {"not": {}}}}`, `{"a":1,"c":3,"d":4}`, `{"a":1,"c":3}`},
		{"example 2", `{"anyOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]}`, `{"a":1,"b":2,"c":3}`, `{"a":1,"b":2}`},
		// The document says of this one what is specified: a, b, b.x, c and d are, b.y and e are not.
		{"example 3", `{
			"properties": {"a": {}, "b": {"type": "string", "properties": {"x": {}}}},
			"anyOf": [{"properties": {"c": {}}}, {"properties": {"d": {"not": {}}}}]
		}`, `{"a":1,"b":{"x":2,"y":3},"c":4,"d":5,"e":6}`, `{"a":1,"b":{"x":2},"c":4,"d":5}`},
	} {
		skeleton, errs := skeleton.Of(structuraltest.ParseSchema(t, e.schema), nil)
		structuraltest.WantTexts(t, errs)
		s, errs := structural.NewSchema(skeleton, nil)
		structuraltest.WantTexts(t, errs)
		obj := structuraltest.ParseObject(t, e.obj)
		interpret.Prune(obj, s, interpret.PruneOptions{})
		if got := structuraltest.ToJSON(t, obj); got != e.want {
			t.Errorf("%s: pruned to %s, want %s", e.name, got, e.want)
		}
	}
}

// TestSkeletonsApplyWhereStructuralSchemasDo is the property that KEP-24 states: if a schema applies to an object, so does its
// skeleton. For schemas that are not structural it does not hold: a type below one branch of anyOf gets into the skeleton, and
// an object that fits another branch need not have it.
func TestSkeletonsApplyWhereStructuralSchemasDo(t *testing.T) {
	testsize.NotShort(t)
	r := rand.New(rand.NewSource(7))
	fit, not := 0, 0
	for range 20_000 {
		s := randomStructural(r, 2)
		if converted, errs := structural.NewSchema(s, nil); len(errs) > 0 || len(structural.Validate(&structural.Schema{
			Properties: map[string]*structural.Schema{"f": converted}, Generic: structural.Generic{Type: "object"},
		}, nil)) > 0 {
			t.Fatalf("not structural: %s", structuraltest.ToJSON(t, s.Object()))
		}
		v := randomValue(r, 2)
		if errs, _ := new(interpret.Work).ValidateValues(v, s); len(errs) > 0 {
			not++
			continue
		}
		fit++
		skeleton, _ := skeleton.Of(s, nil)
		if errs, _ := new(interpret.Work).ValidateValues(v, skeleton); len(errs) > 0 {
			t.Fatalf("%s applies to %s, but its skeleton %s says %v", structuraltest.ToJSON(t, s.Object()), structuraltest.ToJSON(t, v), structuraltest.ToJSON(t, skeleton.Object()), errs[0])
		}
	}
	if fit < 1000 || not < 1000 {
		t.Errorf("%d values fit, %d do not", fit, not)
	}
	// The document's own example 5.
	s := structuraltest.ParseSchema(t, `{anyOf: [{properties: {a: {type: string}}}, {properties: {a: {type: integer}, b: {type: string}}}], properties: {c: {}}}`)
	skeleton, _ := skeleton.Of(s, nil)
	obj := map[string]any{"b": int64(1)}
	if errs, _ := new(interpret.Work).ValidateValues(obj, s); len(errs) > 0 {
		t.Error(errs)
	}
	if errs, _ := new(interpret.Work).ValidateValues(obj, skeleton); len(errs) != 1 {
		t.Errorf("the property holds for example 5: %v", errs)
	}
}

// randomStructural makes a structural schema with value validation.
func randomStructural(r *rand.Rand, depth int) *structural.JSONSchema {
	s := randomNested(r, depth)
	s.Type = []string{"object", "array", "string", "integer"}[r.Intn(4)]
	if depth == 0 && s.Type == "array" {
		s.Type = "string"
	}
	if depth > 0 {
		switch s.Type {
		case "array":
			s.Items = &structural.JSONSchemaOrArray{Schema: randomStructural(r, depth-1)}
		case "object":
			s.Properties = map[string]*structural.JSONSchema{"a": randomStructural(r, depth-1), "b": randomStructural(r, depth-1)}
		}
	}
	return s
}

// randomNested makes value validation.
func randomNested(r *rand.Rand, depth int) *structural.JSONSchema {
	s := &structural.JSONSchema{}
	one := int64(1)
	for _, set := range []func(){
		func() { s.MaxLength = &one }, func() { s.MinItems = &one }, func() { s.MaxProperties = &one }, func() { s.Required = []string{"a"} },
		func() { s.Enum = []any{"x", int64(1)} },
	} {
		if r.Intn(6) == 0 {
			set()
		}
	}
	if depth == 0 || r.Intn(2) == 0 {
		return s
	}
	below := func() *structural.JSONSchema {
		n := randomNested(r, depth-1)
		if r.Intn(2) == 0 {
			n.Properties = map[string]*structural.JSONSchema{"a": randomNested(r, 0)}
		}
		return n
	}
	switch r.Intn(4) {
	case 0:
		s.AnyOf = []*structural.JSONSchema{below(), below()}
	case 1:
		s.OneOf = []*structural.JSONSchema{below(), below()}
	case 2:
		s.AllOf = []*structural.JSONSchema{below()}
	case 3:
		s.Not = below()
	}
	return s
}

func randomValue(r *rand.Rand, depth int) any {
	switch n := r.Intn(6); {
	case n == 0:
		return nil
	case n == 1:
		return int64(r.Intn(3))
	case n == 2 || depth == 0:
		return []string{"", "x", "xyz"}[r.Intn(3)]
	case n == 3:
		return []any{randomValue(r, depth-1)}
	}
	m := map[string]any{}
	for _, k := range []string{"a", "b", "c"} {
		if r.Intn(2) == 0 {
			m[k] = randomValue(r, depth-1)
		}
	}
	return m
}
