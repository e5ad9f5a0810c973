package interpret_test

import (
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/structural"
)

// TestPruneReportsExactlyWhatItChanges checks on random schemas and objects that pruning twice is pruning once, that the
// report is empty exactly when nothing changed, and that what is reported, and only that, is gone.
func TestPruneReportsExactlyWhatItChanges(t *testing.T) {
	t.Parallel()
	changed := 0
	for seed := range uint64(1000) {
		s := structuraltest.RandomSchema(t, seed, specimentest.SchemaOptions{Depth: 4, Loose: true})
		for i, opts := range []interpret.PruneOptions{
			{}, {Semantics: structural.KEP2332}, {PreserveUnknownFields: true}, {Semantics: structural.KEP2332, PreserveUnknownFields: true},
		} {
			before := structuraltest.RandomObject(s, 4*seed+uint64(i))
			obj := jsonvalue.Copy(before)
			dropped := interpret.Prune(obj, s, opts)
			same := reflect.DeepEqual(obj, before)
			if same != (len(dropped) == 0) {
				t.Fatalf("dropped %q from %s, which became %s", dropped, structuraltest.ToJSON(t, before), structuraltest.ToJSON(t, obj))
			}
			if !slices.IsSorted(dropped) {
				t.Fatalf("not sorted: %q", dropped)
			}
			if n := len(missing(before, obj)); n != len(dropped) {
				t.Fatalf("dropped %q, but %d fields are gone: %s became %s", dropped, n, structuraltest.ToJSON(t, before), structuraltest.ToJSON(t, obj))
			}
			if !same {
				changed++
			}
			once := jsonvalue.Copy(obj)
			if again := interpret.Prune(obj, s, opts); again != nil || !reflect.DeepEqual(obj, once) {
				t.Fatalf("pruning again dropped %q", again)
			}
		}
	}
	if changed < 500 {
		t.Errorf("only %d objects changed", changed)
	}
}

// missing returns the topmost fields that before has and after has not.
func missing(before, after any) []string {
	var out []string
	switch b := before.(type) {
	case map[string]any:
		a, ok := after.(map[string]any)
		if !ok {
			return []string{"replaced"}
		}
		for k, v := range b {
			if w, ok := a[k]; ok {
				out = append(out, missing(v, w)...)
			} else {
				out = append(out, k)
			}
		}
	case []any:
		a, ok := after.([]any)
		if !ok || len(a) != len(b) {
			return []string{"replaced"}
		}
		for i := range b {
			out = append(out, missing(b[i], a[i])...)
		}
	}
	return out
}

// TestPruneKeepsMoreInTheReadingOfKEP2332 compares the two readings where they can be compared: without lists, the
// document never drops what the API server keeps.
func TestPruneKeepsMoreInTheReadingOfKEP2332(t *testing.T) {
	for seed := range uint64(1000) {
		s := structuraltest.RandomSchema(t, seed, specimentest.SchemaOptions{Depth: 4, Loose: true})
		s.Visit(func(s *structural.Schema) { s.Items = nil })
		obj := structuraltest.RandomObject(s, seed)
		other := jsonvalue.Copy(obj)
		interpret.Prune(obj, s, interpret.PruneOptions{Semantics: structural.KEP2332})
		interpret.Prune(other, s, interpret.PruneOptions{})
		interpret.Prune(obj, s, interpret.PruneOptions{})
		if !reflect.DeepEqual(obj, other) {
			t.Fatalf("%s and %s", structuraltest.ToJSON(t, obj), structuraltest.ToJSON(t, other))
		}
	}
}

// TestPruneGoesAsDeepAsDecodersDo prunes an object at the limit of nesting that JSON decoders have.
func TestPruneGoesAsDeepAsDecodersDo(t *testing.T) {
	s := &structural.Schema{}
	s.Items = s
	s.AdditionalProperties = &structural.SchemaOrBool{Schema: s, Bool: true}
	obj := map[string]any{}
	deepest := obj
	for i := range 10_000 {
		next := map[string]any{}
		deepest[strconv.Itoa(i%3)] = []any{next}
		deepest = next
	}
	if dropped := interpret.Prune(obj, s, interpret.PruneOptions{}); dropped != nil {
		t.Errorf("dropped %q", dropped)
	}
}
