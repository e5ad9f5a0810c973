package kube

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// patchOperation is one operation of a JSON patch.
type patchOperation map[string]any

// diff appends the operations that turn a into b. It compares the items of lists of the same length and replaces other lists.
func diff(ops []patchOperation, path string, a, b any) []patchOperation {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok {
			break
		}
		for _, k := range slices.Sorted(maps.Keys(a)) {
			below := path + "/" + escapePointer(k)
			if v, ok := b[k]; ok {
				ops = diff(ops, below, a[k], v)
			} else {
				ops = append(ops, patchOperation{"op": "remove", "path": below})
			}
		}
		for _, k := range slices.Sorted(maps.Keys(b)) {
			if _, ok := a[k]; !ok {
				ops = append(ops, patchOperation{"op": "add", "path": path + "/" + escapePointer(k), "value": b[k]})
			}
		}
		return ops
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			break
		}
		for i := range a {
			ops = diff(ops, fmt.Sprintf("%s/%d", path, i), a[i], b[i])
		}
		return ops
	}
	if !reflect.DeepEqual(a, b) {
		ops = append(ops, patchOperation{"op": "replace", "path": path, "value": b})
	}
	return ops
}

// escapePointer escapes a key for a JSON pointer.
func escapePointer(k string) string {
	return strings.ReplaceAll(strings.ReplaceAll(k, "~", "~0"), "/", "~1")
}
