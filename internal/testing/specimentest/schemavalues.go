package specimentest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/answer/formats"
)

// addValues adds value validation to a schema and all below it. What else it consists of does not change, apart from defaults, which
// are taken out: a CRD whose defaults are not valid is refused.
func (m *schemaMaker) addValues(s object, isRoot bool) {
	delete(s, "default")
	properties, _ := s["properties"].(object)
	resource := isRoot || s["x-kubernetes-embedded-resource"] == true
	for _, k := range sorted(properties) {
		if k != "metadata" || !resource {
			m.addValues(properties[k].(object), false)
		}
	}
	if items, ok := s["items"].(object); ok {
		m.addValues(items, false)
		m.listType(s, items)
	}
	if values, ok := s["additionalProperties"].(object); ok {
		m.addValues(values, false)
	}
	m.keywords(s, s)
	if m.oneIn(3) {
		m.junctors(s, s, 2)
	}
}

// listType makes a list a set or a map, if its elements allow that.
func (m *schemaMaker) listType(s, items object) {
	if m.opts.Loose && m.oneIn(3) {
		s["x-kubernetes-list-type"] = pick(m.rng, "set", "map", "map", "atomic")
		s["x-kubernetes-list-map-keys"] = pick(m.rng, []any{"a"}, []any{"a", "b"})
		return
	}
	if s["type"] != "array" || m.oneIn(2) || items["nullable"] == true {
		return
	}
	switch items["type"] {
	case "string", "integer", "number", "boolean":
		s["x-kubernetes-list-type"] = "set"
	case "object":
		properties, _ := items["properties"].(object)
		var keys []any
		for _, k := range sorted(properties) {
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

// Keyword returns a value for a keyword of value validation that can be about values of the schema s, nil if it cannot.
func Keyword(rng *rand.Rand, s map[string]any, name string) any {
	m := &schemaMaker{rng: rng}
	switch name {
	case "not":
		return m.single(s)
	case "allOf", "anyOf", "oneOf":
		return []any{m.single(s), m.nested(s, 1)}[:1+m.rng.IntN(2)]
	}
	for _, k := range m.keywordsOf(s) {
		if k.name == name && (strings.Contains(k.types, fmt.Sprint(s["type"])) || k.types == "" && m.oneIn(8)) {
			return k.value()
		}
	}
	return nil
}

// single returns validation below a junctor of s, of one keyword if one is about values of s.
func (m *schemaMaker) single(s object) object {
	properties, _ := s["properties"].(object)
	if k := pick(m.rng, append(sorted(properties), "")...); k != "" && k != "metadata" {
		return object{"properties": object{k: m.single(properties[k].(object))}}
	}
	all := slices.DeleteFunc(m.keywordsOf(s), func(k schemaKeyword) bool { return !strings.Contains(k.types, fmt.Sprint(s["type"])) })
	if len(all) == 0 {
		return m.nested(s, 0)
	}
	k := pick(m.rng, all...)
	return object{k.name: k.value()}
}

// ListType makes a list a set or a map, or neither.
func ListType(rng *rand.Rand, s map[string]any) {
	delete(s, "x-kubernetes-list-type")
	delete(s, "x-kubernetes-list-map-keys")
	if items, ok := s["items"].(object); ok {
		(&schemaMaker{rng: rng}).listType(s, items)
	}
}

// Fitting returns a value that the schema s allows, nearly always.
func Fitting(rng *rand.Rand, s map[string]any) any { return (&schemaMaker{rng: rng}).fitting(s) }

// schemaKeyword is a keyword of value validation.
type schemaKeyword struct {
	name  string
	types string // to which it means something; others have it now and then
	value func() any
}

// keywordsOf returns the keywords that the schema s can have.
func (m *schemaMaker) keywordsOf(s object) []schemaKeyword {
	number := func() any {
		return pick[any](m.rng, 0, 1, 2, 3, 5, -1, 100, 1.5, 0.5, 10.25, 1e10, 1e20, 1<<31, 3.4028234663852886e38, 3.5e38, -3.5e38)
	}
	size := func() any { return m.rng.IntN(4) }
	properties, _ := s["properties"].(object)
	names := sorted(properties)
	return []schemaKeyword{
		{"format", "string", func() any { return pick(m.rng, formatNames...) }},
		{"format", "integer number", func() any { return pick(m.rng, "int32", "int64", "float", "double", "float64") }},
		{"maxLength", "string", func() any {
			if m.opts.Loose && m.oneIn(8) {
				return -1
			}
			return size()
		}},
		{"minLength", "string", size},
		{"pattern", "string", func() any {
			if m.opts.Loose && m.oneIn(8) {
				return "[" // which matches nothing
			}
			return pick(m.rng, "^a", "b+$", "^[0-9]*$", ".", "^.{2}$", `^[a-z]([-a-z0-9]*[a-z0-9])?$`, "é|%s'", quantity)
		}},
		{"maximum", "integer number", number},
		{"minimum", "integer number", number},
		{"exclusiveMaximum", "integer number", func() any { return m.oneIn(2) }},
		{"exclusiveMinimum", "integer number", func() any { return m.oneIn(2) }},
		{"multipleOf", "integer number", func() any { return pick[any](m.rng, 1, 2, 3, 0.5, 1.5, 1e10) }},
		{"maxItems", "array", size},
		{"minItems", "array", size},
		{"maxProperties", "object", size},
		{"minProperties", "object", size},
		{"required", "object", func() any {
			if len(names) == 0 || m.opts.Loose && m.oneIn(3) {
				return []any{m.name(), "missing"}
			}
			return []any{pick(m.rng, names...)}
		}},
		{"enum", "string", func() any { return []any{"a", "", "default"}[:1+m.rng.IntN(3)] }},
		{"enum", "integer number", func() any { return []any{1, 2, 65, 1.5}[:1+m.rng.IntN(4)] }},
		{"enum", "", func() any { return []any{nil, "A", 1, true, object{"a": 1}, []any{1, "b"}} }},
	}
}

// keywords adds keywords to out: to the schema s itself, or to validation below a junctor of it.
func (m *schemaMaker) keywords(out, s object) {
	typ := fmt.Sprint(s["type"])
	for _, k := range m.keywordsOf(s) {
		if out[k.name] != nil {
			continue
		}
		oneIn := 30
		if strings.Contains(k.types, typ) {
			oneIn = 4
		}
		if m.oneIn(oneIn) {
			out[k.name] = k.value()
		}
	}
}

// junctors adds junctors to out, in the same way. They name only what s names.
func (m *schemaMaker) junctors(out, s object, depth int) {
	for _, k := range []string{"allOf", "anyOf", "oneOf"} {
		if !m.oneIn(3) {
			continue
		}
		var all []any
		for range 1 + m.rng.IntN(3) {
			all = append(all, m.nested(s, depth))
		}
		if out[k] == nil {
			out[k] = all
		}
	}
	if m.oneIn(4) {
		out["not"] = m.nested(s, depth)
	}
}

// nested returns validation below a junctor of s.
func (m *schemaMaker) nested(s object, depth int) object {
	if m.opts.Loose && m.oneIn(3) {
		n := m.value(min(depth, 2))
		m.addValues(n, false)
		return n
	}
	n := object{}
	m.keywords(n, s)
	if depth == 0 {
		return n
	}
	if properties, ok := s["properties"].(object); ok && m.oneIn(2) {
		below := object{}
		for _, k := range sorted(properties) {
			if k != "metadata" && m.oneIn(2) {
				below[k] = m.nested(properties[k].(object), depth-1)
			}
		}
		n["properties"] = below
	}
	if items, ok := s["items"].(object); ok && m.oneIn(2) {
		n["items"] = m.nested(items, depth-1)
	}
	if n["properties"] == nil && m.oneIn(6) { // both are refused
		n["additionalProperties"] = false
	}
	if m.oneIn(3) {
		m.junctors(n, s, depth-1)
	}
	return n
}

// formatNames are those that the API server knows, and some that it does not know, or not for strings.
var formatNames = func() []string {
	names := []string{"date-time", "int32", "colour"}
	for _, f := range formats.All() {
		names = append(names, f.Name)
	}
	return names
}()

// quantity is the pattern of Kubernetes' quantities.
const quantity = `^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`
