package jsonschema_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/crd/origin"
	"github.com/prune-gen/prune-gen/internal/explain/jsonschema"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
)

// convert returns the JSON Schema of a field with a schema, in an object with a default beside it.
func convert(t *testing.T, schema string) map[string]any {
	t.Helper()
	c := structuraltest.LoadCRD(t, structuraltest.CRDWith("{type: object, properties: {spec: "+schema+"}}"))
	s, err := jsonschema.Of(c, c.Versions[0])
	if err != nil {
		t.Fatal(err)
	}
	return s["properties"].(map[string]any)["spec"].(map[string]any)
}

func TestKeywords(t *testing.T) {
	for schema, want := range map[string]string{
		// Types. Null is accepted where the server drops it.
		`{type: string, description: d, title: t}`:                                                     `{"type":["string","null"],"description":"d","title":"t"}`,
		`{type: string, nullable: true, enum: [a, b]}`:                                                 `{"type":["string","null"],"enum":["a","b"]}`,
		`{type: string, enum: [a, b]}`:                                                                 `{"type":["string","null"],"enum":["a","b",null]}`,
		`{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}], pattern: "^a$"}`: `{"type":["integer","string","null"],"pattern":"^a$"}`,
		`{x-kubernetes-preserve-unknown-fields: true}`:                                                 `{}`,
		`{type: array, items: {type: string}}`:                                                         `{"type":["array","null"],"items":{"type":"string"}}`,
		`{type: array, items: {type: string}, x-kubernetes-list-type: set}`:                            `{"type":["array","null"],"items":{"type":"string"},"uniqueItems":true}`,
		// Objects.
		`{type: object}`: `{"type":["object","null"],"additionalProperties":false}`,
		`{type: object, x-kubernetes-preserve-unknown-fields: true, required: [a], properties: {a: {type: string}}}`: `{"type":["object","null"],"required":["a"],"properties":{"a":{"type":"string"}}}`,
		`{type: object, additionalProperties: {type: integer, nullable: true}}`:                                      `{"type":["object","null"],"additionalProperties":{"type":["integer","null"]}}`,
		`{type: object, additionalProperties: true}`:                                                                 `{"type":["object","null"],"additionalProperties":{"$ref":"#/definitions/unspecified"}}`,
		// A default fills in what is required.
		`{type: object, required: [a, b], minProperties: 2, properties: {a: {type: string, default: x}, b: {type: boolean}}}`:                                 `{"type":["object","null"],"additionalProperties":false,"minProperties":1,"required":["b"],"properties":{"a":{"type":["string","null"],"default":"x"},"b":{"type":"boolean"}}}`,
		`{type: object, properties: {a: {type: string, default: x}}, oneOf: [{properties: {a: {enum: [x]}}}, {properties: {a: {enum: [z]}}, required: [a]}]}`: `{"type":["object","null"],"additionalProperties":false,"properties":{"a":{"type":["string","null"],"default":"x"}},"if":{"type":"null"},"else":{"oneOf":[{"properties":{"a":{"enum":["x"]}}},{"properties":{"a":{"enum":["z"]}},"required":["a"]}]}}`,
		// Bounds. The server cuts the fraction off a bound before it compares an integer.
		`{type: integer, minimum: 1.5, exclusiveMinimum: true, maximum: 9}`: `{"type":["integer","null"],"exclusiveMinimum":1,"maximum":9}`,
		`{type: number, minimum: 1.5}`:                                      `{"type":["number","null"],"if":{"type":"null"},"else":{"allOf":[{"anyOf":[{"type":"integer","minimum":1},{"minimum":1.5}]}]}}`,
		`{type: number, multipleOf: 0.5}`:                                   `{"type":["number","null"],"multipleOf":0.5}`,
		`{type: integer, multipleOf: 1}`:                                    `{"type":["integer","null"],"multipleOf":1}`,
		`{type: integer, multipleOf: 0.5}`:                                  `{"type":["integer","null"]}`,
		`{type: number, multipleOf: 0}`:                                     `{"type":["number","null"]}`,
		`{type: number, multipleOf: 0.0009765625}`:                          `{"type":["number","null"],"multipleOf":0.0009765625}`,
		`{type: number, multipleOf: 0.00048828125}`:                         `{"type":["number","null"]}`,
		`{type: number, multipleOf: 0.1}`:                                   `{"type":["number","null"]}`,
		`{type: number, enum: [1, 2]}`:                                      `{"type":["number","null"]}`,
		// Formats.
		`{type: string, format: date-time}`: `{"type":["string","null"],"format":"date-time"}`,
		`{type: string, format: uri}`:       `{"type":["string","null"],"format":"uri-reference"}`,
		`{type: string, format: duration}`:  `{"type":["string","null"]}`,
		`{type: integer, format: int32}`:    `{"type":["integer","null"]}`,
		// Where a part says less than it should, what depends on it says less, too.
		`{type: string, oneOf: [{format: ipv4}, {format: ipv6}]}`: `{"type":["string","null"],"anyOf":[{"format":"ipv4"},{"format":"ipv6"}]}`,
		`{type: string, not: {pattern: '\p{L}'}}`:                 `{"type":["string","null"]}`,
		`{type: string, not: {pattern: a}}`:                       `{"type":["string","null"],"if":{"type":"null"},"else":{"not":{"pattern":"a"}}}`,
	} {
		have, err := json.Marshal(convert(t, schema))
		if err != nil {
			t.Fatal(err)
		}
		var a, b any
		if err := errors.Join(json.Unmarshal(have, &a), json.Unmarshal([]byte(want), &b)); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%s\nhave %s\nwant %s", schema, have, want)
		}
	}
}

