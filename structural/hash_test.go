package structural

import (
	"slices"
	"testing"
)

// hashOf returns the hash of a schema as it is written.
func hashOf(t *testing.T, text string) string {
	t.Helper()
	return aspectHash(t, text, AllAspects)
}

func aspectHash(t *testing.T, text string, aspects Aspects) string {
	t.Helper()
	raw, findings := ParseSchema("schema.yaml", []byte(text))
	for _, f := range findings {
		if f.Severity == SeverityError {
			t.Fatalf("%s\n%+v", text, f)
		}
	}
	s, _ := NewSchema(raw, nil)
	return Hash(s, true, APIServer, aspects)
}

func TestHashIgnoresWhatDecidesNothing(t *testing.T) {
	const plain = `{type: object, properties: {a: {type: string, default: x}, b: {type: array, items: {type: integer}}}}`
	for _, same := range []string{
		`{type: object, description: words, properties: {b: {type: array, items: {type: integer}}, a: {type: string, default: x}}}`,
		`{type: object, title: T, properties: {a: {type: string, default: x, description: d, example: e}, b: {type: array, items: {type: integer, title: i}}}}`,
		`{type: object, externalDocs: {url: u}, properties: {a: {type: string, default: x}, b: {type: array, items: {type: integer}}}}`,
	} {
		if hashOf(t, same) != hashOf(t, plain) {
			t.Errorf("another hash for %s", same)
		}
	}
	// What is not said is the same as an empty schema.
	if hashOf(t, `{type: array, items: {}}`) != hashOf(t, `{type: array}`) || hashOf(t, `{additionalProperties: {}}`) != hashOf(t, `{additionalProperties: true}`) {
		t.Error("an empty schema has another hash")
	}
}

func TestHashTellsApartWhatDiffers(t *testing.T) {
	texts := []string{
		`{}`,
		`{type: object}`,
		`{type: object, nullable: true}`,
		`{type: object, properties: {a: {}}}`,
		`{type: object, properties: {b: {}}}`,
		`{type: object, properties: {a: {type: string}}}`,
		`{type: object, properties: {a: {type: integer}}}`,
		`{type: object, properties: {a: {properties: {b: {}}}}}`,
		`{type: object, properties: {a: {}, b: {}}}`,
		`{type: object, additionalProperties: true}`,
		`{type: object, additionalProperties: false}`,
		`{type: object, items: {type: string}}`,
		`{type: object, x-kubernetes-preserve-unknown-fields: true}`,
		`{type: object, properties: {a: {x-kubernetes-embedded-resource: true}}}`,
		`{type: object, x-kubernetes-int-or-string: true}`,
		`{type: object, x-kubernetes-list-type: map}`,
		`{type: object, x-kubernetes-list-map-keys: [map]}`,
		`{type: object, x-kubernetes-map-type: map}`,
		`{type: object, x-kubernetes-validations: [{rule: "true"}]}`,
		`{type: object, x-kubernetes-validations: [{rule: "true", message: m}]}`,
		`{type: object, default: {}}`,
		`{type: object, default: {a: 1}}`,
		`{type: object, default: {a: "1"}}`,
		`{type: object, required: [a]}`,
		`{type: object, required: ["a,b"]}`,
		`{type: object, required: [a, b]}`,
		`{type: object, enum: [a]}`,
		`{type: object, x-kubernetes-embedded-resource: true}`,
		`{type: object, anyOf: [{}]}`,
		`{type: object, anyOf: [{additionalProperties: false}]}`,
		`{type: object, pattern: a}`,
		`{type: object, format: a}`,
		`{type: object, minimum: 1}`,
		`{type: object, maximum: 1}`,
		`{type: object, minimum: 1, exclusiveMinimum: true}`,
		`{type: object, maximum: 1, exclusiveMaximum: true}`,
		`{type: object, minLength: 1}`,
		`{type: object, maxLength: 1}`,
		`{type: object, minItems: 1}`,
		`{type: object, maxItems: 1}`,
		`{type: object, minProperties: 1}`,
		`{type: object, maxProperties: 1}`,
		`{type: object, multipleOf: 1}`,
		`{type: object, uniqueItems: true}`,
		`{type: object, allOf: [{pattern: a}]}`,
		`{type: object, anyOf: [{pattern: a}]}`,
		`{type: object, oneOf: [{pattern: a}]}`,
		`{type: object, not: {pattern: a}}`,
		`{type: object, allOf: [{}, {pattern: a}]}`,
		`{type: object, allOf: [{properties: {a: {pattern: a}}}]}`,
		`{type: object, allOf: [{items: {pattern: a}}]}`,
		`{type: object, allOf: [{additionalProperties: {pattern: a}}]}`,
		// Below junctors, too, there are types and rules.
		`{type: object, allOf: [{type: string}]}`,
		`{type: object, allOf: [{type: integer}]}`,
		`{type: object, allOf: [{nullable: true}]}`,
		`{type: object, allOf: [{default: a}]}`,
		`{type: object, allOf: [{x-kubernetes-int-or-string: true}]}`,
		`{type: object, allOf: [{x-kubernetes-validations: [{rule: "true"}]}]}`,
		`{type: object, allOf: [{x-kubernetes-validations: [{rule: "false"}]}]}`,
		`{type: object, allOf: [{properties: {a: {type: string}}}]}`,
		`{type: object, allOf: [{properties: {a: {x-kubernetes-validations: [{rule: "true"}]}}}]}`,
		`{type: object, anyOf: [{not: {type: string}}]}`,
		// A value does not run into the next keyword.
		`{type: object, format: "a pattern 1 b"}`,
		`{type: object, format: "a", pattern: b}`,
		`{type: object, format: "apattern 1 b"}`,
		`{type: object, format: "apattern b"}`,
		`{type: object, format: "apattern  b"}`,
		`{type: object, format: "1 apattern 1 b"}`,
		`{type: object, properties: {"a\"{}property 3 \"b": {}}}`,
	}
	seen := map[string]string{Hash(nil, true, APIServer, AllAspects): "no schema"}
	for _, text := range texts {
		h := hashOf(t, text)
		if other, ok := seen[h]; ok {
			t.Errorf("%s and %s have the same hash", text, other)
		}
		seen[h] = text
	}
	s := &Schema{}
	if Hash(s, true, APIServer, AllAspects) == Hash(s, false, APIServer, AllAspects) || Hash(s, true, APIServer, AllAspects) == Hash(s, true, KEP2332, AllAspects) {
		t.Error("the hash ignores how the schema is applied")
	}
}

