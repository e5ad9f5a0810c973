package measure

import (
	"reflect"
	"testing"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"k8s.io/apimachinery/pkg/runtime"
)

func TestDroppingWalkDropsWhatPruningDrops(t *testing.T) {
	original := map[string]any{
		"known":   map[string]any{"unknown1": "a", "list": []any{map[string]any{"known": "b", "unknown2": map[string]any{"x": "y"}}}},
		"unknown": []any{"c"},
	}
	prune := func(obj map[string]any) {
		delete(obj, "unknown")
		known := obj["known"].(map[string]any)
		delete(known, "unknown1")
		delete(known["list"].([]any)[0].(map[string]any), "unknown2")
	}
	s := &Subject{Object: runtime.DeepCopyJSON(original), Generated: prunert.Resource{Prune: prune}}
	g := newGlance(s)
	if !reflect.DeepEqual(s.Object, original) {
		t.Errorf("the object became %v", s.Object)
	}
	got := runtime.DeepCopyJSON(s.Object)
	g.drop(got)
	want := runtime.DeepCopyJSON(original)
	prune(want)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
