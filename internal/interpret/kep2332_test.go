package interpret_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/prune-gen/prune-gen/internal/interpret"
	"github.com/prune-gen/prune-gen/internal/structuraltest"
	"github.com/prune-gen/prune-gen/structural"
)

func TestPruneDoesTheExamplesOfKEP2332(t *testing.T) {
	for _, e := range structuraltest.KEP2332Examples {
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
