package sorted

import (
	"maps"
	"slices"
	"testing"
)

func TestKeysAreAllAndSorted(t *testing.T) {
	for _, m := range []map[string]int{nil, {}, {"b": 1}, {"b": 1, "a": 2, "": 3, "c": 4}} {
		if got, want := Keys(m), slices.Sorted(maps.Keys(m)); !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

func TestKeysAllocateOnce(t *testing.T) {
	m := map[int]bool{}
	for i := range 100 {
		m[i] = true
	}
	if n := testing.AllocsPerRun(100, func() { Keys(m) }); n > 1 {
		t.Errorf("%v allocations", n)
	}
}
