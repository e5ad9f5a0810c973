package structural_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/crd/skeleton"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/structural"
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
	for _, e := range litmusExamples {
		f.Add([]byte(e.specified), []byte(`{}`))
	}
	for schema, object := range map[string]string{ // from the examples of KEP-2332
		`{type: object, properties: {foo: {type: object, properties: {bar: {type: object}}}}}`:                                                              `{"foo": {"bar": {"abc": 42}, "def": 43}, "json": {"ghi": 44}}`,
		`{type: object, properties: {foo: {type: object, additionalProperties: {type: object}}}}`:                                                           `{"foo": {"abc": {"x": 42}, "def": {"y": 43}}, "json": {"ghi": 44}}`,
		`{type: object, properties: {json: {type: object, x-kubernetes-preserve-unknown-fields: true, nullable: true, properties: {bar: {type: object}}}}}`: `{"foo": 42, "json": {"bar": {"abc": 43}, "def": 44}}`,
	} {
		f.Add([]byte(schema), []byte(object))
	}
	f.Fuzz(func(t *testing.T, schema, object []byte) {
		in, _ := crdread.ParseSchema("fuzz.yaml", schema)
		if in == nil {
			return
		}
		s, errs := structural.NewSchema(in, structural.NewPath("x"))
		wantHints(t, errs)
		broken := structural.Validate(s, structural.NewPath("x"))
		wantHints(t, broken)
		if !slices.IsSorted(structuraltest.Texts(broken)) {
			t.Errorf("not sorted: %q", structuraltest.Texts(broken))
		}

		before := s.Copy()
		structureOf(s).Visit(func(s *structural.Schema) {
			if s.ValueValidation != nil {
				t.Error("a value validation is left")
			}
		})

		bones, errs := skeleton.Of(in, structural.NewPath("x"))
		if !slices.IsSorted(structuraltest.Texts(errs)) {
			t.Errorf("not sorted: %q", structuraltest.Texts(errs))
		}
		small, big := structuraltest.ToJSON(t, bones.Object()), structuraltest.ToJSON(t, in.Object())
		if len(small) > len(big) {
			t.Errorf("the skeleton is larger than the schema: %s, %s", small, big)
		}
		if again, _ := skeleton.Of(bones, structural.NewPath("x")); !reflect.DeepEqual(again, bones) {
			t.Errorf("the skeleton of %s is another one", small)
		}

		var obj map[string]any
		if json.Unmarshal(object, &obj) == nil {
			original := jsonvalue.Copy(obj)
			dropped := interpret.Prune(obj, s, interpret.PruneOptions{})
			if changed := !reflect.DeepEqual(jsonvalue.Copy(obj), original); changed != (dropped != nil) {
				t.Errorf("dropped %q, changed: %v", dropped, changed)
			}
			if again := interpret.Prune(obj, s, interpret.PruneOptions{}); again != nil {
				t.Errorf("pruning again drops %q", again)
			}
		}
		if !reflect.DeepEqual(s, before) {
			t.Error("the schema changed")
		}
	})
}

func wantHints(t *testing.T, errs []*structural.Error) {
	t.Helper()
	for _, e := range errs {
		if new(structural.CRD).Finding("", structural.SeverityError, e).Hint == "" {
			t.Errorf("no hint for %v", e)
		}
	}
}
