package structural

import (
	"reflect"
	"testing"

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
			obj := parseObject(t, c.object)
			Default(obj, newSchema(t, `{type: object, properties: {p: `+c.schema+`}}`))
			if want := parseObject(t, c.want); !reflect.DeepEqual(obj, want) {
				t.Errorf("have %v, want %v", obj, want)
			}
		})
	}
}

func TestObjectsDoNotShareDefaults(t *testing.T) {
	s := newSchema(t, `{type: object, properties: {p: {type: object, default: {a: {}}, x-kubernetes-preserve-unknown-fields: true}}}`)
	one, other := map[string]any{}, map[string]any{}
	Default(one, s)
	one["p"].(map[string]any)["b"] = "changed"
	Default(other, s)
	if want := parseObject(t, `{p: {a: {}}}`); !reflect.DeepEqual(other, want) {
		t.Errorf("have %v, want %v", other, want)
	}
}

func TestDefaultsArePruned(t *testing.T) {
	s := newSchema(t, `{type: object, properties: {p: {type: object, default: {a: x, b: y}, properties: {a: {type: string}}}}}`)
	if got, want := PruneDefaults(s).Properties["p"].Default, any(map[string]any{"a": "x"}); !reflect.DeepEqual(got, want) {
		t.Errorf("have %v, want %v", got, want)
	}
}

func TestNormalizeDropsNullsWhereItPrunes(t *testing.T) {
	s := newSchema(t, `{type: object, properties: {p: {type: string}}}`)
	for _, c := range []struct {
		preserve bool
		source   prunert.Source
		want     string
	}{
		{false, prunert.FromRequest, `{metadata: {}}`},
		{true, prunert.FromRequest, `{p: null, q: 1, metadata: {}}`},
		{false, prunert.FromStorage, `{metadata: {generation: 1}}`},
	} {
		obj := parseObject(t, `{p: null, q: 1, metadata: {}}`)
		if _, err := Normalize(obj, s, PruneOptions{PreserveUnknownFields: c.preserve}, prunert.NormalizeOptions{Source: c.source}); err != nil {
			t.Fatal(err)
		}
		if want := parseObject(t, c.want); !reflect.DeepEqual(obj, want) {
			t.Errorf("%+v: have %v, want %v", c, obj, want)
		}
	}
}

func TestNormalizeWritesOwnersAsKubernetesDoes(t *testing.T) {
	obj := parseObject(t, `{metadata: {ownerReferences: [{name: x}]}}`)
	if _, err := Normalize(obj, nil, PruneOptions{}, prunert.NormalizeOptions{}); err != nil {
		t.Fatal(err)
	}
	want := parseObject(t, `{metadata: {ownerReferences: [{name: x, kind: "", apiVersion: "", uid: ""}]}}`)
	if !reflect.DeepEqual(obj, want) {
		t.Errorf("have %v, want %v", obj, want)
	}
}

func TestNormalizeNamesAHundredUnknownFieldsOfMetadata(t *testing.T) {
	meta := map[string]any{}
	for i := range 120 {
		meta["x"+string(rune('a'+i/10))+string(rune('a'+i%10))] = true
	}
	unknown, err := Normalize(map[string]any{"metadata": meta}, nil, PruneOptions{}, prunert.NormalizeOptions{ReportUnknown: true})
	if err != nil || len(unknown) != 100 {
		t.Errorf("%d are named, %v", len(unknown), err)
	}
}
