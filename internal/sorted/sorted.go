// Package sorted brings what Go keeps in no order into one.
package sorted

import (
	"cmp"
	"slices"
)

// Keys returns the keys of a map, sorted. It is slices.Sorted(maps.Keys(m)) without the slices that are too small.
func Keys[M ~map[K]V, K cmp.Ordered, V any](m M) []K {
	if len(m) == 0 {
		return nil
	}
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
