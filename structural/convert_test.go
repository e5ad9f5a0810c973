package structural

import (
	"reflect"
	"testing"
)

func TestNewSchemaRefusesWhatCRDsDoNotHave(t *testing.T) {
	keywords := []struct {
		schema, keyword, detail string
	}{
		{`{id: a}`, `id`, `OpenAPIV3Schema 'id' is not supported`},
		{`{$schema: a}`, `$schema`, `OpenAPIV3Schema 'schema' is not supported`},
		{`{$ref: a}`, `$ref`, `OpenAPIV3Schema '$ref' is not supported`},
		{`{patternProperties: {a: {}}}`, `patternProperties`, `OpenAPIV3Schema 'patternProperties' is not supported`},
		{`{dependencies: {a: [b]}}`, `dependencies`, `OpenAPIV3Schema 'dependencies' is not supported`},
		{`{additionalItems: false}`, `additionalItems`, `OpenAPIV3Schema 'additionalItems' is not supported`},
		{`{definitions: {a: {}}}`, `definitions`, `OpenAPIV3Schema 'definitions' is not supported`},
		{`{items: [{type: string}]}`, `items`, `OpenAPIV3Schema 'items' must be a schema, but is an array`},
		{`{x-kubernetes-preserve-unknown-fields: false}`, `x-kubernetes-preserve-unknown-fields`,
			`internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined`},
	}
	for _, p := range []context{
		{"the root", `%s`, `x`},
		{"a property", `{properties: {p: %s}}`, `x.properties[p]`},
		{"items", `{items: %s}`, `x.items`},
		{"additionalProperties", `{additionalProperties: %s}`, `x.additionalProperties`},
		{"allOf", `{allOf: [%s]}`, `x.allOf[0]`},
		{"anyOf", `{anyOf: [{}, %s]}`, `x.anyOf[1]`},
		{"oneOf", `{oneOf: [%s]}`, `x.oneOf[0]`},
		{"not", `{not: %s}`, `x.not`},
		{"a nested property", `{not: {properties: {p: %s}}}`, `x.not.properties[p]`},
		{"nested items", `{not: {items: %s}}`, `x.not.items`},
		{"nested additionalProperties", `{not: {additionalProperties: %s}}`, `x.not.additionalProperties`},
	} {
		for _, k := range keywords {
			t.Run(k.keyword+" in "+p.name, func(t *testing.T) {
				s, errs := NewSchema(parseSchema(t, p.embed(k.schema)), NewPath("x"))
				wantTexts(t, errs, p.path+"."+k.keyword+": "+k.detail)
				if s == nil || s.XPreserveUnknownFields {
					t.Errorf("the schema is %+v", s)
				}
				for _, e := range errs {
					if e.Type != ErrorUnsupported {
						t.Errorf("type %s", e.Type)
					}
				}
			})
		}
	}
}

func TestNewSchemaGoesOnAfterAnError(t *testing.T) {
	s, errs := NewSchema(parseSchema(t, `{type: object, id: a, $ref: b, definitions: {d: {}},
		properties: {q: {type: string, $schema: c}, p: {type: array, items: [{}], not: {additionalItems: true}}}}`), NewPath("x"))
	wantTexts(t, errs,
		`x.$ref: OpenAPIV3Schema '$ref' is not supported`,
		`x.definitions: OpenAPIV3Schema 'definitions' is not supported`,
		`x.id: OpenAPIV3Schema 'id' is not supported`,
		`x.properties[p].items: OpenAPIV3Schema 'items' must be a schema, but is an array`,
		`x.properties[p].not.additionalItems: OpenAPIV3Schema 'additionalItems' is not supported`,
		`x.properties[q].$schema: OpenAPIV3Schema 'schema' is not supported`)
	if s.Properties["q"].Type != "string" || s.Properties["p"].Items != nil {
		t.Errorf("the rest is not there: %+v", s)
	}
}

func TestNewSchemaTakesEmptyKeywordsForNone(t *testing.T) {
	for _, s := range []string{
		`{id: ""}`, `{$schema: ""}`, `{$ref: ""}`, `{patternProperties: {}}`, `{dependencies: {}}`, `{definitions: {}}`, `{items: []}`,
	} {
		wantTexts(t, errorsOf(NewSchema(parseSchema(t, s), NewPath("x"))))
	}
	if s, errs := NewSchema(nil, nil); s != nil || errs != nil {
		t.Errorf("nil becomes %v, %v", s, errs)
	}
}

func errorsOf(_ *Schema, errs []*Error) []*Error { return errs }

