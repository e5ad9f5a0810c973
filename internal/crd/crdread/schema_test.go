package crdread_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/structural"
)

// keywordSample has every keyword of a schema once.
const keywordSample = `
id: a
$schema: b
$ref: c
description: d
type: object
format: e
title: f
default: {x: [1, 1.5, null, yy]}
maximum: 5
exclusiveMaximum: true
minimum: -0.5
exclusiveMinimum: true
maxLength: 1
minLength: 2
pattern: g
maxItems: 3
minItems: 4
uniqueItems: true
multipleOf: 0.25
enum: [null, 1, x, {y: 2}]
maxProperties: 5
minProperties: 6
required: [h, i]
items: {type: string}
allOf: [{type: a}]
oneOf: [{type: b}]
anyOf: [{type: c}, {type: d}]
not: {type: e}
properties: {j: {type: f}}
additionalProperties: {type: g}
patternProperties: {^k: {type: h}}
dependencies: {l: {type: i}, m: [z]}
additionalItems: false
definitions: {o: {type: j}}
externalDocs: {description: p, url: q}
example: 7
nullable: true
x-kubernetes-preserve-unknown-fields: false
x-kubernetes-embedded-resource: true
x-kubernetes-int-or-string: true
x-kubernetes-list-map-keys: [r]
x-kubernetes-list-type: map
x-kubernetes-map-type: atomic
x-kubernetes-validations:
- {rule: s, message: t, messageExpression: u, reason: FieldValueInvalid, fieldPath: .v, optionalOldSelf: true}
x-kubernetes-unions:
- {discriminator: w, fields: {x: X, z: Z}}
x-kubernetes-no-prune: true
`

func pointer[T any](v T) *T { return &v }

func TestParseSchemaReadsEveryKeyword(t *testing.T) {
	of := func(typ string) *structural.JSONSchema { return &structural.JSONSchema{Type: typ} }
	want := &structural.JSONSchema{
		ID: "a", Schema: "b", Ref: pointer("c"), Description: "d", Type: "object", Format: "e", Title: "f",
		Default: map[string]any{"x": []any{int64(1), 1.5, nil, "yy"}},
		Maximum: pointer(5.0), ExclusiveMaximum: true, Minimum: pointer(-0.5), ExclusiveMinimum: true,
		MaxLength: pointer[int64](1), MinLength: pointer[int64](2), Pattern: "g", MaxItems: pointer[int64](3),
		MinItems: pointer[int64](4), UniqueItems: true, MultipleOf: pointer(0.25),
		Enum:          []any{nil, int64(1), "x", map[string]any{"true": int64(2)}},
		MaxProperties: pointer[int64](5), MinProperties: pointer[int64](6), Required: []string{"h", "i"},
		Items: &structural.JSONSchemaOrArray{Schema: of("string")},
		AllOf: []*structural.JSONSchema{of("a")}, OneOf: []*structural.JSONSchema{of("b")}, AnyOf: []*structural.JSONSchema{of("c"), of("d")}, Not: of("e"),
		Properties:           map[string]*structural.JSONSchema{"j": of("f")},
		AdditionalProperties: &structural.JSONSchemaOrBool{Schema: of("g"), Allows: true},
		PatternProperties:    map[string]*structural.JSONSchema{"^k": of("h")},
		Dependencies:         map[string]structural.JSONSchemaOrStrings{"l": {Schema: of("i")}, "m": {Strings: []string{"z"}}},
		AdditionalItems:      &structural.JSONSchemaOrBool{},
		Definitions:          map[string]*structural.JSONSchema{"o": of("j")},
		ExternalDocs:         &structural.ExternalDocumentation{Description: "p", URL: "q"},
		Example:              int64(7), Nullable: true,
		XPreserveUnknownFields: pointer(false), XEmbeddedResource: true, XIntOrString: true,
		XListMapKeys: []string{"r"}, XListType: pointer("map"), XMapType: pointer("atomic"),
		XValidations: []structural.ValidationRule{{
			Rule: "s", Message: "t", MessageExpression: "u", Reason: pointer("FieldValueInvalid"), FieldPath: ".v",
			OptionalOldSelf: pointer(true),
		}},
		XUnions:  []structural.Union{{Discriminator: "w", Fields: map[string]string{"x": "X", "z": "Z"}}},
		XNoPrune: pointer(true),
	}
	got := structuraltest.ParseSchema(t, keywordSample)
	if !reflect.DeepEqual(got, want) {
		g, w := reflect.ValueOf(*got), reflect.ValueOf(*want)
		for i := range g.NumField() {
			if !reflect.DeepEqual(g.Field(i).Interface(), w.Field(i).Interface()) {
				t.Errorf("%s: got %#v, want %#v", g.Type().Field(i).Name, g.Field(i).Interface(), w.Field(i).Interface())
			}
		}
	}
	// A field that is added to the type must be read, and be in this test.
	for i, v := 0, reflect.ValueOf(*got); i < v.NumField(); i++ {
		if v.Field(i).IsZero() {
			t.Errorf("%s is read by nothing in this test", v.Type().Field(i).Name)
		}
	}
	if got := structuraltest.ParseSchema(t, "x-kubernetes-no-pruning: false"); got.XNoPrune == nil || *got.XNoPrune {
		t.Error("x-kubernetes-no-pruning is not read")
	}
}

