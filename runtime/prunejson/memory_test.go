//go:build !purego

package prunejson

import (
	"bytes"
	"fmt"
	"reflect"
	"runtime"
	"testing"
)

// The layout of interfaces is the compiler's business. If it changes, this fails.
func TestValuesPointToWhereTheyAre(t *testing.T) {
	texts := []string{"a", "", "b"}
	for i := range texts {
		v := textAt(&texts[i])
		runtime.GC()
		if s, ok := v.(string); !ok || s != texts[i] || v != any(texts[i]) || fmt.Sprint(v) != texts[i] || reflect.TypeOf(v) != reflect.TypeFor[string]() {
			t.Errorf("%#v is not %q", v, texts[i])
		}
	}
	if n := testing.AllocsPerRun(10, func() { sink = textAt(&texts[0]) }); n != 0 {
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

func TestMovingLeavesTheRestAlone(t *testing.T) {
	const end = 600
	for to := range 10 {
		for gap := 1; gap < 100; gap += 3 {
			for _, size := range []int{0, 1, 7, 8, 63, 64, 65, 130, 256, 257, 300} {
				from := to + gap
				for free := from + size; free < from+size+80; free++ {
					buf := make([]byte, end+padding)
					for i := range buf {
						buf[i] = byte(i * 7)
					}
					before := bytes.Clone(buf)
					newMemory(buf).move(to, from, size, free)
					if !bytes.Equal(buf[:to], before[:to]) || !bytes.Equal(buf[to:to+size], before[from:from+size]) || !bytes.Equal(buf[free:], before[free:]) {
						t.Fatalf("%d bytes from %d to %d with %d free", size, from, to, free)
					}
				}
			}
		}
	}
}
