package pruneimpl

import (
	"hash/maphash"
	"math/bits"
	"slices"
	"sync"
)

var (
	seed    = maphash.MakeSeed()
	buffers = sync.Pool{New: func() any { return new([]uint64) }}
)

// allDiffer reports whether the hashes of all elements differ, and so do the elements: by the named keys, or, if there are none, as
// a whole. If it is false, the elements themselves have to be compared. In the long run it does not allocate.
func allDiffer(list []any, keys []string) bool {
	buffer := buffers.Get().(*[]uint64)
	defer buffers.Put(buffer)
	hashes := (*buffer)[:0]
	for _, e := range list {
		h, ok := hash(e, keys)
		if !ok {
			return false
		}
		hashes = append(hashes, h)
	}
	*buffer = hashes
	slices.Sort(hashes)
	for i := 1; i < len(hashes); i++ {
		if hashes[i] == hashes[i-1] {
			return false
		}
	}
	return true
}

// hash returns the hash of an element of a list, by the named keys if there are any; ok is false for one that has no simple hash.
// Of several keys none may be a float: the API server compares them by their JSON, in which 1 and 1.0 are the same.
func hash(e any, keys []string) (h uint64, ok bool) {
	if len(keys) == 0 {
		return scalarHash(e)
	}
	obj, ok := e.(map[string]any)
	if !ok && e != nil {
		return 0, false
	}
	for _, k := range keys {
		v, found := obj[k]
		if !found {
			v = unspecified{}
		}
		if _, isFloat := v.(float64); isFloat && len(keys) > 1 {
			return 0, false
		}
		one, ok := scalarHash(v)
		if !ok {
			return 0, false
		}
		h = bits.RotateLeft64(h, 23) ^ one
	}
	return h, true
}

// scalarHash returns the hash of a scalar; ok is false for everything else.
func scalarHash(v any) (h uint64, ok bool) {
	switch v := v.(type) {
	case string:
		return maphash.String(seed, v), true
	case int64, float64, bool, unspecified, nil:
		return maphash.Comparable(seed, v), true
	}
	return 0, false
}
