package structural_test

import (
	"reflect"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
)

// allKeywords adds to fullSchema what only a schema that is not structural has.
const allKeywords = fullSchema + `
id: i
$schema: s
$ref: r
patternProperties: {pp: {type: string}}
dependencies: {d: [e], f: {type: string}}
additionalItems: {type: string}
definitions: {g: {type: string}}
x-kubernetes-no-prune: true
`

func TestObjectHasEveryKeyword(t *testing.T) {
	s := structuraltest.ParseSchema(t, allKeywords)
	wantNoZeroFields(t, "schema", reflect.ValueOf(*s))
	want := structuraltest.ParseObject(t, allKeywords)
	// Numbers of these keywords are floats, however they are written.
	want["minimum"], want["multipleOf"] = 1.0, 6.0
	if got := s.Object(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %s\nwant %s", structuraltest.ToJSON(t, got), structuraltest.ToJSON(t, want))
	}
}

func TestObjectReadsBackAsTheSameSchema(t *testing.T) {
	for _, text := range []string{
		allKeywords, `{}`, `{properties: {}, required: [], x-kubernetes-validations: []}`,
		`{items: [{type: string}, {}]}`, `{additionalProperties: false}`, `{additionalProperties: true, additionalItems: false}`,
		`{x-kubernetes-no-prune: false, x-kubernetes-preserve-unknown-fields: false}`, `{dependencies: {a: []}}`,
	} {
		s := structuraltest.ParseSchema(t, text)
		if again := structuraltest.ParseSchema(t, structuraltest.ToJSON(t, s.Object())); !reflect.DeepEqual(s, again) {
			t.Errorf("%s reads back as %s", text, structuraltest.ToJSON(t, again.Object()))
		}
	}
}

// fullSchema has every keyword that a structural schema can have.
const fullSchema = `
type: object
description: d
title: t
default: {a: [1, 2.5, null]}
nullable: true
externalDocs: {description: e, url: u}
example: {b: c}
x-kubernetes-preserve-unknown-fields: true
x-kubernetes-embedded-resource: true
x-kubernetes-int-or-string: true
x-kubernetes-list-map-keys: [k]
x-kubernetes-list-type: map
x-kubernetes-map-type: granular
x-kubernetes-unions: [{discriminator: type, fields: {a: A}}]
x-kubernetes-validations: [{rule: r, message: m, messageExpression: e, reason: FieldValueInvalid, fieldPath: .p, optionalOldSelf: true}]
properties: {p: {type: string}}
additionalProperties: {type: integer}
items: {type: boolean}
format: f
maximum: 9.5
exclusiveMaximum: true
minimum: 1
exclusiveMinimum: true
maxLength: 2
minLength: 3
pattern: p
maxItems: 4
minItems: 5
uniqueItems: true
multipleOf: 6
enum: [1, a, null]
maxProperties: 7
minProperties: 8
required: [r]
allOf: [{minLength: 10}]
anyOf: [{minLength: 11}]
oneOf: [{minLength: 12}]
not: {minLength: 13, properties: {q: {minLength: 14}}, items: {minLength: 15}, additionalProperties: {minLength: 16}, type: string,
  x-kubernetes-map-type: atomic, x-kubernetes-validations: [{rule: inner}]}
`
