package interpret

import (
	"hash/maphash"
	"math"
	"reflect"
	"slices"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// hasDuplicates reports whether two elements are equal; 1 and 1.0 are not. It compares only elements that have the same
// hash, so that it takes as long as reading the list.
func hasDuplicates(v []any) bool {
	seed := maphash.MakeSeed()
	seen := make(map[uint64][]any, len(v))
	for _, e := range v {
		sum := valueHash(e, seed, 0)
		if slices.ContainsFunc(seen[sum], func(other any) bool { return reflect.DeepEqual(e, other) }) {
			return true
		}
		seen[sum] = append(seen[sum], e)
	}
	return false
}

// valueHash returns a number that is the same for equal values.
func valueHash(v any, seed maphash.Seed, depth int) uint64 {
	if depth > prunert.MaxDepth {
		return 0
	}
	var h maphash.Hash
	h.SetSeed(seed)
	switch v := v.(type) {
	case map[string]any:
		h.WriteByte('m')
		var sum uint64 // the order of the keys makes no difference
		for k, e := range v {
			var field maphash.Hash
			field.SetSeed(seed)
			field.WriteString(k)
			writeUint64(&field, valueHash(e, seed, depth+1))
			sum += field.Sum64()
		}
		writeUint64(&h, sum)
	case []any:
		h.WriteByte('l')
		for _, e := range v {
			writeUint64(&h, valueHash(e, seed, depth+1))
		}
	case string:
		h.WriteByte('s')
		h.WriteString(v)
	case int64:
		h.WriteByte('i')
		writeUint64(&h, uint64(v))
	case float64:
		h.WriteByte('f')
		writeUint64(&h, math.Float64bits(v+0)) // zero equals minus zero
	case bool:
		h.WriteByte('b')
		if v {
			h.WriteByte('t')
		}
	}
	return h.Sum64()
}

func writeUint64(h *maphash.Hash, n uint64) {
	for range 8 {
		h.WriteByte(byte(n))
		n >>= 8
	}
}
