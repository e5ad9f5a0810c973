package custom

import "slices"

// hasNull reports whether there is a null in a value.
func hasNull(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case map[string]any:
		for _, e := range v {
			if hasNull(e) {
				return true
			}
		}
	case []any:
		for _, e := range v {
			if hasNull(e) {
				return true
			}
		}
	}
	return false
}

// dropNulls drops the fields of a value that are null and that normalizing has dropped from its copy. What it has filled in
// stays null.
func dropNulls(v, normal any) {
	switch v := v.(type) {
	case map[string]any:
		normal, _ := normal.(map[string]any)
		for k, e := range v {
			n, ok := normal[k]
			if e == nil && !ok {
				delete(v, k)
			} else {
				dropNulls(e, n)
			}
		}
	case []any:
		normal, _ := normal.([]any)
		for i, e := range v {
			if i < len(normal) {
				dropNulls(e, normal[i])
			}
		}
	}
}

// hasOddMetadata reports whether a value has a field called metadata that is not an object. Where the metadata is that of an
// embedded resource, reading from storage leaves it alone and converting refuses it.
func hasOddMetadata(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			if _, ok := e.(map[string]any); k == "metadata" && !ok || hasOddMetadata(e) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, hasOddMetadata)
	}
	return false
}