func TestEveryKeywordCanBeSuggested(t *testing.T) {
	for _, line := range strings.Split(strings.TrimSpace(keywordSample), "\n") {
		key, _, _ := strings.Cut(line, ":")
		ours := key == "x-kubernetes-unions" || key == "x-kubernetes-no-prune" || strings.HasPrefix(key, "-")
		if !ours && !slices.Contains(crdread.Suggested(&structural.JSONSchema{}), key) {
			t.Errorf("%s is not among the keywords", key)
		}
	}
}

// TestParseSchemaReadsOddValuesAsKubernetesDoes has what the types of Kubernetes make of values that are allowed but odd.
func TestParseSchemaReadsOddValuesAsKubernetesDoes(t *testing.T) {
	empty := &structural.JSONSchema{}
	for text, want := range map[string]*structural.JSONSchema{
		"{}":                                    empty,
		"items: null":                           empty,
		"items: []":                             {Items: &structural.JSONSchemaOrArray{Schemas: []*structural.JSONSchema{}}},
		"items: [null, {}]":                     {Items: &structural.JSONSchemaOrArray{Schemas: []*structural.JSONSchema{{}, {}}}},
		"additionalProperties: null":            empty,
		"additionalProperties: true":            {AdditionalProperties: &structural.JSONSchemaOrBool{Allows: true}},
		"additionalProperties: false":           {AdditionalProperties: &structural.JSONSchemaOrBool{}},
		"additionalProperties: {}":              {AdditionalProperties: &structural.JSONSchemaOrBool{Schema: &structural.JSONSchema{}, Allows: true}},
		"additionalItems: null":                 empty,
		"properties: null":                      empty,
		"properties: {}":                        {Properties: map[string]*structural.JSONSchema{}},
		"properties: {a: null}":                 {Properties: map[string]*structural.JSONSchema{"a": {}}},
		"patternProperties: null":               empty,
		"definitions: {a: null}":                {Definitions: map[string]*structural.JSONSchema{"a": {}}},
		"dependencies: null":                    empty,
		"dependencies: {a: null, b: x, c: 1}":   {Dependencies: map[string]structural.JSONSchemaOrStrings{"a": {}, "b": {}, "c": {}}},
		"dependencies: {a: []}":                 {Dependencies: map[string]structural.JSONSchemaOrStrings{"a": {Strings: []string{}}}},
		"default: null":                         empty,
		"default: false":                        {Default: false},
		"default: 0":                            {Default: int64(0)},
		"default: ''":                           {Default: ""},
		"default: []":                           {Default: []any{}},
		"default: {}":                           {Default: map[string]any{}},
		"default: 1.0":                          {Default: int64(1)},
		"{\"default\": 1.0}":                    {Default: 1.0},
		"default: 2001-01-01":                   {Default: "2001-01-01"},
		"example: null":                         empty,
		"enum: null":                            empty,
		"enum: [null]":                          {Enum: []any{nil}},
		"enum: [yes, 0755, 1_000]":              {Enum: []any{true, int64(493), int64(1000)}},
		"type: null":                            empty,
		"required: null":                        empty,
		"required: [null]":                      {Required: []string{""}},
		"maximum: null":                         empty,
		"maximum: 1":                            {Maximum: pointer(1.0)},
		"maximum: 9007199254740993":             {Maximum: pointer(9007199254740992.0)},
		"maximum: 18446744073709551615":         {Maximum: pointer(18446744073709551615.0)},
		"maxLength: 1.0":                        {MaxLength: pointer[int64](1)},
		"maxLength: 1e3":                        {MaxLength: pointer[int64](1000)},
		"maxLength: null":                       empty,
		"nullable: null":                        empty,
		"nullable: yes":                         {Nullable: true},
		"not: null":                             empty,
		"allOf: null":                           empty,
		"allOf: [null]":                         {AllOf: []*structural.JSONSchema{{}}},
		"externalDocs: null":                    empty,
		"externalDocs: {}":                      {ExternalDocs: &structural.ExternalDocumentation{}},
		"$ref: null":                            empty,
		"$ref: ''":                              {Ref: pointer("")},
		"x-kubernetes-preserve-unknown-fields:": empty,
		"x-kubernetes-list-type: null":          empty,
		"x-kubernetes-list-type: ''":            {XListType: pointer("")},
		"x-kubernetes-validations: null":        empty,
		"x-kubernetes-validations: [null]":      {XValidations: []structural.ValidationRule{{}}},
		"x-kubernetes-unions: [{fields: null}]": {XUnions: []structural.Union{{}}},
		"# a comment\n---\ntype: object\n...\n": {Type: "object"},
	} {
		if got := structuraltest.ParseSchema(t, text); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, want %+v", text, got, want)
		}
	}
}

