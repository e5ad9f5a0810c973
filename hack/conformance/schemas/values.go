package schemas

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
)

// addValues adds value validation to a schema, which stays structural. What else it consists of does not change, apart
// from defaults, which are taken out: a CRD whose defaults are not valid is refused.
func addValues(s object, seed uint64) {
	v := &valueAdder{rng: rand.New(rand.NewPCG(seed, 0x76616c756573))}
	v.schema(s, true)
}

type valueAdder struct {
	rng *rand.Rand
}

func pick[T any](v *valueAdder, all ...T) T { return all[v.rng.IntN(len(all))] }

// schema adds validation to a schema and all below it.
func (v *valueAdder) schema(s object, isRoot bool) {
	delete(s, "default")
	properties, _ := s["properties"].(object)
	resource := isRoot || s["x-kubernetes-embedded-resource"] == true
	for _, k := range slices.Sorted(maps.Keys(properties)) {
		if k != "metadata" || !resource {
			v.schema(properties[k].(object), false)
		}
	}
	if items, ok := s["items"].(object); ok {
		v.schema(items, false)
		v.listType(s, items)
	}
	if values, ok := s["additionalProperties"].(object); ok {
		v.schema(values, false)
	}
	v.keywords(s, s)
	if v.rng.IntN(3) == 0 {
		v.junctors(s, s, 2)
	}
}

// listType makes a list a set or a map, if its elements allow that.
func (v *valueAdder) listType(s, items object) {
	if s["type"] != "array" || v.rng.IntN(2) == 0 || items["nullable"] == true {
		return
	}
	switch items["type"] {
	case "string", "integer", "number", "boolean":
		s["x-kubernetes-list-type"] = "set"
	case "object":
		properties, _ := items["properties"].(object)
		var keys []any
		for _, k := range slices.Sorted(maps.Keys(properties)) {
			switch p := properties[k].(object); p["type"] {
			case "string", "integer", "boolean":
				if p["nullable"] != true && len(keys) < 2 {
					keys = append(keys, k)
				}
			}
		}
		if len(keys) > 0 {
			s["x-kubernetes-list-type"], s["x-kubernetes-list-map-keys"] = "map", keys
			required, _ := items["required"].([]any)
			for _, k := range keys {
				if !slices.Contains(required, k) {
					required = append(required, k)
				}
			}
			items["required"] = required
		}
	}
}

// keywords adds keywords to out: to the schema s itself, or to validation below a junctor of it.
func (v *valueAdder) keywords(out, s object) {
	number := func() any { return pick(v, any(0), 1, 2, 3, 5, -1, 100, 1.5, 0.5, 10.25) }
	size := func() any { return v.rng.IntN(4) }
	properties, _ := s["properties"].(object)
	names := slices.Sorted(maps.Keys(properties))
	all := []struct {
		keyword string
		types   string // to which it means something; others have it now and then
		value   func() any
	}{
		{"format", "string", func() any {
			return pick(v, "date-time", "date", "byte", "ipv4", "ipv6", "cidr", "uuid", "duration", "email", "uri", "hostname", "colour", "k8s-short-name")
		}},
		{"format", "integer", func() any { return pick(v, "int32", "int64", "float") }},
		{"format", "number", func() any { return pick(v, "float", "double", "int32") }},
		{"maxLength", "string", size},
		{"minLength", "string", size},
		{"pattern", "string", func() any { return pick(v, "^a", "b+$", "^[0-9]*$", ".", `^[a-z]([-a-z0-9]*[a-z0-9])?$`, "é|%s'") }},
		{"maximum", "integer number", number},
		{"minimum", "integer number", number},
		{"exclusiveMaximum", "integer number", func() any { return v.rng.IntN(2) == 0 }},
		{"exclusiveMinimum", "integer number", func() any { return v.rng.IntN(2) == 0 }},
		{"multipleOf", "integer number", func() any { return pick(v, any(1), 2, 3, 0.5, 1.5) }},
		{"maxItems", "array", size},
		{"minItems", "array", size},
		{"maxProperties", "object", size},
		{"minProperties", "object", size},
		{"required", "object", func() any {
			if len(names) == 0 {
				return []any{"missing"}
			}
			return []any{names[v.rng.IntN(len(names))]}
		}},
		{"enum", "string", func() any { return []any{"a", "", "default"}[:1+v.rng.IntN(3)] }},
		{"enum", "integer number", func() any { return []any{1, 2, 65, 1.5}[:1+v.rng.IntN(4)] }},
		{"enum", "", func() any { return []any{nil, "A", 1, true, object{"a": 1}, []any{1, "b"}} }},
	}
	typ := fmt.Sprint(s["type"])
	for _, k := range all {
		if out[k.keyword] != nil {
			continue
		}
		oneIn := 30
		if k.types == typ || k.types == "integer number" && (typ == "integer" || typ == "number") {
			oneIn = 4
		}
		if v.rng.IntN(oneIn) == 0 {
			out[k.keyword] = k.value()
		}
	}
}

// junctors adds junctors to out, in the same way. They name nothing but what s names.
func (v *valueAdder) junctors(out, s object, depth int) {
	for _, k := range []string{"allOf", "anyOf", "oneOf"} {
		if v.rng.IntN(3) > 0 {
			continue
		}
		var all []any
		for range 1 + v.rng.IntN(3) {
			all = append(all, v.nested(s, depth))
		}
		out[k] = all
	}
	if v.rng.IntN(4) == 0 {
		out["not"] = v.nested(s, depth)
	}
}

// nested returns validation below a junctor of s.
func (v *valueAdder) nested(s object, depth int) object {
	n := object{}
	v.keywords(n, s)
	if depth == 0 {
		return n
	}
	if properties, ok := s["properties"].(object); ok && v.rng.IntN(2) == 0 {
		below := object{}
		for _, k := range slices.Sorted(maps.Keys(properties)) {
			if k != "metadata" && v.rng.IntN(2) == 0 {
				below[k] = v.nested(properties[k].(object), depth-1)
			}
		}
		n["properties"] = below
	}
	if items, ok := s["items"].(object); ok && v.rng.IntN(2) == 0 {
		n["items"] = v.nested(items, depth-1)
	}
	if n["properties"] == nil && v.rng.IntN(6) == 0 { // both are refused
		n["additionalProperties"] = false
	}
	if v.rng.IntN(3) == 0 {
		v.junctors(n, s, depth-1)
	}
	return n
}
