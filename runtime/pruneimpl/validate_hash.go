package pruneimpl

import (
	"encoding/binary"
	"hash/maphash"
	"math"
	"math/bits"
	"slices"
	"sync"
)

var seed = maphash.MakeSeed()

// allDiffer reports whether the hashes of all elements differ, and so do the elements: by the named keys, or, if there are none, as
// a whole. Where it is false, a closer look must say whether they do. It does not allocate in the long run.
func allDiffer(list []any, keys []string) bool {
	const few = 16 // are compared with each other
	if len(list) <= few {
		var seen [few]uint64
		for i, e := range list {
			h, ok := hash(e, keys)
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
		h, ok := hash(e, keys)
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

// grow makes room for n hashes and forgets the old ones.
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

// hash returns the hash of an element of a list, by the named keys if there are any; ok is false for one that has no simple hash.
func hash(e any, keys []string) (h uint64, ok bool) {
	if len(keys) == 0 {
		return elementHash(e)
	}
	obj, ok := e.(map[string]any)
	switch {
	case !ok && e != nil:
		return 0, false
	case len(keys) == 1:
		return fieldHash(obj, keys[0])
	}
	return keysHash(obj, keys)
}

// fieldHash returns the hash of a field, which may be missing; ok is false where it is not a scalar.
func fieldHash(obj map[string]any, name string) (h uint64, ok bool) {
	v, found := obj[name]
	if !found {
		return numberHash(5, 0), true
	}
	return elementHash(v)
}

// keysHash returns the hash of several keys; ok is false where one of them is not a scalar. Floats are not hashed: the API server
// compares several keys by their JSON, in which 1 and 1.0 are the same.
func keysHash(obj map[string]any, keys []string) (h uint64, ok bool) {
	for _, k := range keys {
		if _, isFloat := obj[k].(float64); isFloat {
			return 0, false
		}
		one, ok := fieldHash(obj, k)
		if !ok {
			return 0, false
		}
		h = bits.RotateLeft64(h, 23) ^ one
	}
	return h, true
}

// numberHash returns the hash of two numbers.
func numberHash(a, b uint64) uint64 {
	var buf [16]byte
	binary.LittleEndian.PutUint64(buf[:], a)
	binary.LittleEndian.PutUint64(buf[8:], b)
	return maphash.Bytes(seed, buf[:])
}
