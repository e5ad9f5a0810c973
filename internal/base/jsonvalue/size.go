package jsonvalue

// Size returns about how long the text of a value is.
func Size(value any) int {
	switch v := value.(type) {
	case string:
		return len(v)
	case *string:
		if v != nil {
			return len(*v)
		}
	case []string:
		n := 0
		for _, s := range v {
			n += len(s) + 3
		}
		return n
	case []any:
		n := 2
		for _, e := range v {
			n += Size(e) + 1
		}
		return n
	case map[string]any:
		n := 2
		for k, e := range v {
			n += len(k) + Size(e) + 4
		}
		return n
	}
	return 8
}
