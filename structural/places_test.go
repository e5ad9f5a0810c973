package structural_test

import "strings"

// schemaPlace is where a schema can stand in another: %s in text is the schema, path leads to it.
type schemaPlace = struct {
	Name, Text, Path string
}

func fieldPlaces() []schemaPlace {
	return []schemaPlace{
		{"a property", `{type: object, properties: {p: %s}}`, `x.properties[p]`},
		{"additionalProperties", `{type: object, properties: {p: {type: object, additionalProperties: %s}}}`,
			`x.properties[p].additionalProperties`},
		{"a property of an element", `{type: object, properties: {p: {type: array, items: {type: object, properties: {q: %s}}}}}`,
			`x.properties[p].items.properties[q]`},
	}
}

func itemPlaces() []schemaPlace {
	return []schemaPlace{
		{"items", `{type: object, properties: {p: {type: array, items: %s}}}`, `x.properties[p].items`},
		{"items of items", `{type: object, properties: {p: {type: array, items: {type: array, items: %s}}}}`,
			`x.properties[p].items.items`},
	}
}

// embed puts a schema in a place.
func embed(p schemaPlace, schema string) string {
	return strings.Replace(p.Text, "%s", schema, 1)
}

// brokenRule is a schema that breaks rules, and the errors, each beginning with its path below the schema.
type brokenRule = struct {
	Name, Schema string
	Want         []string
}

// rulesEverywhere are broken alike by fields and by elements.
func rulesEverywhere() []brokenRule {
	return []brokenRule{
		{"a list without items", `{type: array}`, []string{".items: Required value: must be specified"}},
		{"an int-or-string that preserves", `{x-kubernetes-int-or-string: true, x-kubernetes-preserve-unknown-fields: true}`,
			[]string{".x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true"}},
		{"an int-or-string that is a resource",
			`{type: object, x-kubernetes-int-or-string: true, x-kubernetes-embedded-resource: true, properties: {a: {type: string}}}`,
			[]string{".x-kubernetes-embedded-resource: Invalid value: true: must be false if x-kubernetes-int-or-string is true"}},
		{"an embedded resource without a type", `{x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}`,
			[]string{".type: Required value: must be object if x-kubernetes-embedded-resource is true"}},
		{"an embedded resource of another type",
			`{type: string, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}`,
			[]string{`.type: Invalid value: "string": must be object if x-kubernetes-embedded-resource is true`}},
		{"an embedded resource without fields", `{type: object, x-kubernetes-embedded-resource: true}`,
			[]string{".properties: Required value: must not be empty if x-kubernetes-embedded-resource is true " +
				"without x-kubernetes-preserve-unknown-fields"}},
		{"an embedded resource with no properties",
			`{type: object, x-kubernetes-embedded-resource: true, properties: {}}`,
			[]string{".properties: Required value: must not be empty if x-kubernetes-embedded-resource is true " +
				"without x-kubernetes-preserve-unknown-fields"}},
		{"an embedded resource that is a map",
			`{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true, additionalProperties: {type: string}}`,
			[]string{".additionalProperties: Forbidden: must not be used if x-kubernetes-embedded-resource is set"}},
		{"an embedded resource that is a map of anything",
			`{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true, additionalProperties: true}`,
			[]string{".additionalProperties: Forbidden: must not be used if x-kubernetes-embedded-resource is set"}},
		{"apiVersion, kind and metadata of other types",
			`{type: object, x-kubernetes-embedded-resource: true, properties: {apiVersion: {type: integer},
			  kind: {type: object}, metadata: {type: array, items: {type: string}}}}`,
			[]string{
				`.properties[apiVersion].type: Invalid value: "integer": must be string`,
				`.properties[kind].type: Invalid value: "object": must be string`,
				`.properties[metadata].type: Invalid value: "array": must be object`,
			}},
		{"apiVersion without a type",
			`{type: object, x-kubernetes-embedded-resource: true, properties: {apiVersion: {}}}`,
			[]string{
				`.properties[apiVersion].type: Invalid value: "": must be string`,
				`.properties[apiVersion].type: Required value: must not be empty for specified object fields`,
			}},
		{"a bad pattern", `{type: string, pattern: "a("}`,
			[]string{".pattern: Invalid value: \"a(\": must be a valid regular expression, but isn't: " +
				"error parsing regexp: missing closing ): `a(`"}},
		{"a lookahead", `{type: string, pattern: "(?=a)"}`,
			[]string{".pattern: Invalid value: \"(?=a)\": must be a valid regular expression, but isn't: " +
				"error parsing regexp: invalid or unsupported Perl syntax: `(?=`"}},
		{"types in the wrong order", `{x-kubernetes-int-or-string: true, anyOf: [{type: string}, {type: integer}]}`,
			[]string{
				".anyOf[0].type: Forbidden: must be empty to be structural",
				".anyOf[1].type: Forbidden: must be empty to be structural",
			}},
		{"types below oneOf", `{x-kubernetes-int-or-string: true, oneOf: [{type: integer}, {type: string}]}`,
			[]string{
				".oneOf[0].type: Forbidden: must be empty to be structural",
				".oneOf[1].type: Forbidden: must be empty to be structural",
			}},
		{"types with something else", `{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string, minLength: 1}]}`,
			[]string{
				".anyOf[0].type: Forbidden: must be empty to be structural",
				".anyOf[1].type: Forbidden: must be empty to be structural",
			}},
		{"types with an empty list beside them", `{x-kubernetes-int-or-string: true, anyOf: [{type: integer, required: []}, {type: string}]}`,
			[]string{
				".anyOf[0].type: Forbidden: must be empty to be structural",
				".anyOf[1].type: Forbidden: must be empty to be structural",
			}},
		{"types with no properties beside them", `{x-kubernetes-int-or-string: true, anyOf: [{type: integer, properties: {}}, {type: string}]}`,
			[]string{
				".anyOf[0].type: Forbidden: must be empty to be structural",
				".anyOf[1].type: Forbidden: must be empty to be structural",
			}},
		{"three types", `{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}, {type: boolean}]}`,
			[]string{
				".anyOf[0].type: Forbidden: must be empty to be structural",
				".anyOf[1].type: Forbidden: must be empty to be structural",
				".anyOf[2].type: Forbidden: must be empty to be structural",
			}},
		{"the pattern second in allOf", `{x-kubernetes-int-or-string: true, allOf: [{minimum: 3}, {anyOf: [{type: integer}, {type: string}]}]}`,
			[]string{
				".allOf[1].anyOf[0].type: Forbidden: must be empty to be structural",
				".allOf[1].anyOf[1].type: Forbidden: must be empty to be structural",
			}},
		{"the pattern twice in allOf",
			`{x-kubernetes-int-or-string: true, allOf: [{anyOf: [{type: integer}, {type: string}]}, {anyOf: [{type: integer}, {type: string}]}]}`,
			[]string{
				".allOf[1].anyOf[0].type: Forbidden: must be empty to be structural",
				".allOf[1].anyOf[1].type: Forbidden: must be empty to be structural",
			}},
		{"the pattern with a type beside it in allOf",
			`{x-kubernetes-int-or-string: true, allOf: [{type: string, anyOf: [{type: integer}, {type: string}]}]}`,
			[]string{".allOf[0].type: Forbidden: must be empty to be structural"}},
	}
}