func TestItemsThatAreNoSchema(t *testing.T) {
	for _, value := range []string{"true", "5", "x"} {
		s, findings := crdread.ParseSchema("x", []byte("items: "+value))
		if s == nil || !reflect.DeepEqual(s.Items, &structural.JSONSchemaOrArray{}) {
			t.Errorf("items: %s gives %+v", value, s)
		}
		if len(findings) != 1 || findings[0].Severity != structural.SeverityWarning ||
			!strings.HasPrefix(findings[0].Message, "items: expected a schema, found the ") {
			t.Errorf("items: %s: %v", value, findings)
		}
	}
}

func TestWrongTypesInASchemaAreErrors(t *testing.T) {
	text := `description: 5
type: [string, "null"]
$ref: {}
maximum: "5"
exclusiveMaximum: 5
minLength: abc
maxLength: 1.5
minItems: 99999999999999999999
uniqueItems: 1
enum: {a: b}
required: yes
items: {type: [integer, string]}
allOf: {}
oneOf: [string, {type: {}}]
not: []
properties:
  a: {type: 1}
  b: string
  c:
    required: true
additionalProperties: "true"
patternProperties: []
dependencies: {a: [1]}
definitions:
  a: {nullable: "yes"}
externalDocs: http://example.com
x-kubernetes-preserve-unknown-fields: "true"
x-kubernetes-int-or-string: [true]
x-kubernetes-list-map-keys: name
x-kubernetes-list-type: [map]
x-kubernetes-validations: {rule: x}
x-kubernetes-unions: [{discriminator: 1, fields: {a: 1}}]
exclusiveMinimum: 0.5
anyOf: [{x-kubernetes-validations: [{rule: [x]}, z]}]
`
	s, findings := crdread.ParseSchema("x", []byte(text))
	if s != nil {
		t.Error("a schema with errors was returned")
	}
	wantFindings(t, findings,
		"1:1 error: description: expected a string, found the integer 5 (put it in quotes)",
		"2:1 error: type: expected a string, found a list (write type: string and nullable: true)",
		"3:1 error: $ref: expected a string, found an object",
		`4:1 error: maximum: expected a number, found the string "5"`,
		"5:1 error: exclusiveMaximum: expected a boolean, found the integer 5 (write the number as maximum and exclusiveMaximum: true)",
		`6:1 error: minLength: expected an integer, found the string "abc"`,
		"7:1 error: maxLength: expected an integer, found the number 1.5",
		"8:1 error: minItems: expected an integer, found the number 1e+20",
		"9:1 error: uniqueItems: expected a boolean, found the integer 1",
		"10:1 error: enum: expected a list of values, found an object",
		"11:1 error: required: expected a list of strings, found the boolean true (required is a list of "+
			"names of fields, in the schema of the object that has the fields)",
		"12:9 error: items.type: expected a string, found a list (write one type; for a value that is an integer or a string write "+
			"x-kubernetes-int-or-string: true)",
		"13:1 error: allOf: expected a list of schemas, found an object",
		`14:9 error: oneOf[0]: expected an object, found the string "string"`,
		"14:18 error: oneOf[1].type: expected a string, found an object",
		"15:1 error: not: expected an object, found a list",
		"17:7 error: properties[a].type: expected a string, found the integer 1 (put it in quotes)",
		`18:3 error: properties[b]: expected an object, found the string "string"`,
		"20:5 error: properties[c].required: expected a list of strings, found the boolean true (required is a list of "+
			"names of fields, in the schema of the object that has the fields)",
		`21:1 error: additionalProperties: expected a boolean or a schema, found the string "true"`,
		"22:1 error: patternProperties: expected an object, found a list",
		"23:20 error: dependencies[a][0]: expected a string, found the integer 1 (put it in quotes)",
		`25:7 error: definitions[a].nullable: expected a boolean, found the string "yes"`,
		`26:1 error: externalDocs: expected an object, found the string "http://example.com"`,
		`27:1 error: x-kubernetes-preserve-unknown-fields: expected a boolean, found the string "true" (remove the quotes)`,
		"28:1 error: x-kubernetes-int-or-string: expected a boolean, found a list",
		`29:1 error: x-kubernetes-list-map-keys: expected a list of strings, found the string "name"`,
		"30:1 error: x-kubernetes-list-type: expected a string, found a list",
		"31:1 error: x-kubernetes-validations: expected a list of rules, found an object",
		"32:24 error: x-kubernetes-unions[0].discriminator: expected a string, found the integer 1 (put it in quotes)",
		"32:51 error: x-kubernetes-unions[0].fields[a]: expected a string, found the integer 1 (put it in quotes)",
		"33:1 error: exclusiveMinimum: expected a boolean, found the number 0.5 (write the number as minimum and exclusiveMinimum: true)",
		"34:38 error: anyOf[0].x-kubernetes-validations[0].rule: expected a string, found a list",
		`34:50 error: anyOf[0].x-kubernetes-validations[1]: expected an object, found the string "z"`,
	)
}

