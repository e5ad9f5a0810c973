package structural_test

import (
	"fmt"
	"testing"

	"github.com/prune-gen/prune-gen/structural"
)

// Each keyword that is set, or has another value, changes the hash of those who read it and of nobody else, wherever it stands.
func TestHashKeywordByKeyword(t *testing.T) {
	const (
		none     = structural.Aspects(0)
		pruning  = structural.AspectPruning
		types    = structural.AspectTypes
		defaults = structural.AspectDefaults
		values   = structural.AspectValues
	)
	// What functions read.
	read := []structural.Aspects{pruning, pruning | defaults, types, types | values, types | values | structural.AspectRules,
		types | structural.AspectScope, structural.AllAspects}
	places := map[string]string{
		"a field":                "{type: object, properties: {p: {%s}}}",
		"elements":               "{type: object, properties: {l: {type: array, items: {%s}}}}",
		"values of a map":        "{type: object, properties: {m: {type: object, additionalProperties: {%s}}}}",
		"a field of an element":  "{type: object, properties: {l: {type: array, items: {type: object, properties: {p: {%s}}}}}}",
		"values of a map of all": "{type: object, properties: {m: {type: object, additionalProperties: {type: object, additionalProperties: {%s}}}}}",
	}
	junctors := map[string]string{
		"allOf":                  "{type: object, properties: {p: {type: object, allOf: [{%s}]}}}",
		"the second of anyOf":    "{type: object, properties: {p: {type: object, anyOf: [{minLength: 1}, {%s}]}}}",
		"oneOf":                  "{type: object, oneOf: [{%s}]}",
		"not":                    "{type: object, properties: {p: {type: object, not: {%s}}}}",
		"a field below oneOf":    "{type: object, oneOf: [{properties: {p: {%s}}}]}",
		"elements below anyOf":   "{type: object, anyOf: [{items: {%s}}]}",
		"alternatives in others": "{type: object, anyOf: [{oneOf: [{minLength: 1}, {not: {%s}}]}]}",
	}
	for _, k := range []struct {
		before, after string
		concerns      structural.Aspects
		structure     bool // the keyword does not stand below junctors
	}{
		{"", "description: a", none, false},
		{"description: a", "description: b", none, false},
		{"", "title: a", none, false},
		{"", "example: {a: 1}", none, false},
		{"example: 1", "example: 2", none, false},
		{"", "externalDocs: {url: u, description: d}", none, false},

		{"type: string", "type: integer", types | values, true},
		{"", "nullable: true", types | defaults | values, true},
		{"", "default: 1", defaults, true},
		{"default: 1", "default: 2", defaults, true},
		{"default: {a: [x]}", "default: {a: [x, x]}", defaults, true},
		{"", "x-kubernetes-int-or-string: true", types | values, true},
		{"", "x-kubernetes-preserve-unknown-fields: true", pruning | defaults, true},
		{"", "x-kubernetes-embedded-resource: true", structural.AllAspects, true},
		{"", "x-kubernetes-list-type: set", values, true},
		{"x-kubernetes-list-type: set", "x-kubernetes-list-type: map", values, true},
		{"x-kubernetes-list-map-keys: [a]", "x-kubernetes-list-map-keys: [b]", values, true},
		{"x-kubernetes-list-map-keys: [a]", "x-kubernetes-list-map-keys: [a, b]", values, true},
		{"", "x-kubernetes-map-type: atomic", values, true},
		{"type: object, properties: {a: {}}", "type: object, properties: {b: {}}", structural.AllAspects, true},
		{"type: object, properties: {a: {}}", "type: object, properties: {a: {}, b: {}}", structural.AllAspects, true},
		{"type: object", "type: object, additionalProperties: true", pruning | defaults | values, true},
		{"type: object, additionalProperties: true", "type: object, additionalProperties: false", values, true},
		{"type: object, additionalProperties: true", "type: object, additionalProperties: {type: string}", types | values, true},
		{"", `x-kubernetes-validations: [{rule: "true"}]`, values, true},

		{"", "format: int32", values, false},
		{"format: int32", "format: int64", values, false},
		{"pattern: a", "pattern: b", values, false},
		{"maximum: 1", "maximum: 2", values, false},
		{"maximum: 1", "maximum: 1, exclusiveMaximum: true", values, false},
		{"minimum: 1", "minimum: 1.5", values, false},
		{"minimum: 1", "maximum: 1", values, false},
		{"minimum: 1", "minimum: 1, exclusiveMinimum: true", values, false},
		{"", "minimum: 0", values, false},
		{"multipleOf: 1", "multipleOf: 2", values, false},
		{"", "maxLength: 0", values, false},
		{"maxLength: 1", "maxLength: 2", values, false},
		{"minLength: 1", "minLength: 2", values, false},
		{"minLength: 2", "minItems: 2", values, false},
		{"maxItems: 1", "maxItems: 2", values, false},
		{"minItems: 1", "minItems: 2", values, false},
		{"", "uniqueItems: true", values, false},
		{"maxProperties: 1", "maxProperties: 2", values, false},
		{"minProperties: 1", "minProperties: 2", values, false},
		{"enum: [a]", "enum: [b]", values, false},
		{"enum: [a]", "enum: [a, b]", values, false},
		{"enum: [1]", `enum: ["1"]`, values, false},
		{"required: [a]", "required: [b]", values, false},
		{"required: [a]", "required: [a, b]", values, false},
		{"allOf: [{minLength: 1}]", "anyOf: [{minLength: 1}]", values, false},
		{"anyOf: [{minLength: 1}]", "oneOf: [{minLength: 1}]", values, false},
		{"anyOf: [{minLength: 1}, {maxLength: 2}]", "anyOf: [{minLength: 1, maxLength: 2}]", values, false},
		{"allOf: [{minLength: 1}]", "not: {minLength: 1}", values, false},
	} {
		check := func(place, schema string) {
			t.Helper()
			before, after := schemaOf(t, fmt.Sprintf(schema, k.before)), schemaOf(t, fmt.Sprintf(schema, k.after))
			for _, aspects := range read {
				same := schemaHash(before, true, structural.APIServer, aspects) == schemaHash(after, true, structural.APIServer, aspects)
				if want := k.concerns&aspects == 0; same != want {
					t.Errorf("%s: %q and %q: the hash for %s is the same: %t, want %t", place, k.before, k.after, aspects, same, want)
				}
			}
		}
		for place, schema := range places {
			check(place, schema)
		}
		if k.structure {
			continue
		}
		for place, schema := range junctors {
			check(place, schema)
		}
	}
}
