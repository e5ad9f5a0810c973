package interpret_test

import (
	"reflect"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

func TestDefaultFillsInWhatIsMissing(t *testing.T) {
	for _, c := range []struct{ name, schema, object, want string }{
		{"a missing field", `{type: string, default: x}`, `{}`, `{p: x}`},
		{"a field that is there", `{type: string, default: x}`, `{p: y}`, `{p: y}`},
		{"null", `{type: string, default: x}`, `{p: null}`, `{p: x}`},
		{"null that is allowed", `{type: string, default: x, nullable: true}`, `{p: null}`, `{p: null}`},
		{"null in a list", `{type: array, items: {type: string, default: x}}`, `{p: [null, y]}`, `{p: [x, y]}`},
		{"null in a list that is allowed", `{type: array, items: {type: string, default: x, nullable: true}}`, `{p: [null]}`, `{p: [null]}`},
		{"null in a map", `{type: object, additionalProperties: {type: string, default: x}}`, `{p: {a: null, b: y}}`, `{p: {a: x, b: y}}`},
		{"below what is there", `{type: object, properties: {a: {type: string, default: x}}}`, `{p: {}}`, `{p: {a: x}}`},
		{"below what is missing", `{type: object, properties: {a: {type: string, default: x}}}`, `{}`, `{}`},
		{"below a default", `{type: object, default: {}, properties: {a: {type: string, default: x}}}`, `{}`, `{p: {a: x}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			obj := structuraltest.ParseObject(t, c.object)
			new(interpret.Work).Default(obj, structuraltest.NewSchema(t, `{type: object, properties: {p: `+c.schema+`}}`))
			if want := structuraltest.ParseObject(t, c.want); !reflect.DeepEqual(obj, want) {
				t.Errorf("have %v, want %v", obj, want)
			}
		})
	}
}

func TestObjectsDoNotShareDefaults(t *testing.T) {
	s := structuraltest.NewSchema(t, `{type: object, properties: {p: {type: object, default: {a: {}}, x-kubernetes-preserve-unknown-fields: true}}}`)
	one, other := map[string]any{}, map[string]any{}
	new(interpret.Work).Default(one, s)
	one["p"].(map[string]any)["b"] = "changed"
	new(interpret.Work).Default(other, s)
	if want := structuraltest.ParseObject(t, `{p: {a: {}}}`); !reflect.DeepEqual(other, want) {
		t.Errorf("have %v, want %v", other, want)
	}
}

// Defaults are pruned as values in the places of the schemas that have them, wherever these are; a schema is copied where that changes one.
func TestDefaultsArePruned(t *testing.T) {
	for _, c := range []struct{ schema, want string }{
		{`{default: {a: x, b: y}, type: object, properties: {a: {type: string}}}`, `{default: {a: x}, type: object, properties: {a: {type: string}}}`},
		{`{default: {a: x}, type: object, properties: {a: {type: string}}}`, `{default: {a: x}, type: object, properties: {a: {type: string}}}`},
		{`{default: {b: y}, type: object, x-kubernetes-preserve-unknown-fields: true}`, `{default: {b: y}, type: object, x-kubernetes-preserve-unknown-fields: true}`},
		{`{type: array, items: {default: {a: x, b: y}, type: object, properties: {a: {type: string}}}}`, `{type: array, items: {default: {a: x}, type: object, properties: {a: {type: string}}}}`},
		{`{type: array, default: [{a: x, b: y}, {b: y}], items: {type: object, properties: {a: {type: string}}}}`, `{type: array, default: [{a: x}, {}], items: {type: object, properties: {a: {type: string}}}}`},
		{`{type: object, additionalProperties: {default: {a: x, b: y}, type: object, properties: {a: {type: string}}}}`, `{type: object, additionalProperties: {default: {a: x}, type: object, properties: {a: {type: string}}}}`},
		{`{type: object, properties: {a: {type: object, default: {b: y}}, c: {type: object, properties: {d: {type: object, default: {e: 1, f: 2}, properties: {e: {type: integer}}}}}}}`,
			`{type: object, properties: {a: {type: object, default: {}}, c: {type: object, properties: {d: {type: object, default: {e: 1}, properties: {e: {type: integer}}}}}}}`},
		{`{type: array, x-kubernetes-preserve-unknown-fields: true, items: {type: object, default: {a: x}}}`, `{type: array, x-kubernetes-preserve-unknown-fields: true, items: {type: object, default: {a: x}}}`},
		{`{type: object, x-kubernetes-embedded-resource: true, default: {apiVersion: v1, kind: A, metadata: {name: b, other: c}, spec: d}}`,
			`{type: object, x-kubernetes-embedded-resource: true, default: {apiVersion: v1, kind: A, metadata: {name: b}}}`},
		{`{type: object, x-kubernetes-embedded-resource: true, default: {apiVersion: 1, kind: A, metadata: {name: b, labels: {}, generation: x, finalizers: [null]}}}`,
			`{type: object, x-kubernetes-embedded-resource: true, default: {kind: A, metadata: {name: b, finalizers: [""]}}}`},
		{`{type: array, items: {type: object, x-kubernetes-embedded-resource: true, default: {metadata: null}}}`, `{type: array, items: {type: object, x-kubernetes-embedded-resource: true, default: {metadata: {}}}}`},
		{`{type: object, default: {metadata: {labels: {}, z: 1}}, properties: {metadata: {type: object, x-kubernetes-preserve-unknown-fields: true}}}`,
			`{type: object, default: {metadata: {labels: {}, z: 1}}, properties: {metadata: {type: object, x-kubernetes-preserve-unknown-fields: true}}}`},
		{`{type: string, default: x}`, `{type: string, default: x}`},
		{`{type: object, additionalProperties: true}`, `{type: object, additionalProperties: true}`},
	} {
		s := structuraltest.NewSchema(t, `{type: object, properties: {p: `+c.schema+`}}`)
		have := interpret.PruneDefaults(s)
		if want := structuraltest.NewSchema(t, `{type: object, properties: {p: `+c.want+`}}`); !reflect.DeepEqual(have, want) {
			t.Errorf("%s: have %+v, want %s", c.schema, have.Properties["p"], c.want)
		}
		if before := structuraltest.NewSchema(t, `{type: object, properties: {p: `+c.schema+`}}`); !reflect.DeepEqual(s, before) {
			t.Errorf("%s has changed", c.schema)
		}
		if (have == s) != (c.schema == c.want) {
			t.Errorf("%s: copied %t", c.schema, have != s)
		}
	}
	// An object itself can have a default, of which nobody makes use.
	root := structuraltest.NewSchema(t, `{type: object, default: {a: x, b: y, kind: A}, properties: {a: {type: string}}}`)
	if have, want := interpret.PruneDefaults(root).Default, any(map[string]any{"a": "x", "kind": "A"}); !reflect.DeepEqual(have, want) {
		t.Errorf("have %v, want %v", have, want)
	}
	if have := interpret.PruneDefaults(structuraltest.NewSchema(t, `{type: object, default: x}`)).Default; have != any("x") {
		t.Errorf("have %v", have)
	}
	if interpret.PruneDefaults(nil) != nil {
		t.Error("no schema has defaults")
	}
}

func TestNormalizeDropsNullsWhereItPrunes(t *testing.T) {
	s := structuraltest.NewSchema(t, `{type: object, properties: {p: {type: string}}}`)
	for _, c := range []struct {
		preserve bool
		source   prunert.Source
		want     string
	}{
		{false, prunert.FromRequest, `{metadata: {}}`},
		{true, prunert.FromRequest, `{p: null, q: 1, metadata: {}}`},
		{false, prunert.FromStorage, `{metadata: {generation: 1}}`},
	} {
		obj := structuraltest.ParseObject(t, `{p: null, q: 1, metadata: {}}`)
		if _, err := new(interpret.Work).Normalize(obj, interpret.PruneDefaults(s), interpret.PruneOptions{PreserveUnknownFields: c.preserve}, prunert.NormalizeOptions{Source: c.source}); err != nil {
			t.Fatal(err)
		}
		if want := structuraltest.ParseObject(t, c.want); !reflect.DeepEqual(obj, want) {
			t.Errorf("%+v: have %v, want %v", c, obj, want)
		}
	}
}

func TestNormalizeWritesOwnersAsKubernetesDoes(t *testing.T) {
	obj := structuraltest.ParseObject(t, `{metadata: {ownerReferences: [{name: x}]}}`)
	if _, err := new(interpret.Work).Normalize(obj, interpret.PruneDefaults(nil), interpret.PruneOptions{}, prunert.NormalizeOptions{}); err != nil {
		t.Fatal(err)
	}
	want := structuraltest.ParseObject(t, `{metadata: {ownerReferences: [{name: x, kind: "", apiVersion: "", uid: ""}]}}`)
	if !reflect.DeepEqual(obj, want) {
		t.Errorf("have %v, want %v", obj, want)
	}
}

func TestNormalizeNamesAHundredUnknownFieldsOfMetadata(t *testing.T) {
	meta := map[string]any{}
	for i := range 120 {
		meta["x"+string(rune('a'+i/10))+string(rune('a'+i%10))] = true
	}
	unknown, err := new(interpret.Work).Normalize(map[string]any{"metadata": meta}, nil, interpret.PruneOptions{}, prunert.NormalizeOptions{ReportUnknown: true})
	if err != nil || len(unknown) != 100 {
		t.Errorf("%d are named, %v", len(unknown), err)
	}
}

// All defaults of a run share a meter.
func TestDefaultsAreValidatedWithinTheLimitsOfARun(t *testing.T) {
	s := structuraltest.ParseSchema(t, `{type: array, items: {type: integer, maximum: 1}}`)
	long := make([]any, 30_000)
	for i := range long {
		long[i] = int64(1)
	}
	m := meter.New(1)
	m.Spend(meter.Work - 500_000)
	n := 0
	for ; !m.Spent() && n < 100; n++ {
		if errs := interpret.ValidateDefault(m, 0, long, s); len(errs) > 0 {
			t.Fatal(errs)
		}
	}
	if n < 3 || n > 20 {
		t.Errorf("%d lists are looked at", n)
	}
	if errs := interpret.ValidateDefault(meter.New(1), 0, []any{int64(2), "x"}, s); len(errs) != 2 {
		t.Errorf("%v", errs)
	}
}
