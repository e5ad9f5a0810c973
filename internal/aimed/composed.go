package aimed

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// fitting returns a value that s allows, as far as its own keywords say, with all fields that it requires.
func fitting(s map[string]any) any {
	if enum, ok := s["enum"].([]any); ok && len(enum) > 0 {
		return enum[0]
	}
	switch s["type"] {
	case "object":
		obj := map[string]any{}
		if s["x-kubernetes-embedded-resource"] == true {
			obj = resource()
		}
		required, _ := s["required"].([]any)
		for _, name := range required {
			obj[name.(string)] = fitting(property(s, name.(string)))
		}
		return obj
	case "array":
		n := 1
		if least, ok := s["minItems"]; ok {
			n = int(number(least))
		}
		return listOf(s, n)
	case "integer", "number":
		for _, bound := range []string{"minimum", "maximum"} {
			if b, ok := s[bound]; ok {
				return int64(min(max(number(b), -1<<53), 1<<53))
			}
		}
		return int64(2)
	case "boolean":
		return true
	}
	if p, ok := s["pattern"].(string); ok {
		if all := matching(p); len(all) > 0 {
			return all[0]
		}
	}
	if f, ok := s["format"].(string); ok {
		return Formatted(f)[0]
	}
	n := 1
	if least, ok := s["minLength"]; ok {
		n = int(number(least))
	}
	return "abcdefghijklmnopqrstuvwxyz"[:min(n, 26)]
}

// property returns the schema of a field; an empty one where s has none.
func property(s map[string]any, name string) map[string]any {
	properties, _ := s["properties"].(map[string]any)
	if p, ok := properties[name].(map[string]any); ok {
		return p
	}
	values, _ := s["additionalProperties"].(map[string]any)
	return values
}

// propertyValues returns values for every field of s, whose schemas are in s and below its junctors.
func propertyValues(s map[string]any) map[string][]any {
	all := map[string][]any{}
	properties, _ := s["properties"].(map[string]any)
	for name, p := range properties {
		all[name] = Values(p.(map[string]any))
	}
	for _, branch := range branches(s) {
		for name, values := range propertyValues(branch) {
			all[name] = distinct(slices.Concat(all[name], values))
		}
	}
	return all
}

// withFields returns objects in which each field of s has each of its values at least once, and is absent at least once. Fields
// go through their values out of step, so that different ones meet.
func withFields(s map[string]any) []any {
	values := propertyValues(s)
	additional, hasAdditional := s["additionalProperties"]
	if schema, ok := additional.(map[string]any); ok {
		of := Values(schema)
		values["x"], values["a.b"], values["["] = of, of, of
	}
	if len(values) == 0 && !hasAdditional && s["x-kubernetes-preserve-unknown-fields"] != true {
		return nil
	}
	most := 3
	for _, v := range values {
		most = max(most, len(v)+1)
	}
	var all []any
	for i := range most {
		obj := map[string]any{}
		if s["x-kubernetes-embedded-resource"] == true {
			obj = resource()
		}
		for j, name := range slices.Sorted(maps.Keys(values)) {
			of := values[name]
			if at := (i + 5*j) % (len(of) + 1); at < len(of) {
				obj[name] = of[at]
			}
		}
		if i%4 == 1 {
			obj["unknown"] = map[string]any{"x": []any{map[string]any{"y": int64(1)}}, "apiVersion": int64(1)}
		}
		all = append(all, obj)
	}
	return all
}

// withElements returns lists in which each value for the elements of s is at least once.
func withElements(s map[string]any) []any {
	var values []any
	for _, s := range append(branches(s), s) {
		if items, ok := s["items"].(map[string]any); ok {
			values = distinct(append(values, Values(items)...))
		}
	}
	var all []any
	for i := range values {
		list := []any{}
		for j := range 1 + i%3 {
			list = append(list, values[(i+3*j)%len(values)])
		}
		all = append(all, list)
	}
	return all
}

