package custom

import "slices"

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
