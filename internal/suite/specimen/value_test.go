package specimen_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/suite/specimen"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/structural"
)

const valueSchema = `{type: object, required: [a, i], minProperties: 1, properties: {
  a: {type: string, pattern: '^[a-c]+$', minLength: 2, maxLength: 5}, b: {type: string}, i: {type: integer, minimum: 3, maximum: 9},
  l: {type: array, items: {type: string}}}}`

func TestAValueFitsItsSchema(t *testing.T) {
	written := structuraltest.ParseSchema(t, valueSchema)
	s := structuraltest.NewSchema(t, valueSchema)
	for seed := range uint64(40) {
		v := specimen.Value(s, seed, nil)
		if errs, _ := new(interpret.Work).ValidateValues(v, written); len(errs) > 0 {
			t.Errorf("%v: %v", v, errs)
		}
		if again := specimen.Value(s, seed, nil); !reflect.DeepEqual(v, again) {
			t.Errorf("%v is %v the second time", v, again)
		}
	}
}

// A value for the sake of an aim has its fields, and its texts and integers or those next to them.
func TestAValueHasWhatIsAimedAt(t *testing.T) {
	s := structuraltest.NewSchema(t, valueSchema)
	aim := &specimen.Aim{Fields: map[string]bool{"b": true, "i": true}, Texts: []string{"needle"}, Integers: []int64{4711}}
	text, integer, twins := false, false, false
	for seed := range uint64(200) {
		m, _ := specimen.Value(s, seed, aim).(map[string]any)
		b, _ := m["b"].(string)
		text = text || strings.Contains(b, "needle")
		integer = integer || m["i"] == int64(4712)
		list, _ := m["l"].([]any)
		twins = twins || len(list) > 1 && list[0] != "" && list[0] == list[1]
	}
	if !text || !integer || !twins || aim.Path != nil {
		t.Errorf("text %t, integer %t, twins %t; the path is %v", text, integer, twins, aim.Path)
	}
	if v, ok := specimen.Value(nil, 1, nil).(string); ok {
		t.Errorf("a value without a schema is the text %q", v)
	}
}

// Each keyword of a value is violated by some of the values that are made for it. What is below the value is not.
func TestAValueViolatesAKeyword(t *testing.T) {
	for _, tt := range []struct{ schema, name, want string }{
		{"{type: string, maxLength: 3, pattern: ^a}", "maxLength", "may not be more than 3 bytes"},
		{"{type: string, maxLength: 3, pattern: ^a}", "pattern", "should match '^a'"},
		{"{type: string, maxLength: 3, pattern: ^a}", "", "should match '^a'"},
		{"{type: integer, minimum: 3}", "minimum", "should be greater than or equal to 3"},
		{"{type: array, items: {type: string}, maxItems: 2}", "maxItems", "must have at most 2 items"},
		{"{type: object, required: [a], properties: {a: {type: string, maxLength: 1}}}", "required", "Required value"},
		{"{type: object, anyOf: [{required: [a]}], properties: {a: {type: string}}}", "", "Required value"},
	} {
		written, s := structuraltest.ParseSchema(t, tt.schema), structuraltest.NewSchema(t, tt.schema)
		found := false
		for seed := range uint64(60) {
			v, ok := specimen.Violate(s, tt.name, seed)
			if !ok {
				t.Errorf("%s: nothing violates %q", tt.schema, tt.name)
				break
			}
			errs, _ := new(interpret.Work).ValidateValues(v, written)
			for _, e := range errs {
				found = found || strings.Contains(e.Error(), tt.want)
			}
			if again, _ := specimen.Violate(s, tt.name, seed); !reflect.DeepEqual(v, again) {
				t.Errorf("%s: %v is %v the second time", tt.schema, v, again)
			}
		}
		if !found {
			t.Errorf("%s: no value has the error %q", tt.schema, tt.want)
		}
	}
	for schema, name := range map[string]string{
		"{type: object, properties: {a: {type: string, maxLength: 1}}}": "maxLength",
		"{type: string, maxLength: 1}":                                  "length",
		"{type: object}":                                                "",
	} {
		if v, ok := specimen.Violate(structuraltest.NewSchema(t, schema), name, 1); ok {
			t.Errorf("%s: %v violates %q", schema, v, name)
		}
	}
	if _, ok := specimen.Violate((*structural.Schema)(nil), "", 1); ok {
		t.Error("no schema is violated")
	}
}
