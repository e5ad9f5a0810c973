// Package jsonvalue has what is the same for all JSON values: nil, bool, int64, float64, string, []any and map[string]any.
package jsonvalue

// Copy returns a copy of a JSON value that shares nothing with it.
func Copy[T any](v T) T {
	c, _ := copyValue(v).(T) // nil is not a T if that is an interface
	return c
}

func copyValue(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = copyValue(e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = copyValue(e)
		}
		return out
	default:
		return v
	}
}
