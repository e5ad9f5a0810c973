package specimen

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/prune-gen/prune-gen/internal/interpret"
	"github.com/prune-gen/prune-gen/internal/testing/numbers"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/load"
)

// schema has every construct that a schema can have.
const schema = `
type: object
required: [spec]
properties:
  apiVersion: {type: string}
  kind: {type: string}
  metadata: {type: object}
  status: {type: object, x-kubernetes-preserve-unknown-fields: true}
  spec:
    type: object
    required: [name]
    properties:
      name: {type: string, minLength: 3, maxLength: 5}
      mode: {type: string, enum: [Fast, Slow]}
      count: {type: integer, minimum: 5, maximum: 7}
      ratio: {type: number}
      flag: {type: boolean}
      when: {type: string, format: date-time}
      port: {x-kubernetes-int-or-string: true}
      maybe: {type: string, nullable: true}
      nothing: {type: object}
      labels: {type: object, additionalProperties: {type: string}}
      anything: {type: object, additionalProperties: true}
      closed: {type: object, properties: {a: {type: string}}, additionalProperties: false}
      both: {type: object, properties: {a: {type: string}}, additionalProperties: {type: object, properties: {b: {type: string}}}}
      matrix: {type: array, items: {type: array, items: {type: integer}}}
      raw: {x-kubernetes-preserve-unknown-fields: true}
      mixed: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: object, properties: {b: {type: string}}}}}
      steps: {type: array, items: {type: object, properties: {name: {type: string}, args: {type: array, items: {type: string}}}}}
      template: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
      templates:
        type: array
        items:
          type: object
          x-kubernetes-embedded-resource: true
          properties: {spec: {type: object, properties: {a: {type: string}}}}
      byName:
        type: object
        additionalProperties: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
`

func testSchema(t *testing.T) *structural.Schema {
	t.Helper()
	js, findings := load.ParseSchema("schema", []byte(schema))
	s, errs := structural.NewSchema(js, nil)
	if errs = append(errs, structural.Validate(s, nil)...); len(findings)+len(errs) > 0 {
		t.Fatal(findings, errs)
	}
	return s
}

func TestCleanObjectsHaveNothingToPrune(t *testing.T) {
	s := testSchema(t)
	for seed := range uint64(500) {
		obj := Make(s, seed, Options{Size: int(200 + 20*seed)})
		if dropped := interpret.Prune(obj, s, interpret.PruneOptions{}); len(dropped) > 0 {
			t.Fatalf("seed %d: %q", seed, dropped)
		}
	}
}

func TestCleanObjectsKeepToTheirBounds(t *testing.T) {
	s := testSchema(t)
	for seed := range uint64(300) {
		spec := Make(s, seed, Options{})["spec"].(map[string]any)
		if name, ok := spec["name"].(string); !ok || len(name) < 3 || len(name) > 5 {
			t.Fatalf("seed %d: name %#v", seed, spec["name"])
		}
		if n, ok := spec["count"]; ok && (n.(int64) < 5 || n.(int64) > 7) {
			t.Fatalf("seed %d: count %#v", seed, n)
		}
		if mode, ok := spec["mode"]; ok && mode != "Fast" && mode != "Slow" {
			t.Fatalf("seed %d: mode %#v", seed, mode)
		}
	}
}

func TestSizeIsAboutWhatIsWanted(t *testing.T) {
	s := testSchema(t)
	small, _ := load.ParseSchema("schema", []byte(`{type: object, properties: {spec: {type: object, properties: {a: {type: string}, b: {type: string}}}}}`))
	text, _ := structural.NewSchema(small, nil)
	for _, size := range []int{2_000, 15_000, 200_000} {
		for seed := range uint64(20) {
			for name, s := range map[string]*structural.Schema{"everything": s, "text only": text} {
				data, err := json.Marshal(Make(s, seed, Options{Size: size}))
				if err != nil {
					t.Fatal(err)
				}
				if len(data) < size*9/10 || len(data) > size*11/10 {
					t.Errorf("%s: seed %d: %d bytes, not %d", name, seed, len(data), size)
				}
			}
		}
	}
}