func TestNumbersInJSONKeepTheirType(t *testing.T) {
	// YAML is printed as JSON before it is read, JSON is not: 1.0 is no integer there.
	s, findings := crdread.ParseSchema("x", []byte(`{"maxLength": 1.0}`))
	if s != nil {
		t.Error("1.0 was read as an integer")
	}
	wantFindings(t, findings, "1:2 error: maxLength: expected an integer, found the number 1")
}

func TestUnknownKeywordsAreWarnings(t *testing.T) {
	f := crdread.Load("x", strings.NewReader(structuraltest.CRDWith(`type: object
readOnly: true
properties:
  spec:
    foo: 1
    tpye: string
    Required: [a]
    x-kubernetes-preserve-unknown-field: true
    x-vendor: 1
    properties:
      a:
        items: {minlength: 1}
        anyOf:
        - {x-kubernetes-validations: [{rules: x}]}
        additionalProperties: {const: 1}
        externalDocs: {uri: x}
        x-kubernetes-unions: [{field: x}]
`)))
	const schema = "spec.versions[0].schema.openAPIV3Schema"
	a := schema + ".properties.spec.properties.a"
	wantFindings(t, f.Findings,
		`17:9 warning: unknown field "`+schema+`.readOnly" (`+crdread.ForeignKeywords["readOnly"]+`)`,
		`20:13 warning: unknown field "`+schema+`.properties.spec.foo"`,
		`21:13 warning: unknown field "`+schema+`.properties.spec.tpye" (did you mean type?)`,
		`22:13 warning: unknown field "`+schema+`.properties.spec.Required" (did you mean required?)`,
		`23:13 warning: unknown field "`+schema+`.properties.spec.x-kubernetes-preserve-unknown-field" `+
			`(did you mean x-kubernetes-preserve-unknown-fields?)`,
		`24:13 warning: unknown field "`+schema+`.properties.spec.x-vendor" (Kubernetes drops extensions that are not its own)`,
		`27:25 warning: unknown field "`+a+`.items.minlength" (did you mean minLength?)`,
		`29:48 warning: unknown field "`+a+`.anyOf[0].x-kubernetes-validations[0].rules" (did you mean rule?)`,
		`30:40 warning: unknown field "`+a+`.additionalProperties.const" (write an enum with one value)`,
		`31:32 warning: unknown field "`+a+`.externalDocs.uri" (did you mean url?)`,
		`32:40 warning: unknown field "`+a+`.x-kubernetes-unions[0].field" (did you mean fields?)`,
	)
	if len(f.CRDs) != 1 {
		t.Fatal("a CRD with unknown keywords was not used")
	}
	if at := f.Findings[1]; at.Version != "v1" || at.Path != schema+".properties[spec].foo" {
		t.Errorf("got %+v", at)
	}
}

