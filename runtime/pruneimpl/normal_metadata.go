package pruneimpl

// The functions in this file recognise metadata that is as Kubernetes writes it, which is what nearly all metadata is. They
// may say no of what is in order: then the functions that check, prune and rewrite it find that out.

// isNormalTime reports whether v is a time in UTC, in seconds and not the zero time: 2006-01-02T15:04:05Z
func isNormalTime(v any) bool {
	const form = "0000-00-00T00:00:00Z"
	s, ok := v.(string)
	if !ok || len(s) != len(form) {
		return false
	}
	for i := range len(form) {
		if form[i] == '0' {
			if s[i] < '0' || s[i] > '9' {
				return false
			}
		} else if s[i] != form[i] {
			return false
		}
	}
	two := func(i int) int { return int(s[i]-'0')*10 + int(s[i+1]-'0') }
	month, day := two(5), two(8)
	// The last days of a month, and the first year, are for those who know the calendar.
	return s[:4] > "0001" && month >= 1 && month <= 12 && day >= 1 && day <= 28 && two(11) < 24 && two(14) < 60 && two(17) < 60
}

// isNormalStringMap reports whether v is a map that has strings in it and nothing else.
func isNormalStringMap(v any) bool {
	values, ok := v.(map[string]any)
	if !ok || len(values) == 0 {
		return false
	}
	for _, value := range values {
		if _, ok := value.(string); !ok {
			return false
		}
	}
	return true
}

// isNormalList reports whether v is a list that has something in it, and only what is normal.
func isNormalList(v any, isNormal func(map[string]any) bool) bool {
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return false
	}
	for _, e := range list {
		if entry, ok := e.(map[string]any); !ok || !isNormal(entry) {
			return false
		}
	}
	return true
}

func isNormalOwner(owner map[string]any) bool {
	always := 0
	for k, v := range owner {
		switch k {
		case "apiVersion", "kind", "name", "uid":
			if _, ok := v.(string); !ok {
				return false
			}
			always++
		case "blockOwnerDeletion", "controller":
			if _, ok := v.(bool); !ok {
				return false
			}
		default:
			return false
		}
	}
	return always == 4
}

func isNormalManagedFields(entry map[string]any) bool {
	for k, v := range entry {
		switch k {
		case "apiVersion", "fieldsType", "manager", "operation", "subresource":
			if s, ok := v.(string); !ok || s == "" {
				return false
			}
		case "time":
			if !isNormalTime(v) {
				return false
			}
		case "fieldsV1":
			if v == nil || hasWholeFloat(v, 0) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// hasWholeFloat reports whether there is a float in v that comes out of JSON as an integer, or perhaps too much to look at.
func hasWholeFloat(v any, depth int) bool {
	const deep = 100
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			if depth > deep || hasWholeFloat(e, depth+1) {
				return true
			}
		}
	case []any:
		for _, e := range v {
			if depth > deep || hasWholeFloat(e, depth+1) {
				return true
			}
		}
	case float64:
		return fitsInt64(v)
	}
	return false
}
