package structural

import (
	"maps"
	"slices"
)

// copyJSON returns a copy of a JSON value that shares nothing with it.
func copyJSON(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = copyJSON(e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = copyJSON(e)
		}
		return out
	default:
		return v
	}
}

func cloneUnions(unions []Union) []Union {
	out := slices.Clone(unions)
	for i := range out {
		out[i].Fields = maps.Clone(out[i].Fields)
	}
	return out
}
