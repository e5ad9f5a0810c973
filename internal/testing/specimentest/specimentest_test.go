package specimentest

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"testing"

	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/testing/numbers"
	"github.com/prune-gen/prune-gen/structural"
)

// testSchema returns a schema that has every construct.
func testSchema(t *testing.T) *structural.Schema {
	t.Helper()
	text, err := os.ReadFile("../../suite/specimen/testdata/schema.yaml")
	if err != nil {
		t.Fatal(err)
	}
	js, findings := crdread.ParseSchema("schema", text)
	s, errs := structural.NewSchema(js, nil)
	if len(findings)+len(errs) > 0 {
		t.Fatal(findings, errs)
	}
	return s
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
	for flaw := Unknown; flaw < flawEnd; flaw <<= 1 {
		changed := 0
		for seed := range uint64(100) {
			if !reflect.DeepEqual(Make(s, seed, Options{}), Make(s, seed, Options{Flaws: flaw, Rate: 0.5})) {
				changed++
			}
		}
		if changed < 40 {
			t.Errorf("flaw %b changed %d objects of 100", flaw, changed)
		}
	}
}
