package interpret_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/structural"
)

func TestPruneDoesTheExamplesOfKEP2332(t *testing.T) {
	for _, e := range kep2332Examples {
		s := structuraltest.NewSchema(t, e.Schema)
		structuraltest.WantTexts(t, structural.Validate(s, nil))
		for _, semantics := range []structural.Semantics{structural.APIServer, structural.KEP2332} {
			want, dropped := e.Want, e.Dropped
			if semantics == structural.KEP2332 && e.KepWant != "" {
				want, dropped = e.KepWant, e.KepDropped
			}
			t.Run(e.Name+" in the reading of "+semantics.String(), func(t *testing.T) {
				wantPruned(t, s, interpret.PruneOptions{Semantics: semantics}, e.Object, want, dropped)
			})
		}
	}
}

// wantPruned prunes object, and again, when nothing is left to drop.
func wantPruned(t *testing.T, s *structural.Schema, opts interpret.PruneOptions, object, want string, dropped []string) {
	t.Helper()
	obj := structuraltest.ParseObject(t, object)
	got := interpret.Prune(obj, s, opts)
	if !slices.Equal(got, dropped) {
		t.Errorf("dropped %q, want %q", got, dropped)
	}
	if !reflect.DeepEqual(obj, structuraltest.ParseObject(t, want)) {
		t.Errorf("pruned to %s, want %s", structuraltest.ToJSON(t, obj), want)
	}
	if again := interpret.Prune(obj, s, opts); again != nil {
		t.Errorf("pruning again drops %q", again)
	}
}

// kep2332Examples are the examples of KEP-2332. In two of them the document and the API server disagree.
var kep2332Examples = []struct {
	Name, Schema, Object string
	Want                 string
	Dropped              []string
	// What the document says, where that is something else.
	KepWant    string
	KepDropped []string
}{
	{
		Name:    "1. unspecified",
		Schema:  `{type: object}`,
		Object:  `{"foo": 42, "json": {"bar": 43}}`,
		Want:    `{}`,
		Dropped: []string{"foo", "json"},
	},
	{
		Name: "2. properties at top-level",
		Schema: `
type: object
properties:
  foo:
    type: object
`,
		Object:  `{"foo": {"abc": 42}, "json": {"bar": 43}}`,
		Want:    `{"foo": {}}`,
		Dropped: []string{"foo.abc", "json"},
	},
	{
		Name: "3. properties at multiple levels",
		Schema: `
type: object
properties:
  foo:
    type: object
    properties:
      bar:
        type: object
`,
		Object:  `{"foo": {"bar": {"abc": 42}, "def": 43}, "json": {"ghi": 44}}`,
		Want:    `{"foo": {"bar": {}}}`,
		Dropped: []string{"foo.bar.abc", "foo.def", "json"},
	},
	{
		Name: "4. additionalProperties with a non-empty schema",
		Schema: `
type: object
properties:
  foo:
    type: object
    additionalProperties:
      type: object
`,
		Object:  `{"foo": {"abc": {"x": 42}, "def": {"y": 43}}, "json": {"ghi": 44}}`,
		Want:    `{"foo": {"abc": {}, "def": {}}}`,
		Dropped: []string{"foo.abc.x", "foo.def.y", "json"},
	},
	{
		Name: "5. additionalProperties: false",
		Schema: `
type: object
properties:
  foo:
    type: object
    additionalProperties: false
`,
		Object:  `{"foo": {"abc": {"x": 42}, "def": {"y": 43}}, "json": {"ghi": 44}}`,
		Want:    `{"foo": {"abc": {}, "def": {}}}`,
		Dropped: []string{"foo.abc.x", "foo.def.y", "json"},
	},
	{
		Name: "6. arbitrary JSON",
		Schema: `
type: object
properties:
  json:
    x-kubernetes-preserve-unknown-fields: true
    nullable: true
`,
		Object:  `{"foo": 42, "json": {"bar": 43}}`,
		Want:    `{"json": {"bar": 43}}`,
		Dropped: []string{"foo"},
	},
	{
		Name: "7. JSON, but with properties at the same level",
		Schema: `
type: object
properties:
  json:
    type: object
    x-kubernetes-preserve-unknown-fields: true
    nullable: true
    properties:
      bar:
        type: object
`,
		Object:     `{"foo": 42, "json": {"bar": {"abc": 43}, "def": 44}}`,
		Want:       `{"json": {"bar": {}, "def": 44}}`,
		Dropped:    []string{"foo", "json.bar.abc"},
		KepWant:    `{"json": {"bar": {"abc": 43}, "def": 44}}`,
		KepDropped: []string{"foo"},
	},
	{
		Name: "8. JSON, but with properties at the same and lower levels",
		Schema: `
type: object
properties:
  json:
    type: object
    x-kubernetes-preserve-unknown-fields: true
    nullable: true
    properties:
      bar:
        type: object
        properties:
          inner:
            type: integer
`,
		Object:  `{"foo": 42, "json": {"bar": {"inner": 43, "abc": 44}, "def": 45}}`,
		Want:    `{"json": {"bar": {"inner": 43}, "def": 45}}`,
		Dropped: []string{"foo", "json.bar.abc"},
	},
	{
		Name: "9. additionalProperties within JSON",
		Schema: `
type: object
properties:
  json:
    type: object
    x-kubernetes-preserve-unknown-fields: true
    nullable: true
    additionalProperties:
      type: object
`,
		Object:     `{"foo": 42, "json": {"bar": {"inner": 43, "abc": 44}, "def": 45}}`,
		Want:       `{"json": {"bar": {}, "def": 45}}`,
		Dropped:    []string{"foo", "json.bar.abc", "json.bar.inner"},
		KepWant:    `{"json": {"bar": {"inner": 43, "abc": 44}, "def": 45}}`,
		KepDropped: []string{"foo"},
	},
	{
		Name: "10. embedded resource",
		Schema: `
type: object
properties:
  object:
    type: object
    nullable: true
    x-kubernetes-embedded-resource: true
    x-kubernetes-preserve-unknown-fields: true
`,
		Object:  `{"foo": 42, "object": {"bar": 43, "abc": 44, "metadata": {"name": "example", "garbage": 45}}}`,
		Want:    `{"object": {"bar": 43, "abc": 44, "metadata": {"name": "example"}}}`,
		Dropped: []string{"foo", "object.metadata.garbage"},
	},
	{
		Name:    "11. implicit metav1.TypeMeta and metav1.ObjectMeta",
		Schema:  `{type: object}`,
		Object:  `{"apiVersion": "example/v1", "kind": "Foo", "metadata": {"name": "example", "garbage": 43}, "foo": 42}`,
		Want:    `{"apiVersion": "example/v1", "kind": "Foo", "metadata": {"name": "example"}}`,
		Dropped: []string{"foo", "metadata.garbage"},
	},
}
