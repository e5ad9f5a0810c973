package jsonvalue

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Text returns a value as JSON for people, in which <, > and & are not escaped.
func Text(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return fmt.Sprint(v) // infinities and the like, which JSON does not have
	}
	return strings.TrimSuffix(b.String(), "\n")
}
