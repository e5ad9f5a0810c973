package structural_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/structural"
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
	for _, p := range []schemaPlace{
		{Name: "the root", Text: `%s`, Path: `x`},
		{Name: "a property", Text: `{properties: {p: %s}}`, Path: `x.properties[p]`},
		{Name: "items", Text: `{items: %s}`, Path: `x.items`},
		{Name: "additionalProperties", Text: `{additionalProperties: %s}`, Path: `x.additionalProperties`},
		{Name: "allOf", Text: `{allOf: [%s]}`, Path: `x.allOf[0]`},
		{Name: "anyOf", Text: `{anyOf: [{}, %s]}`, Path: `x.anyOf[1]`},
		{Name: "oneOf", Text: `{oneOf: [%s]}`, Path: `x.oneOf[0]`},
		{Name: "not", Text: `{not: %s}`, Path: `x.not`},
		{Name: "a nested property", Text: `{not: {properties: {p: %s}}}`, Path: `x.not.properties[p]`},
		{Name: "nested items", Text: `{not: {items: %s}}`, Path: `x.not.items`},
		{Name: "nested additionalProperties", Text: `{not: {additionalProperties: %s}}`, Path: `x.not.additionalProperties`},
	} {
		for _, k := range keywords {
			t.Run(k.keyword+" in "+p.Name, func(t *testing.T) {
				s, errs := structural.NewSchema(structuraltest.ParseSchema(t, embed(p, k.schema)), structural.NewPath("x"))
				structuraltest.WantTexts(t, errs, p.Path+"."+k.keyword+": "+k.detail)
				if s == nil || s.XPreserveUnknownFields {
					t.Errorf("the schema is %+v", s)
				}
				for _, e := range errs {
					if e.Type != "" {
						t.Errorf("type %s", e.Type)
					}
				}
			})
		}
	}
}

func TestNewSchemaGoesOnAfterAnError(t *testing.T) {
	s, errs := structural.NewSchema(structuraltest.ParseSchema(t, `{type: object, id: a, $ref: b, definitions: {d: {}},
		properties: {q: {type: string, $schema: c}, p: {type: array, items: [{}], not: {additionalItems: true}}}}`), structural.NewPath("x"))
	want := []string{
		`x.id: OpenAPIV3Schema 'id' is not supported`,
		`x.$ref: OpenAPIV3Schema '$ref' is not supported`,
		`x.definitions: OpenAPIV3Schema 'definitions' is not supported`,
		`x.properties[p].not.additionalItems: OpenAPIV3Schema 'additionalItems' is not supported`,
		`x.properties[p].items: OpenAPIV3Schema 'items' must be a schema, but is an array`,
		`x.properties[q].$schema: OpenAPIV3Schema 'schema' is not supported`,
	}
	if have := structuraltest.Texts(errs); !slices.Equal(have, want) {
		t.Errorf("have %q, want %q", have, want)
	}
	if s.Properties["q"].Type != "string" || s.Properties["p"].Items != nil {
		t.Errorf("the rest is not there: %+v", s)
	}
}

func TestNewSchemaTakesEmptyKeywordsForNone(t *testing.T) {
	for _, s := range []string{
		`{id: ""}`, `{$schema: ""}`, `{$ref: ""}`, `{patternProperties: {}}`, `{dependencies: {}}`, `{definitions: {}}`, `{items: []}`,
	} {
		structuraltest.WantTexts(t, errorsOf(structural.NewSchema(structuraltest.ParseSchema(t, s), structural.NewPath("x"))))
	}
	if s, errs := structural.NewSchema(nil, nil); s != nil || errs != nil {
		t.Errorf("nil becomes %v, %v", s, errs)
	}
}

func errorsOf(_ *structural.Schema, errs []*structural.Error) []*structural.Error { return errs }

// TestNewSchemaTellsEmptyFromAbsent is about what decides whether a schema is one of the patterns of int-or-string, or
// restricts metadata.
func TestNewSchemaTellsEmptyFromAbsent(t *testing.T) {
	s := structuraltest.NewSchema(t, `{properties: {}, required: [], enum: [], allOf: [], x-kubernetes-list-map-keys: [],
		not: {properties: {}, required: [], enum: [], additionalProperties: true, x-kubernetes-validations: []},
		anyOf: [{additionalProperties: false}]}`)
	fromGo, _ := structural.NewSchema(&structural.JSONSchema{Enum: []any{}, AllOf: []*structural.JSONSchema{}}, nil)
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
		"nested additionalProperties":    reflect.DeepEqual(not.AdditionalProperties, &structural.NestedValueValidation{}),
		"no nested additionalProperties": s.ValueValidation.AnyOf[0].AdditionalProperties == nil,
	} {
		if !ok {
			t.Errorf("not so: %s", name)
		}
	}
}

func TestNewSchemaKeepsEveryKeyword(t *testing.T) {
	s := structuraltest.NewSchema(t, fullSchema)
	wantNoZeroFields(t, "schema", reflect.ValueOf(*s))
	wantNoZeroFields(t, "externalDocs", reflect.ValueOf(*s.ExternalDocs))
	wantNoZeroFields(t, "rule", reflect.ValueOf(s.XValidations[0]))
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
	in := structuraltest.ParseSchema(t, fullSchema)
	before := structuraltest.ToJSON(t, in.Object())
	s, _ := structural.NewSchema(in, nil)
	c := s.Copy()
	if !reflect.DeepEqual(s, c) {
		t.Error("the copy is different")
	}
	wreck(s)
	if structuraltest.ToJSON(t, in.Object()) != before {
		t.Error("changing the schema changed what it was made from")
	}
	again, _ := structural.NewSchema(in, nil)
	if !reflect.DeepEqual(again, c) {
		t.Error("changing the schema changed its copy")
	}
}