// TestHashStaysTheSame has a schema with every keyword. Generated code has the hash in it: another one for the same schema
// would say that the code is out of date.
func TestHashStaysTheSame(t *testing.T) {
	const want = "sha256:4640bc99cebab7d636eb8ecec97c10734eea174c8ea7f747efc63266c52252e6"
	if got := hashOf(t, allKeywords); got != want {
		t.Errorf("the hash is %s, want %s", got, want)
	}
}

// TestHashKnowsEveryKeyword sets each keyword of a structural schema to something else. What only describes a value must not
// change the hash, and everything else must.
func TestHashKnowsEveryKeyword(t *testing.T) {
	describes := []string{"description", "title", "externalDocs", "example"}
	plain := &Schema{ValueValidation: &ValueValidation{}}
	full := newSchema(t, fullSchema)
	parts := func(s *Schema) []any {
		return []any{&s.Generic, &s.Extensions, &s.ValidationExtensions, s.ValueValidation}
	}
	for i, part := range parts(full) {
		for k, v := range keywordsOf(part) {
			s := plain.copy()
			_, field := findKeyword(parts(s)[i], k.name)
			field.Set(v)
			below := func(s *Schema) *Schema { return &Schema{Properties: map[string]*Schema{"a": s}} }
			same := Hash(below(s), true, APIServer, AllAspects) == Hash(below(plain), true, APIServer, AllAspects)
			if want := slices.Contains(describes, k.name); same != want {
				t.Errorf("%s: the hash is the same: %t, want %t", k.name, same, want)
			}
		}
	}
}

