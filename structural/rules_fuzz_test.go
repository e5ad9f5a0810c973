package structural

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
)

// FuzzRules follows a schema through everything that is done with one: no input may panic, and what is promised about
// errors, copies, skeletons and pruning holds for all of them.
func FuzzRules(f *testing.F) {
	for _, s := range []string{
		`{}`, fullSchema, allKeywords, articleCore, articleWithValidation, articleBroken,
		`{x-kubernetes-no-prune: true, items: {additionalProperties: {not: {x-kubernetes-no-prune: false}}}}`,
		`{items: [{}, {properties: {a: {}}, additionalProperties: {}}], allOf: [{items: {}}]}`,
	} {
		f.Add([]byte(s), []byte(`{"metadata": {"a": 1}, "spec": {"a": [{"b": {}}]}, "p": {"metadata": {"q": 1}}}`))
	}
	for _, e := range kep2332Examples {
		f.Add([]byte(e.schema), []byte(e.object))
	}
	for _, e := range litmusExamples {
		f.Add([]byte(e.specified), []byte(`{}`))
	}
	f.Fuzz(func(t *testing.T, schema, object []byte) {
		in, _ := ParseSchema("fuzz.yaml", schema)
		if in == nil {
			return
		}
		s, errs := NewSchema(in, NewPath("x"))
		wantHints(t, errs)
		broken := Validate(s, NewPath("x"))
		wantHints(t, broken)

		before := s.copy()
		unfolded := s.Unfold()
		if len(broken) == 0 {
			wantTexts(t, Validate(unfolded, NewPath("x")))
			if again := unfolded.Unfold(); !reflect.DeepEqual(again, unfolded) {
				t.Error("unfolding again changes the schema")
			}
		}
		structureOf(s).visit(func(s *Schema) {
			if s.ValueValidation != nil {
				t.Error("a value validation is left")
			}
		})

		skeleton, errs := Skeleton(in, NewPath("x"))
		if !slices.IsSorted(texts(errs)) {
			t.Errorf("not sorted: %q", texts(errs))
		}
		small, big := toJSON(t, skeleton.Object()), toJSON(t, in.Object())
		if len(small) > len(big) {
			t.Errorf("the skeleton is larger than the schema: %s, %s", small, big)
		}
		if again, _ := Skeleton(skeleton, NewPath("x")); !reflect.DeepEqual(again, skeleton) {
			t.Errorf("the skeleton of %s is another one", small)
		}

		var obj map[string]any
		if json.Unmarshal(object, &obj) == nil {
			original := copyJSON(obj)
			dropped := Prune(obj, s, PruneOptions{})
			if changed := !reflect.DeepEqual(copyJSON(obj), original); changed != (dropped != nil) {
				t.Errorf("dropped %q, changed: %v", dropped, changed)
			}
			if again := Prune(obj, s, PruneOptions{}); again != nil {
				t.Errorf("pruning again drops %q", again)
			}
		}
		if !reflect.DeepEqual(s, before) {
			t.Error("the schema changed")
		}
	})
}

func wantHints(t *testing.T, errs []*Error) {
	t.Helper()
	if !slices.IsSorted(texts(errs)) {
		t.Errorf("not sorted: %q", texts(errs))
	}
	for _, e := range errs {
		if hintFor(e) == "" {
			t.Errorf("no hint for %v", e)
		}
	}
}
