package specimen

import (
	"reflect"
	"testing"
)

func TestShrinkLeavesWhatMatters(t *testing.T) {
	obj := map[string]any{
		"a": []any{int64(1), map[string]any{"b": "long text", "c": nil}, "x"},
		"d": map[string]any{"e": []any{[]any{[]any{true}}}},
	}
	got := Shrink(obj, 3000, func(o map[string]any) bool {
		a, _ := o["a"].([]any)
		for _, e := range a {
			if m, ok := e.(map[string]any); ok {
				if _, ok := m["b"].(string); ok {
					return true
				}
			}
		}
		return false
	})
	if want := map[string]any{"a": []any{map[string]any{"b": "x"}}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
	if len(obj["a"].([]any)) != 3 {
		t.Error("the object itself was changed")
	}
}
