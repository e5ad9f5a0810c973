package interpret_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

func wantChecked(t *testing.T, s *structural.Schema, object string, want ...string) {
	t.Helper()
	obj := structuraltest.ParseObject(t, object)
	before := jsonvalue.Copy(obj)
	var got []string
	for _, e := range new(interpret.Work).Check(obj, s) {
		got = append(got, e.Error())
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got %q\nwant %q", object, got, want)
	}
	if !reflect.DeepEqual(before, any(obj)) {
		t.Errorf("%s was changed", object)
	}
}

func TestCheckFindsEveryValueOfTheWrongType(t *testing.T) {
	s := structuraltest.NewSchema(t, `
type: object
properties:
  spec:
    type: object
    properties:
      i: {type: integer}
      f: {type: number}
      s: {type: string, nullable: true}
      p: {x-kubernetes-int-or-string: true}
      l: {type: array, items: {type: boolean}}
      m: {type: object, additionalProperties: {type: string}}
      closed: {type: object, additionalProperties: false}
      any: {x-kubernetes-preserve-unknown-fields: true}
      r: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
`)
	wantChecked(t, s, `{spec: {i: 1, f: 1, s: null, p: 1, l: [true], m: {a: b}, closed: {x: 1}, any: [1, {a: null}], unknown: 1, r: {kind: K}}}`)
	wantChecked(t, s, `{spec: {i: null, f: x, s: 1, p: true, l: [1, true], m: {a: 1}}}`,
		`spec.f: Invalid value: "string": spec.f in body must be of type number: "string"`,
		`spec.i: Invalid value: "null": spec.i in body must be of type integer: "null"`,
		`spec.l[0]: Invalid value: "integer": spec.l[0] in body must be of type boolean: "integer"`,
		`spec.m.a: Invalid value: "integer": spec.m.a in body must be of type string: "integer"`,
		`spec.p: Invalid value: "boolean": spec.p in body must be of type integer,string: "boolean"`,
		`spec.s: Invalid value: "integer": spec.s in body must be of type string: "integer"`)
	wantChecked(t, s, `{kind: 1, metadata: {name: 1, creationTimestamp: x}, spec: {r: {kind: 2, metadata: []}}}`,
		`kind: Invalid value: "integer": kind in body must be of type string: "integer"`,
		`metadata.creationTimestamp: Invalid value: "x": parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"`,
		`metadata.name: Invalid value: "integer": metadata.name in body must be of type string: "integer"`,
		`spec.r.kind: Invalid value: "integer": spec.r.kind in body must be of type string: "integer"`,
		`spec.r.metadata: Invalid value: "array": spec.r.metadata in body must be of type object: "array"`)
	// A value of the wrong type is walked by its own type.
	wantChecked(t, structuraltest.NewSchema(t, `{type: object, properties: {a: {type: string, properties: {b: {type: string}}}}}`), `{a: {b: 1}}`,
		`a.b: Invalid value: "integer": a.b in body must be of type string: "integer"`,
		`a: Invalid value: "object": a in body must be of type string: "object"`)
}

func TestCheckTakesWholeFloatsForIntegers(t *testing.T) {
	s := structuraltest.NewSchema(t, `{type: object, properties: {i: {type: integer}, p: {x-kubernetes-int-or-string: true}}}`)
	const mismatch = `i: Invalid value: "number": i in body must be of type integer: "number"`
	const outOfRange = `<nil>: Invalid value: "": Checked value must be of type integer (default format) in i`
	for f, want := range map[float64][]string{
		1: nil, -7: nil, 1 << 52: nil, 1.5: {outOfRange, mismatch}, 1 << 60: {mismatch}, 1e300: {outOfRange, mismatch},
		100000.0000000001: {outOfRange},
	} {
		var got []string
		for _, e := range new(interpret.Work).Check(map[string]any{"i": f}, s) {
			got = append(got, e.Error())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v: got %q, want %q", f, got, want)
		}
	}
	if errs := new(interpret.Work).Check(map[string]any{"p": 1.5}, s); len(errs) != 1 || errs[0].Type != prunert.ErrorTypeTypeInvalid || errs[0].Field != "p" {
		t.Errorf("got %v", errs)
	}
}

