package structural_test

import (
	"reflect"
	"testing"

	"github.com/prune-gen/prune-gen/internal/interpret"
	"github.com/prune-gen/prune-gen/internal/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/structural"
)

// The value validation of a schema does not decide what is dropped.
func TestSchemasPruneAlikeWithoutValueValidation(t *testing.T) {
	t.Parallel()
	for seed := range uint64(1000) {
		s := structuraltest.RandomSchema(t, seed, specimentest.SchemaOptions{Depth: 4, Values: seed%2 == 0})
		if errs := structural.Validate(s, nil); len(errs) > 0 {
			t.Fatalf("made a schema that is not structural: %q", structuraltest.Texts(errs))
		}
		stripped := structureOf(s)
		obj := structuraltest.RandomObject(s, seed)
		other := jsonvalue.Copy(obj)
		dropped := interpret.Prune(obj, s, interpret.PruneOptions{})
		if alike := interpret.Prune(other, stripped, interpret.PruneOptions{}); !reflect.DeepEqual(alike, dropped) || !reflect.DeepEqual(obj, other) {
			t.Fatalf("dropped %q, and by the stripped schema %q", dropped, alike)
		}
	}
}

// structureOf returns a copy of s that has its structure alone: whatever s accepts, the copy accepts.
func structureOf(s *structural.Schema) *structural.Schema {
	out := s.Copy()
	out.Visit(func(s *structural.Schema) { s.ValueValidation = nil })
	return out
}