// listOf returns n elements that are not equal, where their schema has so many values.
func listOf(s map[string]any, n int) []any {
	items, _ := s["items"].(map[string]any)
	list := make([]any, n)
	for i := range list {
		switch items["type"] {
		case "string":
			list[i] = "e" + strconv.Itoa(i)
		case "object":
			list[i] = fields(items, 2)
			for _, name := range keysOf(s) {
				list[i].(map[string]any)[name] = fitting(property(items, name))
			}
			if names := keysOf(s); len(names) > 0 && property(items, names[0])["type"] == "string" {
				list[i].(map[string]any)[names[0]] = "e" + strconv.Itoa(i)
			}
		default:
			list[i] = int64(i)
		}
	}
	return list
}

// keysOf returns the keys of a list that is a map.
func keysOf(s map[string]any) []string {
	var all []string
	keys, _ := s["x-kubernetes-list-map-keys"].([]any)
	for _, k := range keys {
		all = append(all, k.(string))
	}
	return all
}

// repeating returns lists with elements that are equal, or nearly so.
func repeating(s map[string]any) []any {
	all := []any{
		[]any{"a", "b", "a"}, []any{"a", "a", "a"}, []any{int64(1), 1.0}, []any{1.5, 1.5, "1.5"}, []any{nil, nil}, []any{true, false, true},
		[]any{map[string]any{}, map[string]any{}}, []any{[]any{int64(1)}, []any{int64(1)}}, []any{[]any{"a", "b"}, []any{"b", "a"}},
	}
	items, _ := s["items"].(map[string]any)
	keys := keysOf(s)
	if len(keys) == 0 {
		return all
	}
	element := func(except string, value any) any {
		obj := map[string]any{"more": "x"}
		for _, k := range keys {
			if k != except {
				obj[k] = fitting(property(items, k))
			} else if value != nil {
				obj[k] = value
			}
		}
		return obj
	}
	same := element("", nil)
	all = append(all, []any{same, same, same}, []any{same, "text", "text", int64(1), nil})
	for _, k := range keys {
		without, other, wrong := element(k, nil), element(k, "other"), element(k, int64(9))
		all = append(all, []any{without, without}, []any{same, other, without}, []any{other, wrong, other, wrong})
	}
	return all
}

// fields returns an object with n fields: those that s names first.
func fields(s map[string]any, n int) map[string]any {
	properties, _ := s["properties"].(map[string]any)
	names := slices.Sorted(maps.Keys(properties))
	obj := map[string]any{}
	for i := range n {
		if i < len(names) {
			obj[names[i]] = fitting(properties[names[i]].(map[string]any))
		} else {
			obj["f"+strconv.Itoa(i)] = fitting(property(s, ""))
		}
	}
	return obj
}

// requiring returns objects with the required fields, and without each of them.
func requiring(s map[string]any, names []any) []any {
	var all []any
	for without := range len(names) + 1 { // the last one has them all
		obj := map[string]any{}
		for i, name := range names {
			if i != without {
				obj[name.(string)] = fitting(property(s, name.(string)))
			}
		}
		all = append(all, obj)
	}
	null := map[string]any{}
	for _, name := range names {
		null[name.(string)] = nil
	}
	return append(all, null)
}

// resource returns a resource without fields of its own.
func resource() map[string]any {
	return map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "a"}}
}

// embedded returns resources with and without what makes them resources.
func embedded() []any {
	all := []any{map[string]any{}, resource()}
	for _, field := range []struct {
		name   string
		values []any
	}{
		{"apiVersion", []any{nil, "", "a/b/c", int64(1), "g/v1"}},
		{"kind", []any{nil, "", "A B", "pod", "1a", "a-", int64(1), strings.Repeat("K", 63), strings.Repeat("K", 64)}},
		{"metadata", []any{nil, map[string]any{"name": "A_B", "unknown": int64(1)}, map[string]any{"labels": map[string]any{"a": "b"}}, "text"}},
	} {
		for _, v := range field.values {
			obj := resource()
			if obj[field.name] = v; v == nil {
				delete(obj, field.name)
			}
			all = append(all, obj)
		}
	}
	return all
}
