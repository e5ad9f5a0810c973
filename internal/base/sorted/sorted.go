// Package sorted returns the keys of maps in order.
package sorted

import (
	"cmp"
	"slices"
	"strings"
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

// ByText orders errors by their texts, as Kubernetes does. Each text is made once: it is as long as its path.
func ByText[E interface {
	comparable
	error
}](errs []E) {
	texts := make(map[E]string, len(errs))
	for _, e := range errs {
		texts[e] = e.Error()
	}
	slices.SortStableFunc(errs, func(a, b E) int { return strings.Compare(texts[a], texts[b]) })
}