// TestNewSchemaTellsEmptyFromAbsent is about what decides whether a schema is one of the patterns of int-or-string, or
// restricts metadata.
func TestNewSchemaTellsEmptyFromAbsent(t *testing.T) {
	s := newSchema(t, `{properties: {}, required: [], enum: [], allOf: [], x-kubernetes-list-map-keys: [],
		not: {properties: {}, required: [], enum: [], additionalProperties: true, x-kubernetes-validations: []},
		anyOf: [{additionalProperties: false}]}`)
	fromGo, _ := NewSchema(&JSONSchema{Enum: []any{}, AllOf: []*JSONSchema{}}, nil)
	not := s.ValueValidation.Not
	for name, ok := range map[string]bool{
		"no properties":                  s.Properties == nil,
		"an empty required":              s.ValueValidation.Required != nil,
		"no enum":                        s.ValueValidation.Enum == nil && fromGo.ValueValidation.Enum == nil,
		"no allOf":                       s.ValueValidation.AllOf == nil && fromGo.ValueValidation.AllOf == nil,
		"empty keys":                     s.XListMapKeys != nil,
		"nested empty properties":        not.Properties != nil,
		"a nested empty required":        not.Required != nil,
		"no nested enum":                 not.Enum == nil,
		"nested empty rules":             not.XValidations != nil,
		"nested additionalProperties":    reflect.DeepEqual(not.AdditionalProperties, &NestedValueValidation{}),
		"no nested additionalProperties": s.ValueValidation.AnyOf[0].AdditionalProperties == nil,
	} {
		if !ok {
			t.Errorf("not so: %s", name)
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

func TestNewSchemaKeepsEveryKeyword(t *testing.T) {
	s := newSchema(t, fullSchema)
	wantNoZeroFields(t, "schema", reflect.ValueOf(*s))
	wantNoZeroFields(t, "externalDocs", reflect.ValueOf(*s.ExternalDocs))
	wantNoZeroFields(t, "rule", reflect.ValueOf(s.XValidations[0]))
	wantNoZeroFields(t, "union", reflect.ValueOf(s.XUnions[0]))
	if s.AdditionalProperties.Schema.Type != "integer" || !s.AdditionalProperties.Bool {
		t.Errorf("additionalProperties: %+v", s.AdditionalProperties)
	}
	for name, v := range map[string]any{
		"default": s.Default, "example": s.Example, "enum": s.ValueValidation.Enum,
		"minimum": *s.ValueValidation.Minimum, "minProperties": *s.ValueValidation.MinProperties,
	} {
		want := map[string]any{
			"default": map[string]any{"a": []any{int64(1), 2.5, nil}}, "example": map[string]any{"b": "c"},
			"enum": []any{int64(1), "a", nil}, "minimum": 1.0, "minProperties": int64(8),
		}[name]
		if !reflect.DeepEqual(v, want) {
			t.Errorf("%s: got %#v, want %#v", name, v, want)
		}
	}
	not := s.ValueValidation.Not
	if *not.MinLength != 13 || *not.Properties["q"].MinLength != 14 || *not.Items.MinLength != 15 ||
		*not.AdditionalProperties.MinLength != 16 || not.ForbiddenGenerics.Type != "string" ||
		*not.ForbiddenExtensions.XMapType != "atomic" || not.XValidations[0].Rule != "inner" {
		t.Errorf("not: %+v", not)
	}
	vv := s.ValueValidation
	if *vv.AllOf[0].MinLength != 10 || *vv.AnyOf[0].MinLength != 11 || *vv.OneOf[0].MinLength != 12 {
		t.Errorf("junctors: %+v", vv)
	}
}

// wantNoZeroFields follows structs that are parts of others, and pointers to value validation.
func wantNoZeroFields(t *testing.T, name string, v reflect.Value) {
	t.Helper()
	for i := range v.NumField() {
		f := v.Field(i)
		at := name + "." + v.Type().Field(i).Name
		switch {
		case f.IsZero():
			t.Errorf("%s is not set", at)
		case f.Kind() == reflect.Struct:
			wantNoZeroFields(t, at, f)
		case v.Type().Field(i).Name == "ValueValidation":
			wantNoZeroFields(t, at, f.Elem())
		}
	}
}

func TestSchemasShareNothingThatChanges(t *testing.T) {
	in := parseSchema(t, fullSchema)
	before := toJSON(t, in.Object())
	s, _ := NewSchema(in, nil)
	c := s.copy()
	if !reflect.DeepEqual(s, c) {
		t.Error("the copy is different")
	}
	wreck(s)
	if toJSON(t, in.Object()) != before {
		t.Error("changing the schema changed what it was made from")
	}
	again, _ := NewSchema(in, nil)
	if !reflect.DeepEqual(again, c) {
		t.Error("changing the schema changed its copy")
	}
}

// wreck changes whatever can be changed in s.
func wreck(s *Schema) {
	s.Default.(map[string]any)["a"].([]any)[0] = "wrecked"
	s.Example.(map[string]any)["b"] = "wrecked"
	s.ExternalDocs.URL = "wrecked"
	s.XListMapKeys[0] = "wrecked"
	s.XUnions[0].Fields["a"] = "wrecked"
	s.XUnions[0].Discriminator = "wrecked"
	s.Properties["p"].Type = "wrecked"
	s.Properties["new"] = &Schema{}
	s.Items.Type = "wrecked"
	s.AdditionalProperties.Schema.Type = "wrecked"
	s.AdditionalProperties.Bool = false
	vv := s.ValueValidation
	vv.Enum[0] = "wrecked"
	vv.Required[0] = "wrecked"
	vv.AllOf[0].Pattern = "wrecked"
	vv.AnyOf[0] = &NestedValueValidation{}
	vv.OneOf[0].Pattern = "wrecked"
	vv.Not.Properties["q"].Pattern = "wrecked"
	vv.Not.Items.Pattern = "wrecked"
	vv.Not.AdditionalProperties.Pattern = "wrecked"
	vv.Not.Pattern = "wrecked"
	vv.Pattern = "wrecked"
}
