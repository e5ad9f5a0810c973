// Package sorted returns the keys of maps in order.
package sorted

import (
	"cmp"
	"slices"
)

// Keys returns the keys of a map, sorted. It is slices.Sorted(maps.Keys(m)) with a slice of the right size from the start.
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
