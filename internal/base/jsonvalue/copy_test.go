package jsonvalue

import (
	"reflect"
	"testing"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// A copy shares nothing with the original, as deep as a decoder goes.
func TestCopiesAreDeep(t *testing.T) {
	for name, wrap := range map[string]func(any) any{
		"lists": func(v any) any { return []any{v} },
		"maps":  func(v any) any { return map[string]any{"a": v} },
	} {
		inner := map[string]any{"a": int64(1)}
		var v any = inner
		for range prunert.MaxDepth - 1 {
			v = wrap(v)
		}
		c := Copy(v)
		if !reflect.DeepEqual(c, v) {
			t.Errorf("%s: the copy differs", name)
		}
		if inner["a"] = int64(2); reflect.DeepEqual(c, v) {
			t.Errorf("%s: the copy shares what is innermost", name)
		}
	}
}
