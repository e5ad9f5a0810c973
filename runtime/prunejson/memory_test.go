//go:build !purego

package prunejson

import (
	"fmt"
	"reflect"
	"runtime"
	"testing"
)

// The layout of interfaces is the compiler's business. If it changes, this fails.
func TestValuesPointToWhereTheyAre(t *testing.T) {
	texts, lists := []string{"a", "", "b"}, [][]any{{1}, {}, nil}
	for i := range texts {
		v, w := textAt(&texts[i]), listAt(&lists[i])
		runtime.GC()
		if s, ok := v.(string); !ok || s != texts[i] || v != any(texts[i]) || fmt.Sprint(v) != texts[i] || reflect.TypeOf(v) != reflect.TypeFor[string]() {
			t.Errorf("%#v is not %q", v, texts[i])
		}
		if l, ok := w.([]any); !ok || !reflect.DeepEqual(l, lists[i]) || reflect.TypeOf(w) != reflect.TypeFor[[]any]() {
			t.Errorf("%#v is not %#v", w, lists[i])
		}
	}
	if n := testing.AllocsPerRun(10, func() { sink = textAt(&texts[0]); sink = listAt(&lists[0]) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

var sink any

func TestTextOfBytes(t *testing.T) {
	for _, b := range [][]byte{nil, {}, []byte("a"), []byte("abc")[1:2]} {
		if s := textOf(b); s != string(b) {
			t.Errorf("%q, want %q", s, b)
		}
	}
}
