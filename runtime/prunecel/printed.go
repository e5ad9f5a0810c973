package prunecel

import (
	"fmt"
	"strings"
)

// printed returns a value as errors mention it, which is how Go prints what cel-go has for it.
func printed(v any) string {
	switch v := v.(type) {
	case nil:
		return "0"
	case TypeValue:
		return string(v)
	case Optional:
		if !v.Present {
			return "optional.none()"
		}
		return "optional(" + printed(v.Value) + ")"
	}
	switch TypeOf(v) {
	case "list":
		items, _ := Items(v)
		texts := make([]string, len(items))
		for i, item := range items {
			texts[i] = printed(item)
		}
		return "[" + strings.Join(texts, ", ") + "]"
	case "map":
		var texts []string
		for _, key := range keysOf(v) {
			value, _ := findIn(v, key)
			texts = append(texts, printed(key)+": "+printed(value))
		}
		return "{" + strings.Join(texts, ", ") + "}"
	}
	return fmt.Sprint(v)
}

// printedType returns the type of a value as errors mention it.
func printedType(v any) string {
	switch t := TypeOf(v); t {
	case "list":
		return "list(dyn)"
	case "map":
		return "map(dyn, dyn)"
	case "optional_type":
		return "optional_type(dyn)"
	default:
		return t
	}
}
