package pruneimpl

import (
	"hash/maphash"
	"math"
	"math/bits"
	"slices"
	"sync"
)

var seed = maphash.MakeSeed()

// allDiffer reports whether the hashes of all elements differ, and so do the elements. Where it is false, a closer look must
// say whether they do. It does not allocate in the long run.
func allDiffer(list []any, hash func(any) (h uint64, ok bool)) bool {
	const few = 16 // are compared with each other
	if len(list) <= few {
		var seen [few]uint64
		for i, e := range list {
			h, ok := hash(e)
			if !ok || slices.Contains(seen[:i], h) {
				return false
			}
			seen[i] = h
		}
		return true
	}
	t := tables.Get().(*table)
	defer t.release()
	t.grow(len(list))
	for _, e := range list {
		h, ok := hash(e)
		if !ok || !t.add(h) {
			return false
		}
	}
	return true
}

// table is a set of hashes.
type table struct {
	slots []uint64 // a power of two of them, 0 where one is free
}

var tables = sync.Pool{New: func() any { return new(table) }}

// grow makes room for so many hashes, and forgets those that are there.
func (t *table) grow(n int) {
	size := 1 << bits.Len(uint(2*n))
	if cap(t.slots) < size {
		t.slots = make([]uint64, size)
		return
	}
	t.slots = t.slots[:size]
	clear(t.slots)
}

// add reports whether h is new.
func (t *table) add(h uint64) bool {
	h = max(h, 1)
	mask := uint64(len(t.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		switch t.slots[i] {
		case 0:
			t.slots[i] = h
			return true
		case h:
			return false
		}
	}
}

func (t *table) release() {
	const most = 1 << 16 // a large list is rare, and its table is not kept
	if cap(t.slots) <= most {
		tables.Put(t)
	}
}

// elementHash returns the hash of a scalar; ok is false for everything else.
func elementHash(v any) (h uint64, ok bool) {
	switch v := v.(type) {
	case string:
		return maphash.String(seed, v), true
	case int64:
		return numberHash(1, uint64(v)), true
	case float64:
		if v == 0 {
			v = 0 // which is not -0
		}
		return numberHash(2, math.Float64bits(v)), true
	case bool:
		if v {
			return numberHash(3, 1), true
		}
		return numberHash(3, 0), true
	case nil:
		return numberHash(4, 0), true
	}
	return 0, false
}

// keysHash returns the hash of the keys of an element of a list map; ok is false where one of them is no scalar. With several,
// floats are not hashed: the API server then compares keys by their JSON, in which 1 and 1.0 are the same.
func keysHash(e any, keys []string) (h uint64, ok bool) {
	obj, _ := e.(map[string]any)
	for i, k := range keys {
		one := uint64(0)
		if v, found := obj[k]; found {
			if _, isFloat := v.(float64); isFloat && len(keys) > 1 {
				return 0, false
			}
			if one, ok = elementHash(v); !ok {
				return 0, false
			}
		} else {
			one = numberHash(5, 0)
		}
		h = numberHash(h^uint64(i), one)
	}
	return h, true
}

// numberHash returns the hash of two numbers.
func numberHash(a, b uint64) uint64 {
	var buf [16]byte
	for i := range 8 {
		buf[i], buf[8+i] = byte(a>>(8*i)), byte(b>>(8*i))
	}
	return maphash.Bytes(seed, buf[:])
}
