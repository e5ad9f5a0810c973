// Package schemacases makes schemas that break the rules of structural schemas, and changes schemas at random.
package schemacases

import (
	"maps"
	"slices"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
)

// Object is a JSON object.
type Object = map[string]any

// Case is a schema of our own making, named after what it breaks and where.
type Case struct {
	Name   string
	Schema Object
}

// flaw is a way to break a good schema: what must be added to it.
type flaw struct {
	name string
	with Object
	// without names keywords that must go.
	without []string
}

// position is a place in a schema where another one can stand.
type position struct {
	name string
	// base is the good schema that stands there when nothing is wrong.
	base Object
	// in returns the whole schema with s at that place.
	in func(s Object) Object
}

// Broken returns schemas that break every rule in every position, and for each rule the neighbouring schemas that do not
// break it. They share nothing with those of another call: cases are mutated.
func Broken() []Case {
	var cases []Case
	for _, p := range positions() {
		for _, f := range flaws() {
			s := maps.Clone(p.base)
			for _, k := range f.without {
				delete(s, k)
			}
			for k, v := range f.with {
				s[k] = jsonvalue.Copy(v) // some are values of keywords
			}
			cases = append(cases, Case{p.name + ": " + f.name, p.in(s)})
		}
	}
	return append(cases, singular()...)
}