func TestSameSeedMakesTheSameObject(t *testing.T) {
	s := testSchema(t)
	for seed := range uint64(50) {
		opts := Mixed(seed)
		if !reflect.DeepEqual(Make(s, seed, opts), Make(s, seed, opts)) {
			t.Fatalf("seed %d", seed)
		}
	}
	if reflect.DeepEqual(Make(s, 1, Options{}), Make(s, 2, Options{})) {
		t.Error("two seeds make the same object")
	}
}

// Decoding the JSON of an object gives the object back only if all of it is what the decoder makes. Floats without a
// fraction are the exception: they lose their point on the way.
func TestObjectsAreWhatTheDecoderMakes(t *testing.T) {
	s := testSchema(t)
	for seed := range uint64(500) {
		obj := Make(s, seed, Mixed(seed))
		data, err := json.Marshal(obj)
		if err != nil {
			t.Fatal(err)
		}
		back, err := numbers.Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := typesOf(back), typesOf(obj); got != want {
			t.Fatalf("seed %d:\n%s\n%s", seed, got, want)
		}
	}
}

// typesOf writes v with the types of its values, numbers all alike.
func typesOf(v any) string {
	switch v := v.(type) {
	case map[string]any:
		m := map[string]string{}
		for k, e := range v {
			m[k] = typesOf(e)
		}
		return fmt.Sprint(m)
	case []any:
		var l []string
		for _, e := range v {
			l = append(l, typesOf(e))
		}
		return fmt.Sprint(l)
	case int64, float64:
		return "number"
	case string, bool, nil:
		return fmt.Sprintf("%q", fmt.Sprint(v))
	}
	return fmt.Sprintf("%T is no JSON", v)
}

func TestUnknownFieldsAreOnEveryLevel(t *testing.T) {
	s := testSchema(t)
	for seed := range uint64(100) {
		opts := Options{Size: 3000, Flaws: Unknown, Rate: 1}
		clean, dirty := Make(s, seed, Options{Size: 3000}), Make(s, seed, opts)
		if missing := sameKeys("", clean, dirty); missing != "" {
			t.Fatalf("seed %d: nothing unknown at %s", seed, missing)
		}
	}
}

// sameKeys returns the path of a map that has the same keys in both values, outside of metadata.
func sameKeys(at string, clean, dirty any) string {
	switch clean := clean.(type) {
	case map[string]any:
		other := dirty.(map[string]any)
		if len(other) <= len(clean) {
			return at + "."
		}
		for k, v := range clean {
			if k == "metadata" {
				continue
			}
			if found := sameKeys(at+"."+k, v, other[k]); found != "" {
				return found
			}
		}
	case []any:
		for i, e := range clean {
			if found := sameKeys(fmt.Sprintf("%s[%d]", at, i), e, dirty.([]any)[i]); found != "" {
				return found
			}
		}
	}
	return ""
}

func TestEachFlawShows(t *testing.T) {
	s := testSchema(t)
	for i := range flawNames {
		flaw := Flaw(1 << i)
		changed := 0
		for seed := range uint64(100) {
			if !reflect.DeepEqual(Make(s, seed, Options{}), Make(s, seed, Options{Flaws: flaw, Rate: 0.5})) {
				changed++
			}
		}
		if changed < 40 {
			t.Errorf("%s changed %d objects of 100", flaw, changed)
		}
	}
}

func TestNamesAreThoseAskedFor(t *testing.T) {
	obj := Make(testSchema(t), 1, Options{APIVersion: "example.com/v1", Kind: "Widget", Name: "w", Namespace: "n"})
	meta := obj["metadata"].(map[string]any)
	if obj["apiVersion"] != "example.com/v1" || obj["kind"] != "Widget" || meta["name"] != "w" || meta["namespace"] != "n" {
		t.Errorf("%v", obj)
	}
}

func TestNoSchemaMakesMetadataOnly(t *testing.T) {
	for k := range Make(nil, 1, Options{}) {
		if !isMetaField(k) {
			t.Errorf("%s is not specified", k)
		}
	}
}
