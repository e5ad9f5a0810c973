package structural

import (
	"slices"
	"testing"
)

// hashOf returns the hash of a schema as it is written.
func hashOf(t *testing.T, text string) string {
	t.Helper()
	raw, findings := ParseSchema("schema.yaml", []byte(text))
	for _, f := range findings {
		if f.Severity == SeverityError {
			t.Fatalf("%s\n%+v", text, f)
		}
	}
	s, _ := NewSchema(raw, nil)
	return Hash(s, true, APIServer)
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
		`{type: object, additionalProperties: {}}`,
		`{type: object, additionalProperties: true}`,
		`{type: object, additionalProperties: false}`,
		`{type: object, items: {}}`,
		`{type: object, items: {type: string}}`,
		`{type: object, x-kubernetes-preserve-unknown-fields: true}`,
		`{type: object, x-kubernetes-embedded-resource: true}`,
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
	}
	seen := map[string]string{Hash(nil, true, APIServer): "no schema"}
	for _, text := range texts {
		h := hashOf(t, text)
		if other, ok := seen[h]; ok {
			t.Errorf("%s and %s have the same hash", text, other)
		}
		seen[h] = text
	}
	s := &Schema{}
	if Hash(s, true, APIServer) == Hash(s, false, APIServer) || Hash(s, true, APIServer) == Hash(s, true, KEP2332) {
		t.Error("the hash ignores how the schema is applied")
	}
}

// TestHashStaysTheSame has a schema with every keyword. Generated code has the hash in it: another one for the same schema
// would say that the code is out of date.
func TestHashStaysTheSame(t *testing.T) {
	const want = "sha256:db1c8b582371dd1114d9f1522d4b82dc6c978e9468ef038bbea4407ee75ce15b"
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
			same := Hash(s, true, APIServer) == Hash(plain, true, APIServer)
			if want := slices.Contains(describes, k.name); same != want {
				t.Errorf("%s: the hash is the same: %t, want %t", k.name, same, want)
			}
		}
	}
}
