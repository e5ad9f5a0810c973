package structural

import (
	"reflect"
	"slices"
	"testing"
)

// kep2332Examples are the examples of KEP-2332. In two of them the document and the API server disagree.
var kep2332Examples = []struct {
	name, schema, object string
	want                 string
	dropped              []string
	// What the document says, where that is something else.
	kepWant    string
	kepDropped []string
}{
	{
		name:    "1. unspecified",
		schema:  `{type: object}`,
		object:  `{"foo": 42, "json": {"bar": 43}}`,
		want:    `{}`,
		dropped: []string{"foo", "json"},
	},
	{
		name: "2. properties at top-level",
		schema: `
type: object
properties:
  foo:
    type: object
`,
		object:  `{"foo": {"abc": 42}, "json": {"bar": 43}}`,
		want:    `{"foo": {}}`,
		dropped: []string{"foo.abc", "json"},
	},
	{
		name: "3. properties at multiple levels",
		schema: `
type: object
properties:
  foo:
    type: object
    properties:
      bar:
        type: object
`,
		object:  `{"foo": {"bar": {"abc": 42}, "def": 43}, "json": {"ghi": 44}}`,
		want:    `{"foo": {"bar": {}}}`,
		dropped: []string{"foo.bar.abc", "foo.def", "json"},
	},
	{
		name: "4. additionalProperties with a non-empty schema",
		schema: `
type: object
properties:
  foo:
    type: object
    additionalProperties:
      type: object
`,
		object:  `{"foo": {"abc": {"x": 42}, "def": {"y": 43}}, "json": {"ghi": 44}}`,
		want:    `{"foo": {"abc": {}, "def": {}}}`,
		dropped: []string{"foo.abc.x", "foo.def.y", "json"},
	},
	{
		name: "5. additionalProperties: false",
		schema: `
type: object
properties:
  foo:
    type: object
    additionalProperties: false
`,
		object:  `{"foo": {"abc": {"x": 42}, "def": {"y": 43}}, "json": {"ghi": 44}}`,
		want:    `{"foo": {"abc": {}, "def": {}}}`,
		dropped: []string{"foo.abc.x", "foo.def.y", "json"},
	},
	{
		name: "6. arbitrary JSON",
		schema: `
type: object
properties:
  json:
    x-kubernetes-preserve-unknown-fields: true
    nullable: true
`,
		object:  `{"foo": 42, "json": {"bar": 43}}`,
		want:    `{"json": {"bar": 43}}`,
		dropped: []string{"foo"},
	},
	{
		name: "7. JSON, but with properties at the same level",
		schema: `
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
		object:     `{"foo": 42, "json": {"bar": {"abc": 43}, "def": 44}}`,
		want:       `{"json": {"bar": {}, "def": 44}}`,
		dropped:    []string{"foo", "json.bar.abc"},
		kepWant:    `{"json": {"bar": {"abc": 43}, "def": 44}}`,
		kepDropped: []string{"foo"},
	},
	{
		name: "8. JSON, but with properties at the same and lower levels",
		schema: `
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
		object:  `{"foo": 42, "json": {"bar": {"inner": 43, "abc": 44}, "def": 45}}`,
		want:    `{"json": {"bar": {"inner": 43}, "def": 45}}`,
		dropped: []string{"foo", "json.bar.abc"},
	},
	{
		name: "9. additionalProperties within JSON",
		schema: `
type: object
properties:
  json:
    type: object
    x-kubernetes-preserve-unknown-fields: true
    nullable: true
    additionalProperties:
      type: object
`,
		object:     `{"foo": 42, "json": {"bar": {"inner": 43, "abc": 44}, "def": 45}}`,
		want:       `{"json": {"bar": {}, "def": 45}}`,
		dropped:    []string{"foo", "json.bar.abc", "json.bar.inner"},
		kepWant:    `{"json": {"bar": {"inner": 43, "abc": 44}, "def": 45}}`,
		kepDropped: []string{"foo"},
	},
	{
		name: "10. embedded resource",
		schema: `
type: object
properties:
  object:
    type: object
    nullable: true
    x-kubernetes-embedded-resource: true
    x-kubernetes-preserve-unknown-fields: true
`,
		object:  `{"foo": 42, "object": {"bar": 43, "abc": 44, "metadata": {"name": "example", "garbage": 45}}}`,
		want:    `{"object": {"bar": 43, "abc": 44, "metadata": {"name": "example"}}}`,
		dropped: []string{"foo", "object.metadata.garbage"},
	},
	{
		name:    "11. implicit metav1.TypeMeta and metav1.ObjectMeta",
		schema:  `{type: object}`,
		object:  `{"apiVersion": "example/v1", "kind": "Foo", "metadata": {"name": "example", "garbage": 43}, "foo": 42}`,
		want:    `{"apiVersion": "example/v1", "kind": "Foo", "metadata": {"name": "example"}}`,
		dropped: []string{"foo", "metadata.garbage"},
	},
}

func TestPruneDoesTheExamplesOfKEP2332(t *testing.T) {
	for _, e := range kep2332Examples {
		s := newSchema(t, e.schema)
		wantTexts(t, Validate(s, nil))
		for _, semantics := range []Semantics{APIServer, KEP2332} {
			want, dropped := e.want, e.dropped
			if semantics == KEP2332 && e.kepWant != "" {
				want, dropped = e.kepWant, e.kepDropped
			}
			t.Run(e.name+" in the reading of "+semantics.String(), func(t *testing.T) {
				wantPruned(t, s, PruneOptions{Semantics: semantics}, e.object, want, dropped)
			})
		}
	}
}

// wantPruned prunes object, and again, when nothing is left to drop.
func wantPruned(t *testing.T, s *Schema, opts PruneOptions, object, want string, dropped []string) {
	t.Helper()
	obj := parseObject(t, object)
	got := Prune(obj, s, opts)
	if !slices.Equal(got, dropped) {
		t.Errorf("dropped %q, want %q", got, dropped)
	}
	if !reflect.DeepEqual(obj, parseObject(t, want)) {
		t.Errorf("pruned to %s, want %s", toJSON(t, obj), want)
	}
	if again := Prune(obj, s, opts); again != nil {
		t.Errorf("pruning again drops %q", again)
	}
}
