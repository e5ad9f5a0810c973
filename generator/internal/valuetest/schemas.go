// Package valuetest makes random schemas and objects, and holds generated validation against the reference. It is called by
// tests, and by a program that they compile.
package valuetest

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
)

// Random makes schemas and values. A few names and values for all of them make it likely that they meet.
type Random struct{ *rand.Rand }

func New(seed uint64) Random { return Random{rand.New(rand.NewPCG(seed, 1))} }

func (r Random) chance(percent int) bool { return r.IntN(100) < percent }

func pick[T any](r Random, all ...T) T { return all[r.IntN(len(all))] }

var (
	fieldNames = []string{"a", "b", "c", "a.b", "", "kind", "metadata", "status"}
	formats    = []string{"date-time", "datetime", "date", "byte", "int32", "int64", "float", "double", "ipv4", "ipv6", "cidr", "uuid", "uuid4",
		"hostname", "email", "uri", "mac", "duration", "password", "k8s-short-name", "unknown"}
	patterns = []string{"^a", "b$", "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", "^.{2}$", "[",
		`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`}
	bounds = []any{int64(-1), int64(0), int64(1), int64(3), int64(5), 0.5, 2.5, 10.5, 1e10, 1e20, int64(2147483648), 3.4028234663852886e38, 3.5e38, -3.5e38}
	texts  = []string{"", "a", "ab", "abc", "A", "é", "ééé", "1.2.3.4", "::1", "2020-01-01", "2020-01-01T00:00:00Z", "YQ==", "b", "x y", "3 days",
		"10.0.0.0/8", "a@b.c", "http://x", "1Gi", "01.2.3.4", "\x00",
		"10.0.0.0/32", "10.0.0.0/33", "10.0.0.0/08", "::/128", "::/129", "1.2.3.04", "::ffff:1.2.3.4", "1.2.3"}
	numbers = []any{int64(-1), int64(0), int64(1), int64(2), int64(3), int64(4), int64(5), int64(65), int64(1 << 40), 0.5, 1.5, 2.0, 4.0, 65.7, 1e20, 1.0000000001, 1e300, 3.4028234663852886e38, 3.5e38, -3.5e38,
		int64(math.MaxInt32), int64(math.MaxInt32 + 1), int64(math.MinInt32), int64(math.MinInt32 - 1)}
)

// Schema makes a schema, as JSON, of so many levels.
func (r Random) Schema(depth int) map[string]any {
	s := r.schema(depth, false)
	s["type"] = "object"
	if r.chance(90) {
		delete(s, "x-kubernetes-embedded-resource")
	}
	return s
}

// schema makes a schema; nested stands for one below a junctor, where the API server has no lists as sets or maps.
func (r Random) schema(depth int, nested bool) map[string]any {
	s := map[string]any{}
	typ := pick(r, "object", "object", "array", "string", "integer", "number", "boolean", "")
	if nested && r.chance(60) {
		typ = ""
	}
	if typ != "" {
		s["type"] = typ
	}
	if r.chance(8) {
		s["x-kubernetes-int-or-string"] = true
		if r.chance(60) {
			s["anyOf"] = []any{map[string]any{"type": "integer"}, map[string]any{"type": "string"}}
		}
	}
	if r.chance(15) {
		s["nullable"] = true
	}
	r.keywords(s, typ, nested)
	if depth == 0 {
		return s
	}
	r.below(s, typ, depth, nested)
	r.junctors(s, depth)
	return s
}

func (r Random) keywords(s map[string]any, typ string, nested bool) {
	text, number, list, object := r.applies(typ, "string"), r.applies(typ, "integer", "number"), r.applies(typ, "array"), r.applies(typ, "object")
	set := func(applies bool, percent int, name string, value func() any) {
		if applies && r.chance(percent) {
			s[name] = value()
		}
	}
	small := func() any { return int64(r.IntN(4)) }
	set(text || number, 25, "format", func() any { return pick(r, formats...) })
	set(text, 25, "minLength", small)
	set(text, 25, "maxLength", func() any { return int64(r.IntN(4) - r.IntN(2)) })
	set(text, 25, "pattern", func() any { return pick(r, patterns...) })
	set(number, 30, "minimum", func() any { return pick(r, bounds...) })
	set(number, 30, "maximum", func() any { return pick(r, bounds...) })
	set(number, 10, "exclusiveMinimum", func() any { return true })
	set(number, 10, "exclusiveMaximum", func() any { return true })
	set(number, 10, "multipleOf", func() any { return pick(r, bounds...) })
	set(list, 20, "minItems", small)
	set(list, 20, "maxItems", small)
	set(object, 15, "minProperties", small)
	set(object, 15, "maxProperties", small)
	set(object, 30, "required", func() any {
		var names []any
		for range 1 + r.IntN(2) {
			names = append(names, pick(r, fieldNames...))
		}
		return names
	})
	set(true, 10, "enum", func() any {
		var values []any
		for range 1 + r.IntN(3) {
			if r.chance(50) {
				values = append(values, pick(r, texts...))
			} else {
				values = append(values, r.Value(1))
			}
		}
		return values
	})
	if nested {
		return
	}
	if list && r.chance(30) {
		s["x-kubernetes-list-type"] = pick(r, "set", "map", "map", "atomic")
		s["x-kubernetes-list-map-keys"] = pick(r, []any{"a"}, []any{"a", "b"})
	}
	set(object, 5, "x-kubernetes-embedded-resource", func() any { return true })
}