func TestResources(t *testing.T) {
	c := structuraltest.LoadCRD(t, structuraltest.CRDWith(`{type: object, properties: {metadata: {type: object, properties: {name: {type: string, maxLength: 9}}},
  t: {type: object, x-kubernetes-embedded-resource: true, properties: {spec: {type: object}}}}}`))
	s, err := jsonschema.Of(c, c.Versions[0])
	if err != nil {
		t.Fatal(err)
	}
	at := func(path ...string) any {
		var v any = s
		for _, k := range path {
			v = v.(map[string]any)[k]
		}
		return v
	}
	for path, want := range map[string]any{
		"$schema":                     "http://json-schema.org/draft-07/schema#",
		"type":                        "object",
		"required":                    []string{"apiVersion", "kind", "metadata"},
		"properties apiVersion const": "example.com/v1",
		"properties kind const":       "Job",
		"properties metadata type":    "object",
		"properties metadata additionalProperties":              false,
		"properties metadata properties name maxLength":         253,
		"properties t required":                                 []string{"apiVersion", "kind"},
		"properties t additionalProperties":                     false,
		"properties t properties metadata type":                 []any{"object", "null"},
		"properties t properties metadata additionalProperties": false,
		"properties t properties kind minLength":                1,
	} {
		if have := at(strings.Fields(path)...); !reflect.DeepEqual(have, want) {
			t.Errorf("%s: %v, want %v", path, have, want)
		}
	}
	own := at("properties", "metadata", "allOf").([]any)[0].(map[string]any)
	if _, closed := own["additionalProperties"]; closed {
		t.Errorf("the schema of metadata closes it: %v", own)
	}
	if have := own["properties"].(map[string]any)["name"].(map[string]any)["maxLength"]; have != int64(9) {
		t.Errorf("the name has at most %v characters", have)
	}
}

// An object is one without a schema, too, and has the fields that every object has.
func TestObjectsWithoutASchema(t *testing.T) {
	for _, spec := range []string{"preserveUnknownFields: true", "validation: {openAPIV3Schema: {}}"} {
		c := structuraltest.LoadCRD(t, structuraltest.V1beta1With(spec))
		s, err := jsonschema.Of(c, c.Versions[0])
		if err != nil {
			t.Fatal(err)
		}
		if len(s["properties"].(map[string]any)) != 3 || s["type"] != "object" {
			t.Errorf("%s: %v", spec, s)
		}
	}
}

func TestTheMeterBoundsTheWork(t *testing.T) {
	c := structuraltest.LoadCRD(t, structuraltest.CRDWith(`{type: object, properties: {spec: {type: object}}}`))
	origin.SetMeter(c, meter.New(1))
	origin.Meter(c).Spend(meter.Work - 10)
	var e *meter.Error
	if _, err := jsonschema.Of(c, c.Versions[0]); !errors.As(err, &e) {
		t.Errorf("no error of the meter: %v", err)
	}
}

// What a JSON Schema holds counts: each schema in it, each byte of its texts, each value of its enums.
func TestTheMeterCountsWhatIsHeld(t *testing.T) {
	spent := func(words string) int64 {
		c := structuraltest.LoadCRD(t, structuraltest.CRDWith("{type: object, properties: {spec: {type: object, "+words+"}}}"))
		m := meter.New(1)
		origin.SetMeter(c, m)
		before := m.Left()
		if _, err := jsonschema.Of(c, c.Versions[0]); err != nil {
			t.Fatal(err)
		}
		return int64(before - m.Left())
	}
	for what, test := range map[string]struct {
		before, repeated, after string
		bytes                   int // for each of them
	}{
		"title":       {"title: t", "x", "", 1},
		"description": {"description: d", "x", "", 1},
		"enum":        {"properties: {a: {type: string, enum: [b", ", b", "]}}", meter.BytesOfEnum},
		"numbers":     {"properties: {a: {type: integer, enum: [1", ", 1", "]}}", meter.BytesOfEnum},
		"nulls":       {"properties: {a: {type: string, nullable: true, enum: [b", ", null", "]}}", meter.BytesOfEnum},
		"allOf":       {"allOf: [{minProperties: 1}", ", {minProperties: 1}", "]", meter.BytesOfJSONSchema},
	} {
		const times = 1 << 10
		have := spent(test.before+strings.Repeat(test.repeated, times)+test.after) - spent(test.before+test.after)
		if want := int64(times * test.bytes / meter.UnitBytes); have < want {
			t.Errorf("%s: %d more cost %d units, want at least %d", what, times, have, want)
		}
	}
}

// Objects that the CRD says nothing about lose their fields, in lists of any depth.
func TestUnspecifiedValuesHaveADefinition(t *testing.T) {
	c := structuraltest.LoadCRD(t, structuraltest.CRDWith("{type: object, properties: {m: {type: object, additionalProperties: true}}}"))
	s, err := jsonschema.Of(c, c.Versions[0])
	ref := map[string]any{"$ref": "#/definitions/unspecified"}
	want := map[string]any{"unspecified": map[string]any{"additionalProperties": false, "items": ref}}
	if err != nil || !reflect.DeepEqual(s["definitions"], want) {
		t.Errorf("%v, %v, want %v", err, s["definitions"], want)
	}
}
