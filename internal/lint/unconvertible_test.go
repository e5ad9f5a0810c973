package lint_test

import (
	"reflect"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/keyword"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/structural"
)

func TestWhatNewSchemaRefusesIsUnconvertible(t *testing.T) {
	refused := map[string]bool{} // keywords
	for _, schema := range []string{
		"{}", "{id: a}", "{id: ''}", "{$schema: a}", "{$schema: ''}", "{$ref: a}", "{$ref: ''}", "{additionalItems: false}", "{additionalItems: {}}",
		"{patternProperties: {a: {}}}", "{patternProperties: {}}", "{definitions: {a: {}}}", "{definitions: {}}", "{dependencies: {a: []}}", "{dependencies: {}}",
		"{items: [{}]}", "{items: []}", "{items: {}}", "{x-kubernetes-preserve-unknown-fields: true}", "{x-kubernetes-preserve-unknown-fields: false}",
	} {
		s := structuraltest.ParseSchema(t, schema)
		_, errs := structural.NewSchema(s, nil)
		for _, e := range errs {
			refused[e.Path.Name()] = true
		}
		if have, want := lint.IsUnconvertible(s), len(errs) > 0; have != want {
			t.Errorf("%s: %t, want %t", schema, have, want)
		}
	}
	for _, k := range keyword.Of(reflect.TypeFor[structural.JSONSchema]()) {
		if k.Unsupported && !refused[k.Name] {
			t.Errorf("no schema has %s", k.Name)
		}
	}
}