func TestCheckWithoutASchemaLooksAtMetadata(t *testing.T) {
	wantChecked(t, nil, `{apiVersion: v1, kind: K, metadata: {generation: 1}, spec: {a: null}}`)
	wantChecked(t, nil, `{apiVersion: null}`, `apiVersion: Invalid value: "null": apiVersion in body must be of type string: "null"`)
}

// The API server begins the path again below a field of the root that has no name.
func TestCheckBelowAFieldWithoutANameAtTheRoot(t *testing.T) {
	schema := structuraltest.NewSchema(t, `{type: object, properties: {"": {type: object, properties: {a: {type: string}, "": {type: string}}}}}`)
	var have []string
	for _, e := range new(interpret.Work).Check(map[string]any{"": map[string]any{"a": int64(1), "": int64(2)}}, schema) {
		have = append(have, e.Error())
	}
	want := []string{
		`<nil>: Invalid value: "integer":  in body must be of type string: "integer"`,
		`a: Invalid value: "integer": a in body must be of type string: "integer"`,
	}
	if !slices.Equal(have, want) {
		t.Errorf("have %q, want %q", have, want)
	}
}

func TestCheckTakesWholeFloatsUpToTheLastThatHasNeighbours(t *testing.T) {
	s := structuraltest.NewSchema(t, `{type: object, properties: {p: {x-kubernetes-int-or-string: true}}}`)
	for f, want := range map[float64]int{1<<53 - 1: 0, 1 << 53: 1, -1<<53 + 1: 0, -1 << 53: 1} {
		if errs := new(interpret.Work).Check(map[string]any{"p": f}, s); len(errs) != want {
			t.Errorf("%.0f: %v", f, errs)
		}
	}
}

func TestCheckTakesFieldsForFieldsBesideAMap(t *testing.T) {
	s := structuraltest.NewSchema(t, `{type: object, properties: {p: {type: object, properties: {a: {type: string}}, additionalProperties: {type: integer}}}}`)
	wantChecked(t, s, `{p: {a: x, b: 1}}`)
	wantChecked(t, s, `{p: {a: 1}}`, `p.a: Invalid value: "integer": p.a in body must be of type string: "integer"`)
}

// A number in metadata is an integer if an int64 holds what JSON has for it.
func TestNumbersOfMetadataAreThoseOfGo(t *testing.T) {
	for v, want := range map[any]any{
		2.0: int64(2), -3.0: int64(-3), float64(1 << 53): int64(1 << 53), float64(1 << 60): int64(1152921504606847000), int64(5): int64(5), 0.0: nil, -0.5: "wrong", 2.0000000001: "wrong", 1e19: "wrong", float64(-1 << 63): "wrong", "2": "wrong", true: "wrong",
		9223372036854774784.0: int64(9223372036854775000),
	} {
		obj := map[string]any{"metadata": map[string]any{"generation": v}}
		errs := new(interpret.Work).Check(obj, nil)
		_, err := new(interpret.Work).Normalize(obj, interpret.PruneDefaults(nil), interpret.PruneOptions{}, prunert.NormalizeOptions{})
		if (len(errs) > 0) != (want == "wrong") || (err != nil) != (want == "wrong") {
			t.Errorf("%v: %v, %v", v, errs, err)
		}
		if have := obj["metadata"].(map[string]any)["generation"]; err == nil && have != want {
			t.Errorf("%v becomes %v, want %v", v, have, want)
		}
	}
	// A text is not a number, and a time is not a text.
	for field, v := range map[string]any{"name": 1.0, "uid": int64(1), "creationTimestamp": 1.0, "deletionTimestamp": "2020-01-01"} {
		if errs := new(interpret.Work).Check(map[string]any{"metadata": map[string]any{field: v}}, nil); len(errs) != 1 || errs[0].Field != "metadata."+field {
			t.Errorf("%s: %v", field, errs)
		}
	}
}
