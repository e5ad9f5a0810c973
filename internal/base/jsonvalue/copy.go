// Package jsonvalue has what is the same for all JSON values: nil, bool, int64, float64, string, []any and map[string]any.
package jsonvalue

import prunert "github.com/prune-gen/prune-gen/runtime"

// Copy returns a copy of a JSON value that shares nothing with it.
func Copy[T any](v T) T {
	c, _ := Map(v, func(scalar any) any { return scalar }).(T) // nil is not a T if that is an interface
	return c
}

// Map returns a copy of a JSON value with f applied to each value in it that is neither a map nor a list. What is nested deeper than
// prunert.MaxDepth, as in a map that contains itself, is not copied: no decoder makes it.
func Map(v any, f func(scalar any) any) any { return mapped(v, f, 0) }

func mapped(v any, f func(scalar any) any, depth int) any {
	if depth > prunert.MaxDepth {
		return v
	}
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = mapped(e, f, depth+1)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = mapped(e, f, depth+1)
		}
		return out
	default:
		return f(v)
	}
}