// wreck changes whatever can be changed in s.
func wreck(s *structural.Schema) {
	s.Default.(map[string]any)["a"].([]any)[0] = "wrecked"
	s.Example.(map[string]any)["b"] = "wrecked"
	s.ExternalDocs.URL = "wrecked"
	s.XListMapKeys[0] = "wrecked"
	s.Properties["p"].Type = "wrecked"
	s.Properties["new"] = &structural.Schema{}
	s.Items.Type = "wrecked"
	s.AdditionalProperties.Schema.Type = "wrecked"
	s.AdditionalProperties.Bool = false
	vv := s.ValueValidation
	vv.Enum[0] = "wrecked"
	vv.Required[0] = "wrecked"
	vv.AllOf[0].Pattern = "wrecked"
	vv.AnyOf[0] = &structural.NestedValueValidation{}
	vv.OneOf[0].Pattern = "wrecked"
	vv.Not.Properties["q"].Pattern = "wrecked"
	vv.Not.Items.Pattern = "wrecked"
	vv.Not.AdditionalProperties.Pattern = "wrecked"
	vv.Not.Pattern = "wrecked"
	vv.Pattern = "wrecked"
}

// The server reports the first error.
func TestWhatCannotBeConvertedIsRefused(t *testing.T) {
	for schema, first := range map[string]string{
		"{}":       "",
		"{id: ''}": "", "{$schema: ''}": "", "{$ref: ''}": "", "{patternProperties: {}}": "", "{definitions: {}}": "", "{dependencies: {}}": "", "{items: []}": "", "{items: {}}": "",
		"{x-kubernetes-preserve-unknown-fields: true}":  "",
		"{x-kubernetes-preserve-unknown-fields: false}": "s.x-kubernetes-preserve-unknown-fields: internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined",
		"{id: a}":                      "s.id: OpenAPIV3Schema 'id' is not supported",
		"{$schema: a}":                 "s.$schema: OpenAPIV3Schema 'schema' is not supported",
		"{$ref: a}":                    "s.$ref: OpenAPIV3Schema '$ref' is not supported",
		"{additionalItems: false}":     "s.additionalItems: OpenAPIV3Schema 'additionalItems' is not supported",
		"{patternProperties: {a: {}}}": "s.patternProperties: OpenAPIV3Schema 'patternProperties' is not supported",
		"{definitions: {a: {}}}":       "s.definitions: OpenAPIV3Schema 'definitions' is not supported",
		"{dependencies: {a: []}}":      "s.dependencies: OpenAPIV3Schema 'dependencies' is not supported",
		"{items: [{}]}":                "s.items: OpenAPIV3Schema 'items' must be a schema, but is an array",
	} {
		_, refused := structural.NewSchema(structuraltest.ParseSchema(t, schema), structural.NewPath("s"))
		have := ""
		if len(refused) > 0 {
			have = refused[0].Error()
		}
		if have != first {
			t.Errorf("%s: refused for %q, want %q", schema, have, first)
		}
	}
	// A schema itself goes first, then its value validation, itself, its elements, its fields by name, and its values.
	for schema, first := range map[string]string{
		"{not: {id: a}, items: {id: a}, id: a}":                                        "s.id",
		"{items: {id: a}, properties: {a: {id: a}}, anyOf: [{id: a}], not: {id: a}}":   "s.not.id",
		"{oneOf: [{id: a}], anyOf: [{id: a}], allOf: [{}, {id: a}]}":                   "s.allOf[1].id",
		"{oneOf: [{id: a}], anyOf: [{id: a}]}":                                         "s.anyOf[0].id",
		"{oneOf: [{id: a}], x-kubernetes-preserve-unknown-fields: false}":              "s.oneOf[0].id",
		"{items: {id: a}, x-kubernetes-preserve-unknown-fields: false}":                "s.x-kubernetes-preserve-unknown-fields",
		"{properties: {b: {id: a}, a: {id: a}}, items: {id: a}}":                       "s.items.id",
		"{properties: {b: {id: a}, a: {id: a}}, additionalProperties: {id: a}}":        "s.properties[a].id",
		"{additionalProperties: {id: a}}":                                              "s.additionalProperties.id",
		"{not: {properties: {b: {id: a}, a: {id: a}}, items: {id: a}}}":                "s.not.items.id",
		"{not: {properties: {b: {id: a}, a: {id: a}}, additionalProperties: {id: a}}}": "s.not.properties[a].id",
		"{not: {additionalProperties: {id: a}}}":                                       "s.not.additionalProperties.id",
	} {
		_, refused := structural.NewSchema(structuraltest.ParseSchema(t, schema), structural.NewPath("s"))
		if len(refused) == 0 || refused[0].Path.String() != first {
			t.Errorf("%s: %v, want %s", schema, refused, first)
		}
	}
}