func TestSuggestionsAreNear(t *testing.T) {
	for key, want := range map[string]string{
		"typ": "type", "tipe": "type", "type ": "type", "TYPE": "type", "property": "", "propertys": "properties",
		"proprties": "properties", "item": "items", "oneof": "oneOf", "any": "", "x": "", "": "", "a": "",
		"additionalProperty": "", "minlenght": "minLength", "discription": "description",
		strings.Repeat("a", 1_000_000): "",
	} {
		if want != "" {
			want = "did you mean " + want + "?"
		}
		if got := crdread.DidYouMean(key, crdread.Suggested(&structural.JSONSchema{})); got != want {
			t.Errorf("%.20q: got %q, want %q", key, got, want)
		}
	}
	for _, keyword := range crdread.Suggested(&structural.JSONSchema{}) {
		if _, foreign := crdread.ForeignKeywords[keyword]; foreign {
			t.Errorf("%s is both known and foreign", keyword)
		}
	}
}

func TestParseSchemaWantsOneDocument(t *testing.T) {
	for text, want := range map[string]string{
		"":                   "1:1 error: there is no schema",
		"null":               "1:1 error: there is no schema",
		"{}\n---\n{}":        "3:1 error: there is more than one document",
		"- a":                "1:1 error: expected an object, found a list",
		"a: [":               "1:1 error: invalid YAML: did not find expected node content",
		"type: a\ntype: b\n": `2:1 error: duplicate field "type" (it is set on line 1 already, and the last one counts)`,
		"{\"type\":1}{}":     "1:2 error: type: expected a string, found the integer 1 (put it in quotes)\n1:11 error: there is more than one document",
	} {
		s, findings := crdread.ParseSchema("x", []byte(text))
		if s != nil {
			t.Errorf("%q: got a schema", text)
		}
		if got := strings.Join(findingLines(findings), "\n"); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestSchemasThroughAliases(t *testing.T) {
	s := structuraltest.ParseSchema(t, "properties:\n  a: &a\n    type: string\n  b: *a\n  c:\n    <<: *a\n    format: date\n")
	want := map[string]*structural.JSONSchema{"a": {Type: "string"}, "b": {Type: "string"}, "c": {Type: "string", Format: "date"}}
	if !reflect.DeepEqual(s.Properties, want) {
		t.Errorf("got %+v", s.Properties)
	}
	if s.Properties["a"] == s.Properties["b"] {
		t.Error("two schemas are one: changing one would change the other")
	}
}

// Properties whose keys are not strings to YAML have other names than what is written.
func TestKeysOfPropertiesThatAreNotStrings(t *testing.T) {
	read, found := crdread.ParseSchema("x", []byte("type: object\nproperties:\n  n: {type: string}\n  \"y\": {type: object, properties: {on: {}}}\ndefault: {off: 1}\n"))
	if read.Properties["false"] == nil || read.Properties["y"].Properties["true"] == nil {
		t.Errorf("the schema is %+v", read)
	}
	have := strings.Join(findingLines(found), "\n")
	const want = `3:3 warning: properties[false]: YAML reads the key n as false: the property is called false (put it in quotes: "n")
4:36 warning: properties[y].properties[true]: YAML reads the key on as true: the property is called true (put it in quotes: "on")`
	if have != want {
		t.Errorf("%s\nwant\n%s", have, want)
	}
}