// positions lists the places: structure, value validation, and value validation of every depth below a junctor.
func positions() []position {
	object := Object{"type": "object"}
	property := func(s Object) Object {
		return Object{"type": "object", "properties": Object{"spec": s}}
	}
	all := []position{
		{"root", object, func(s Object) Object { return s }},
		{"property", object, property},
		{"nested property", object, func(s Object) Object { return property(Object{"type": "object", "properties": Object{"a.b": s}}) }},
		{"items", object, func(s Object) Object { return property(Object{"type": "array", "items": s}) }},
		{"items of items", object, func(s Object) Object {
			return property(Object{"type": "array", "items": Object{"type": "array", "items": s}})
		}},
		{"additionalProperties", object, func(s Object) Object {
			return property(Object{"type": "object", "additionalProperties": s})
		}},
		{"metadata", object, func(s Object) Object { return Object{"type": "object", "properties": Object{"metadata": s}} }},
		{"metadata.name", Object{"type": "string"}, func(s Object) Object {
			return Object{"type": "object", "properties": Object{"metadata": Object{"type": "object", "properties": Object{"name": s}}}}
		}},
		{"kind", Object{"type": "string"}, func(s Object) Object { return Object{"type": "object", "properties": Object{"kind": s}} }},
		{"embedded resource", Object{"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true}, property},
		{"metadata of an embedded resource", object, func(s Object) Object {
			return property(Object{"type": "object", "x-kubernetes-embedded-resource": true, "properties": Object{"metadata": s}})
		}},
		{"apiVersion of an embedded resource", Object{"type": "string"}, func(s Object) Object {
			return property(Object{"type": "object", "x-kubernetes-embedded-resource": true, "properties": Object{"apiVersion": s}})
		}},
		{"preserved object", Object{"type": "object", "x-kubernetes-preserve-unknown-fields": true}, property},
		{"int-or-string", Object{"x-kubernetes-int-or-string": true}, property},
	}
	for _, j := range []string{"allOf", "anyOf", "oneOf", "not"} {
		all = append(all,
			position{"root." + j, Object{}, func(s Object) Object { return with(Object{"type": "object"}, j, s) }},
			position{"property." + j, Object{}, func(s Object) Object { return property(with(Object{"type": "object"}, j, s)) }},
			position{j + ".properties", Object{}, func(s Object) Object {
				return property(with(Object{"type": "object", "properties": Object{"a": Object{"type": "object"}}}, j,
					Object{"properties": Object{"a": s}}))
			}},
			position{j + ".items", Object{}, func(s Object) Object {
				return property(with(Object{"type": "array", "items": Object{"type": "object"}}, j, Object{"items": s}))
			}},
			position{j + ".additionalProperties", Object{}, func(s Object) Object {
				return property(with(Object{"type": "object", "additionalProperties": Object{"type": "object"}}, j,
					Object{"additionalProperties": s}))
			}},
			position{j + ".not", Object{}, func(s Object) Object { return property(with(Object{"type": "object"}, j, Object{"not": s})) }},
			position{j + ".allOf", Object{}, func(s Object) Object {
				return property(with(Object{"type": "object"}, j, Object{"allOf": []any{Object{}, s}}))
			}},
			position{"int-or-string." + j, Object{}, func(s Object) Object { return property(with(Object{"x-kubernetes-int-or-string": true}, j, s)) }},
		)
	}
	return all
}

// with returns s with n below a junctor.
func with(s Object, junctor string, n Object) Object {
	if junctor == "not" {
		s[junctor] = n
	} else {
		s[junctor] = []any{Object{}, n}
	}
	return s
}

// flaws lists what can be wrong anywhere and, to see that nothing is reported, what can be right.
func flaws() []flaw {
	str, obj := Object{"type": "string"}, Object{"type": "object"}
	all := []flaw{
		{name: "nothing"},
		{name: "no type", without: []string{"type"}},
		{name: "no type, preserving", with: Object{"x-kubernetes-preserve-unknown-fields": true}, without: []string{"type"}},
		{name: "no type, int-or-string", with: Object{"x-kubernetes-int-or-string": true}, without: []string{"type"}},
		{name: "an unknown type", with: Object{"type": "file"}},
		{name: "a list without items", with: Object{"type": "array"}},
		{name: "items that are not a schema", with: Object{"type": "array", "items": Object{}}},
		{name: "items without a type", with: Object{"type": "array", "items": Object{"description": "x"}}},
		{name: "properties without a type", with: Object{"properties": Object{"x": Object{}}}},
		{name: "no properties", with: Object{"properties": Object{}}},
		{name: "additionalProperties without a type", with: Object{"additionalProperties": Object{}}},
		{name: "additionalProperties", with: Object{"additionalProperties": str}},
		{name: "additionalProperties: true", with: Object{"additionalProperties": true}},
		{name: "additionalProperties: false", with: Object{"additionalProperties": false}},
		{name: "properties and additionalProperties", with: Object{"properties": Object{"x": str}, "additionalProperties": obj}},
		{name: "a pattern that does not compile", with: Object{"pattern": "("}},
		{name: "a pattern of another dialect", with: Object{"pattern": "(?!a)\\d\"`%s\n"}},
		{name: "a good pattern", with: Object{"pattern": "^a*$"}},
		{name: "int-or-string and preserving", with: Object{"x-kubernetes-int-or-string": true, "x-kubernetes-preserve-unknown-fields": true}},
		{name: "int-or-string and embedded", with: Object{"x-kubernetes-int-or-string": true, "x-kubernetes-embedded-resource": true}},
		{name: "all three extensions", with: Object{"x-kubernetes-int-or-string": true, "x-kubernetes-embedded-resource": true,
			"x-kubernetes-preserve-unknown-fields": true}},
		{name: "embedded without properties", with: Object{"x-kubernetes-embedded-resource": true}},
		{name: "embedded without a type", with: Object{"x-kubernetes-embedded-resource": true}, without: []string{"type"}},
		{name: "embedded string", with: Object{"x-kubernetes-embedded-resource": true, "type": "string"}},
		{name: "embedded with additionalProperties", with: Object{"x-kubernetes-embedded-resource": true, "additionalProperties": str}},
		{name: "embedded with properties", with: Object{"x-kubernetes-embedded-resource": true, "properties": Object{"spec": obj}}},
		{name: "embedded with odd type meta", with: Object{"x-kubernetes-embedded-resource": true, "properties": Object{
			"apiVersion": Object{"type": "integer"}, "kind": Object{"x-kubernetes-int-or-string": true}, "metadata": Object{"type": "array", "items": str}}}},
		{name: "embedded with restricted metadata", with: Object{"x-kubernetes-embedded-resource": true, "properties": Object{
			"metadata": Object{"type": "object", "properties": Object{"labels": obj}}}}},
		{name: "not preserving", with: Object{"x-kubernetes-preserve-unknown-fields": false}},
		{name: "undeclared field in allOf", with: Object{"allOf": []any{Object{"properties": Object{"x": Object{"minimum": 1}}}}}},
		{name: "undeclared field in anyOf", with: Object{"anyOf": []any{Object{}, Object{"properties": Object{"x": Object{}}}}}},
		{name: "undeclared field in oneOf", with: Object{"oneOf": []any{Object{"properties": Object{"x": Object{"properties": Object{"y": Object{}}}}}}}},
		{name: "undeclared field in not", with: Object{"not": Object{"properties": Object{"a[0].b": Object{}}}}},
		{name: "undeclared items in not", with: Object{"not": Object{"items": Object{"minLength": 1}}}},
		{name: "undeclared items in allOf", with: Object{"allOf": []any{Object{"items": Object{"properties": Object{"x": Object{}}}}}}},
		{name: "declared field in allOf", with: Object{"properties": Object{"x": str}, "allOf": []any{Object{"properties": Object{"x": Object{"minLength": 1}}}}}},
		{name: "partly declared field in anyOf", with: Object{"properties": Object{"x": obj},
			"anyOf": []any{Object{"properties": Object{"x": Object{"properties": Object{"y": Object{}}}}}}}},
		{name: "field declared by additionalProperties", with: Object{"additionalProperties": str, "not": Object{"properties": Object{"x": Object{}}}}},
		{name: "metadata in a junctor", with: Object{"anyOf": []any{Object{"properties": Object{"metadata": Object{"required": []any{"name"}}}}}}},
		{name: "metadata in a junctor of a junctor", with: Object{"not": Object{"allOf": []any{Object{"properties": Object{"metadata": Object{}}}}}}},
		{name: "first pattern of int-or-string", with: Object{"anyOf": intOrString()}},
		{name: "first pattern the other way round", with: Object{"anyOf": []any{str, Object{"type": "integer"}}}},
		{name: "first pattern and one more", with: Object{"anyOf": append(intOrString(), Object{})}},
		{name: "first pattern with a description", with: Object{"anyOf": []any{Object{"type": "integer", "description": "x"}, str}}},
		{name: "first pattern with an empty enum", with: Object{"anyOf": []any{Object{"type": "integer", "enum": []any{}}, str}}},
		{name: "first pattern with empty required", with: Object{"anyOf": []any{Object{"type": "integer", "required": []any{}}, str}}},
		{name: "first pattern with a default", with: Object{"anyOf": []any{Object{"type": "integer", "default": 1}, str}}},
		{name: "first pattern below oneOf", with: Object{"oneOf": intOrString()}},
		{name: "second pattern of int-or-string", with: Object{"allOf": []any{Object{"anyOf": intOrString()}}}},
		{name: "second pattern and one more", with: Object{"allOf": []any{Object{"anyOf": intOrString()}, Object{"minimum": 1}}}},
		{name: "second pattern in second place", with: Object{"allOf": []any{Object{}, Object{"anyOf": intOrString()}}}},
		{name: "both patterns", with: Object{"anyOf": intOrString(), "allOf": []any{Object{"anyOf": intOrString()}}}},
		{name: "second pattern with a pattern", with: Object{"allOf": []any{Object{"anyOf": intOrString(), "pattern": "a"}}}},
		{name: "an array of schemas under items", with: Object{"type": "array", "items": []any{str, obj}}},
		{name: "an empty array under items", with: Object{"type": "array", "items": []any{}}},
		{name: "unknown keyword", with: Object{"x-foo": 1, "const": 2}},
		{name: "several at once", with: Object{"id": "x", "$schema": "y", "type": "array", "definitions": Object{"a": obj}, "properties": Object{
			"x": Object{"$ref": "#/a"}}}},
	}
	for _, k := range slices.Sorted(maps.Keys(keywords)) {
		all = append(all, flaw{name: k, with: Object{k: keywords[k]}}, flaw{name: "null " + k, with: Object{k: nil}})
	}
	return all
}

// intOrString is what the two patterns of x-kubernetes-int-or-string consist of.
func intOrString() []any { return []any{Object{"type": "integer"}, Object{"type": "string"}} }

// keywords is every keyword there is, with a value that says something.
var keywords = Object{
	"id": "http://example.com", "$schema": "http://json-schema.org/draft-04/schema#", "$ref": "#/definitions/x",
	"description": "x", "type": "boolean", "format": "int32", "title": "x", "default": Object{}, "maximum": 1,
	"exclusiveMaximum": true, "minimum": 1.5, "exclusiveMinimum": true, "maxLength": 1, "minLength": 1, "pattern": ".",
	"maxItems": 1, "minItems": 1, "uniqueItems": true, "multipleOf": 0.5, "enum": []any{"a", 1, nil}, "maxProperties": 1,
	"minProperties": 1, "required": []any{"a"}, "items": Object{"type": "string"}, "allOf": []any{Object{}},
	"oneOf": []any{Object{}}, "anyOf": []any{Object{}}, "not": Object{}, "properties": Object{"x": Object{"type": "string"}},
	"additionalProperties": Object{"type": "string"}, "patternProperties": Object{"x": Object{}},
	"dependencies": Object{"x": []any{"y"}}, "additionalItems": false, "definitions": Object{"x": Object{}},
	"externalDocs": Object{"url": "http://example.com"}, "example": 1, "nullable": true,
	"x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-embedded-resource": true, "x-kubernetes-int-or-string": true,
	"x-kubernetes-list-map-keys": []any{"a"}, "x-kubernetes-list-type": "map", "x-kubernetes-map-type": "atomic",
	"x-kubernetes-validations": []any{Object{"rule": "true"}},
}

// singular returns cases that make sense in one place only.
func singular() []Case {
	root := func(properties Object) Object { return Object{"type": "object", "properties": properties} }
	meta := func(properties Object) Object {
		return root(Object{"metadata": Object{"type": "object", "properties": properties}})
	}
	str := Object{"type": "string"}
	cases := []Case{
		{"root: an array", Object{"type": "array", "items": str}},
		{"root: a string", str},
		{"root: nothing", Object{}},
		{"metadata: generateName", meta(Object{"generateName": str})},
		{"metadata: name and generateName", meta(Object{"name": str, "generateName": str})},
		{"metadata: name and labels", meta(Object{"name": str, "labels": Object{"type": "object"}})},
		{"metadata: all three", meta(Object{"name": str, "generateName": str, "labels": Object{"type": "object"}})},
		{"metadata: labels", meta(Object{"labels": Object{"type": "object"}})},
		{"metadata: no properties", meta(Object{})},
		{"a property without a name", root(Object{"": Object{}})},
		{"a property with a bracket", root(Object{"a]": Object{}, "[b": Object{"type": "array"}})},
		{"a property with a newline", root(Object{"a\nb": Object{}, "\"": Object{"pattern": "("}})},
	}
	// The empty form of each keyword, which Kubernetes tells from its absence in one place: the metadata of the root.
	for _, k := range slices.Sorted(maps.Keys(keywords)) {
		var empty any
		switch keywords[k].(type) {
		case string:
			empty = ""
		case []any:
			empty = []any{}
		case Object:
			empty = Object{}
		case bool:
			empty = false
		default:
			empty = 0
		}
		s := Object{"type": "object"}
		s[k] = empty
		cases = append(cases, Case{"metadata: empty " + k, root(Object{"metadata": s})})
		cases = append(cases, Case{"metadata in a junctor: empty " + k, Object{"type": "object", "allOf": []any{Object{k: empty}}}})
	}
	return cases
}