// The hash covers what the functions depend on, and nothing more.
func TestHashCoversTheAspects(t *testing.T) {
	const plain = `{type: object, properties: {spec: {type: object, properties: {a: {type: string}, l: {type: array}}}}}`
	spec := func(text string) string { return `{type: object, properties: {spec: ` + text + `}}` }
	for _, test := range []struct {
		text     string
		concerns Aspects
	}{
		{spec(`{type: object, description: words, properties: {a: {type: string}, l: {type: array}}}`), 0},
		{spec(`{type: object, properties: {a: {type: string, minLength: 1}, l: {type: array}}}`), AspectValues},
		{spec(`{type: object, properties: {a: {type: string, enum: [x]}, l: {type: array}}}`), AspectValues},
		{spec(`{type: object, required: [a], properties: {a: {type: string}, l: {type: array}}}`), AspectValues},
		{spec(`{type: object, allOf: [{required: [a]}], properties: {a: {type: string}, l: {type: array}}}`), AspectValues},
		{spec(`{type: object, x-kubernetes-validations: [{rule: "true"}], properties: {a: {type: string}, l: {type: array}}}`), AspectValues},
		{spec(`{type: object, properties: {a: {type: string}, l: {type: array, x-kubernetes-list-type: set}}}`), AspectValues},
		{spec(`{type: object, properties: {a: {type: string, default: x}, l: {type: array}}}`), AspectDefaults},
		{spec(`{type: object, properties: {a: {type: string, nullable: true}, l: {type: array}}}`), AspectTypes | AspectDefaults | AspectValues},
		{spec(`{type: object, properties: {a: {type: integer}, l: {type: array}}}`), AspectTypes | AspectValues},
		{spec(`{type: object, properties: {a: {x-kubernetes-int-or-string: true}, l: {type: array}}}`), AspectTypes | AspectValues},
		{spec(`{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: string}, l: {type: array}}}`), AspectPruning | AspectDefaults},
		{spec(`{type: object, properties: {a: {type: string}, l: {type: array, items: {type: string}}}}`), AspectTypes | AspectValues},
		{spec(`{type: object, additionalProperties: true, properties: {a: {type: string}, l: {type: array}}}`), AspectPruning | AspectDefaults | AspectValues},
		{spec(`{type: object, properties: {a: {type: string}, b: {type: string}, l: {type: array}}}`), AllAspects},
		{spec(`{type: object, x-kubernetes-embedded-resource: true, properties: {a: {type: string}, l: {type: array}}}`), AllAspects},
		{`{type: object, properties: {metadata: {type: object}, spec: {type: object, properties: {a: {type: string}, l: {type: array}}}}}`, AspectDefaults | AspectValues},
		// Every root is a resource; one that says so has its metadata read twice, and must have an apiVersion and a kind.
		{`{type: object, x-kubernetes-embedded-resource: true, properties: {spec: {type: object, properties: {a: {type: string}, l: {type: array}}}}}`, AspectDefaults | AspectValues},
	} {
		for aspect := AspectPruning; aspect < AllAspects; aspect <<= 1 {
			same := aspectHash(t, test.text, aspect) == aspectHash(t, plain, aspect)
			if want := !test.concerns.hasAny(aspect); same != want {
				t.Errorf("aspect %d: the hash is the same: %t, want %t: %s", aspect, same, want, test.text)
			}
		}
	}
	seen := map[string]Aspects{}
	for aspects := range AllAspects + 1 {
		h := aspectHash(t, plain, aspects)
		if other, ok := seen[h]; ok {
			t.Errorf("the aspects %d and %d have the same hash", aspects, other)
		}
		seen[h] = aspects
	}
	s := &Schema{}
	if Hash(s, true, APIServer, AspectPruning) == Hash(s, false, APIServer, AspectPruning) || Hash(s, true, APIServer, AspectTypes) != Hash(s, false, KEP2332, AspectTypes) {
		t.Error("how objects are pruned decides about pruning, and about nothing else")
	}
}

func TestHashTellsFloatsInDefaultsFromIntegers(t *testing.T) {
	hash := func(v any, aspects Aspects) string {
		return Hash(&Schema{Properties: map[string]*Schema{"a": {Generic: Generic{Type: "number", Default: v}}}}, true, APIServer, aspects)
	}
	for _, pair := range [][2]any{{int64(1), 1.0}, {[]any{int64(1)}, []any{1.0}}, {map[string]any{"a": int64(1)}, map[string]any{"a": 1.0}}, {1.0, "float 1"}} {
		if hash(pair[0], AspectDefaults) == hash(pair[1], AspectDefaults) {
			t.Errorf("%#v and %#v have the same hash", pair[0], pair[1])
		}
		if hash(pair[0], AspectPruning) != hash(pair[1], AspectPruning) {
			t.Errorf("%#v and %#v are different to pruning", pair[0], pair[1])
		}
	}
	embedded := &Schema{Extensions: Extensions{XEmbeddedResource: true}}
	if Hash(embedded, true, APIServer, AspectDefaults) == Hash(&Schema{}, true, APIServer, AspectDefaults) {
		t.Error("a root that says that it is embedded is like any other")
	}
}

// Functions that validate values do not evaluate CEL rules, and know whether there are any. Enums are compared exactly.
func TestHashOfValues(t *testing.T) {
	one, other := `{type: object, x-kubernetes-validations: [{rule: "true"}]}`, `{type: object, x-kubernetes-validations: [{rule: "false"}]}`
	if aspectHash(t, one, AspectValues) != aspectHash(t, other, AspectValues) || aspectHash(t, one, AllAspects) == aspectHash(t, other, AllAspects) {
		t.Error("what a rule says counts for those who evaluate it, and for nobody else")
	}
	if aspectHash(t, one, AspectValues) == aspectHash(t, `{type: object}`, AspectValues) {
		t.Error("that there are rules counts")
	}
	enum := func(v any) string {
		return Hash(&Schema{ValueValidation: &ValueValidation{Enum: []any{v}}}, true, APIServer, AspectValues)
	}
	if enum(int64(65)) == enum(65.0) || enum("65") == enum(int64(65)) {
		t.Error("values of an enum that differ have the same hash")
	}
}