// applies reports whether keywords for values of these types are worth a try.
func (r Random) applies(typ string, types ...string) bool {
	for _, t := range types {
		if t == typ || typ == "" && r.chance(40) {
			return true
		}
	}
	return r.chance(5)
}

func (r Random) below(s map[string]any, typ string, depth int, nested bool) {
	if r.applies(typ, "object") {
		if r.chance(80) {
			properties := map[string]any{}
			for range 1 + r.IntN(4) {
				properties[pick(r, fieldNames...)] = r.schema(depth-1, nested)
			}
			if r.chance(10) { // enough for the other way of going through an object
				for i := range 12 {
					properties[fmt.Sprintf("more%d", i)] = r.schema(0, nested)
				}
			}
			s["properties"] = properties
		}
		switch r.IntN(8) {
		case 0, 1:
			if s["properties"] == nil || nested {
				s["additionalProperties"] = r.schema(depth-1, nested)
			}
		case 2:
			s["additionalProperties"] = false
		case 3:
			s["additionalProperties"] = true
		}
	}
	if r.applies(typ, "array") && r.chance(80) {
		s["items"] = r.schema(depth-1, nested)
	}
}

func (r Random) junctors(s map[string]any, depth int) {
	branches := func() any {
		var all []any
		for range 1 + r.IntN(3) {
			all = append(all, r.schema(depth-1, true))
		}
		return all
	}
	for _, j := range []string{"anyOf", "oneOf", "allOf"} {
		if r.chance(12) && s[j] == nil {
			s[j] = branches()
		}
	}
	if r.chance(8) {
		s["not"] = r.schema(depth-1, true)
	}
}

// Value makes any value of so many levels.
func (r Random) Value(depth int) any {
	n := 5
	if depth == 0 {
		n = 3
	}
	switch r.IntN(n + 1) {
	case 0:
		return pick(r, texts...)
	case 1:
		return pick(r, numbers...)
	case 2:
		return pick[any](r, true, false)
	case 3:
		return nil
	case 4:
		list := []any{}
		for range r.IntN(4) {
			list = append(list, r.Value(depth-1))
		}
		return list
	}
	obj := map[string]any{}
	for range r.IntN(4) {
		obj[pick(r, fieldNames...)] = r.Value(depth - 1)
	}
	return obj
}

// Near makes a value that a schema may allow: of its types, with its fields, now and then something else.
func (r Random) Near(s map[string]any, depth int) any {
	if depth < 0 || r.chance(8) {
		return r.Value(2)
	}
	if enum, ok := s["enum"].([]any); ok && r.chance(70) {
		return pick(r, enum...)
	}
	for _, j := range []string{"anyOf", "oneOf", "allOf"} {
		if all, ok := s[j].([]any); ok && r.chance(30) {
			return r.Near(pick(r, all...).(map[string]any), depth)
		}
	}
	if r.chance(30) {
		if at := r.aims(s); len(at) > 0 {
			return pick(r, at...)
		}
	}
	typ, _ := s["type"].(string)
	if typ == "" {
		switch {
		case s["properties"] != nil || s["required"] != nil:
			typ = "object"
		case s["items"] != nil:
			typ = "array"
		default:
			typ = pick(r, "string", "integer", "object")
		}
	}
	switch typ {
	case "string":
		return pick(r, texts...)
	case "integer", "number":
		return pick(r, numbers...)
	case "boolean":
		return r.chance(50)
	case "array":
		list := []any{}
		items, _ := s["items"].(map[string]any)
		for range r.IntN(4) {
			list = append(list, r.Near(items, depth-1))
		}
		return list
	}
	obj := map[string]any{}
	properties, _ := s["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if r.chance(70) {
			obj[name] = r.Near(properties[name].(map[string]any), depth-1)
		}
	}
	if values, ok := s["additionalProperties"].(map[string]any); ok || r.chance(10) {
		for range r.IntN(3) {
			obj[pick(r, fieldNames...)] = r.Near(values, depth-1)
		}
	}
	return obj
}

// Changed returns a copy of a value with few changes in it: other values, other fields, another order.
func (r Random) Changed(v any) any {
	if r.chance(4) {
		return r.Value(1)
	}
	switch v := v.(type) {
	case map[string]any:
		c := map[string]any{}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if !r.chance(4) {
				c[k] = r.Changed(v[k])
			}
		}
		if r.chance(4) {
			c[pick(r, fieldNames...)] = r.Value(1)
		}
		return c
	case []any:
		c := []any{}
		for _, e := range v {
			c = append(c, r.Changed(e))
		}
		if r.chance(15) {
			r.Shuffle(len(c), func(i, j int) { c[i], c[j] = c[j], c[i] })
		}
		return c
	}
	return v
}
