package crdjudge

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/prune-gen/prune-gen/internal/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
)

// schemaNode is a schema in the schema of a version, in which mutations happen.
type schemaNode struct {
	schema object
	around *schemaNode
	step   string // the name of a property, or items or additionalProperties in brackets
}

const (
	stepItems  = "[items]"
	stepValues = "[additionalProperties]"
)

func (n *schemaNode) isRoot() bool { return n.around == nil }

// path returns the steps that lead to n.
func (n *schemaNode) path() []string {
	if n.isRoot() {
		return nil
	}
	return append(n.around.path(), n.step)
}

// nodesOf returns a schema and all below it, without the metadata of the root.
func nodesOf(n *schemaNode) []*schemaNode {
	all := []*schemaNode{n}
	properties, _ := n.schema["properties"].(object)
	for _, k := range slices.Sorted(maps.Keys(properties)) {
		if s, ok := properties[k].(object); ok && !(n.isRoot() && (k == "metadata" || k == "kind" || k == "apiVersion")) {
			all = append(all, nodesOf(&schemaNode{s, n, k})...)
		}
	}
	if s, ok := n.schema["items"].(object); ok {
		all = append(all, nodesOf(&schemaNode{s, n, stepItems})...)
	}
	if s, ok := n.schema["additionalProperties"].(object); ok {
		all = append(all, nodesOf(&schemaNode{s, n, stepValues})...)
	}
	return all
}

// mutator changes the versions of CRDs at random.
type mutator struct {
	*rand.Rand
	version object
}

func (m *mutator) oneIn(n int) bool { return m.IntN(n) == 0 }

func choose[T any](m *mutator, all ...T) T { return all[m.IntN(len(all))] }

// mutate changes a copy of a version once. It returns the keyword that it has changed and the path of the schema, or false if there was nothing to change.
func mutate(r *rand.Rand, version object) (changed object, keyword string, path []string, ok bool) {
	m := &mutator{r, jsonvalue.Copy(version)}
	if m.oneIn(25) {
		keyword, path = m.subresources()
		return m.version, keyword, path, true
	}
	root := &schemaNode{schema: m.version["schema"].(object)}
	if m.oneIn(40) {
		m.rootMetadata(root.schema)
		return m.version, "metadata", nil, true
	}
	n := choose(m, nodesOf(root)...)
	keywords := slices.Sorted(maps.Keys(mutations))
	keyword = choose(m, keywords...)
	if m.oneIn(4) {
		keyword = "x-kubernetes-validations"
	}
	if !mutations[keyword](m, n) {
		return nil, "", nil, false
	}
	return m.version, keyword, n.path(), true
}

// mutations change a schema, by the keyword. They report whether they do.
var mutations = map[string]func(m *mutator, n *schemaNode) bool{
	"minimum":                              func(m *mutator, n *schemaNode) bool { return m.bound(n.schema, "minimum", "integer", "number") },
	"maximum":                              func(m *mutator, n *schemaNode) bool { return m.bound(n.schema, "maximum", "integer", "number") },
	"exclusiveMinimum":                     func(m *mutator, n *schemaNode) bool { return m.exclusive(n.schema, "minimum", "exclusiveMinimum") },
	"exclusiveMaximum":                     func(m *mutator, n *schemaNode) bool { return m.exclusive(n.schema, "maximum", "exclusiveMaximum") },
	"minLength":                            func(m *mutator, n *schemaNode) bool { return m.bound(n.schema, "minLength", "string") },
	"maxLength":                            func(m *mutator, n *schemaNode) bool { return m.bound(n.schema, "maxLength", "string") },
	"minItems":                             func(m *mutator, n *schemaNode) bool { return m.bound(n.schema, "minItems", "array") },
	"maxItems":                             func(m *mutator, n *schemaNode) bool { return m.bound(n.schema, "maxItems", "array") },
	"minProperties":                        func(m *mutator, n *schemaNode) bool { return m.bound(n.schema, "minProperties", "object") },
	"maxProperties":                        func(m *mutator, n *schemaNode) bool { return m.bound(n.schema, "maxProperties", "object") },
	"multipleOf":                           (*mutator).multipleOf,
	"pattern":                              (*mutator).pattern,
	"format":                               (*mutator).format,
	"enum":                                 (*mutator).enum,
	"type":                                 (*mutator).typ,
	"nullable":                             func(m *mutator, n *schemaNode) bool { return !n.isRoot() && m.toggle(n.schema, "nullable") },
	"default":                              (*mutator).defaultValue,
	"required":                             (*mutator).required,
	"properties":                           (*mutator).properties,
	"additionalProperties":                 (*mutator).values,
	"items":                                (*mutator).items,
	"x-kubernetes-preserve-unknown-fields": (*mutator).preserve,
	"x-kubernetes-embedded-resource":       (*mutator).embedded,
	"x-kubernetes-int-or-string":           (*mutator).intOrString,
	"x-kubernetes-list-type":               (*mutator).listType,
	"x-kubernetes-map-type":                (*mutator).mapType,
	"x-kubernetes-validations":             (*mutator).rules,
	"allOf":                                func(m *mutator, n *schemaNode) bool { return m.junctor(n.schema, "allOf") },
	"anyOf":                                func(m *mutator, n *schemaNode) bool { return m.junctor(n.schema, "anyOf") },
	"oneOf":                                func(m *mutator, n *schemaNode) bool { return m.junctor(n.schema, "oneOf") },
	"not":                                  func(m *mutator, n *schemaNode) bool { return m.junctor(n.schema, "not") },
}

// drop takes out a keyword, in one of two cases.
func (m *mutator) drop(s object, keyword string) bool {
	if s[keyword] == nil || !m.oneIn(2) {
		return false
	}
	delete(s, keyword)
	return true
}

func (m *mutator) toggle(s object, keyword string) bool {
	if s[keyword] == true {
		delete(s, keyword)
	} else {
		s[keyword] = true
	}
	return true
}

func (m *mutator) bound(s object, keyword string, types ...string) bool {
	if !slices.Contains(types, fmt.Sprint(s["type"])) && !m.oneIn(20) {
		return false
	}
	if m.drop(s, keyword) {
		return true
	}
	was, ok := s[keyword].(int64)
	if !ok {
		was = choose[int64](m, 0, 1, 2, 3)
	}
	s[keyword] = max(was+choose[int64](m, -1, 1), 0)
	if types[0] == "integer" {
		s[keyword] = was + choose[int64](m, -1, 1)
		if m.oneIn(6) {
			s[keyword] = float64(was) + 0.5
		}
	}
	return true
}

func (m *mutator) exclusive(s object, bound, keyword string) bool {
	return s[bound] != nil && m.toggle(s, keyword)
}

func (m *mutator) multipleOf(n *schemaNode) bool {
	if t := n.schema["type"]; t != "integer" && t != "number" {
		return false
	}
	if !m.drop(n.schema, "multipleOf") {
		n.schema["multipleOf"] = choose[any](m, int64(1), int64(2), int64(4), int64(3), 0.5, 1.5)
	}
	return true
}

func (m *mutator) pattern(n *schemaNode) bool {
	if n.schema["type"] != "string" && n.schema["x-kubernetes-int-or-string"] != true {
		return false
	}
	if !m.drop(n.schema, "pattern") {
		n.schema["pattern"] = choose(m, "^a", "^a*$", "^[a-z]*$", "^[a-z0-9]*$", "a", ".", "^(a|b)$", "(?i)^a", `\ba`)
	}
	return true
}

func (m *mutator) format(n *schemaNode) bool {
	s := n.schema
	switch s["type"] {
	case "string":
		if !m.drop(s, "format") {
			s["format"] = choose(m, "date", "date-time", "duration", "byte", "ipv4", "uuid", "password", "unknown", "k8s-short-name")
		}
	case "integer":
		if !m.drop(s, "format") {
			s["format"] = choose(m, "int32", "int64")
		}
	case "number":
		if !m.drop(s, "format") {
			s["format"] = choose(m, "float", "double")
		}
	default:
		return false
	}
	return true
}

func (m *mutator) enum(n *schemaNode) bool {
	s := n.schema
	all, _ := s["enum"].([]any)
	var more []any
	switch s["type"] {
	case "string":
		more = []any{"a", "b", "", "ab", "abc"}
	case "integer":
		more = []any{int64(0), int64(1), int64(2)}
	case "number":
		more = []any{int64(1), 1.5, int64(2)}
	case "boolean":
		more = []any{true, false}
	default:
		if more = []any{"a", int64(1), object{}, []any{}}; !m.oneIn(8) {
			return false
		}
	}
	switch {
	case m.drop(s, "enum"):
	case len(all) > 1 && m.oneIn(2):
		i := m.IntN(len(all))
		s["enum"] = slices.Delete(slices.Clone(all), i, i+1)
	case len(all) > 0:
		s["enum"] = append(slices.Clone(all), choose(m, more...))
	default:
		s["enum"] = more[:1+m.IntN(len(more))]
	}
	if n.schema["nullable"] == true && m.oneIn(3) {
		s["enum"] = append(slices.Clone(more), nil)
	}
	return true
}

// scalarSchema returns a small schema.
func (m *mutator) scalarSchema() object {
	return jsonvalue.Copy(choose(m,
		object{"type": "string"}, object{"type": "integer"}, object{"type": "boolean"}, object{"type": "number"}, object{"type": "string", "enum": []any{"a", "b"}},
		object{"x-kubernetes-int-or-string": true}, object{"x-kubernetes-preserve-unknown-fields": true}, object{"type": "object", "properties": object{"a": object{"type": "string"}}},
		object{"type": "object", "x-kubernetes-preserve-unknown-fields": true}, object{"type": "array", "items": object{"type": "string"}}, object{"type": "object", "additionalProperties": object{"type": "string"}},
		object{"type": "object", "additionalProperties": true}, object{"type": "string", "maxLength": int64(2)},
		object{"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": []any{"a"}, "items": object{"type": "object", "required": []any{"a"}, "properties": object{"a": object{"type": "string"}, "b": object{"type": "integer"}}}}))
}

func (m *mutator) typ(n *schemaNode) bool {
	if n.isRoot() {
		return false
	}
	rules := n.schema["x-kubernetes-validations"]
	keep := m.oneIn(2)
	clear(n.schema)
	if maps.Copy(n.schema, m.scalarSchema()); keep && rules != nil {
		n.schema["x-kubernetes-validations"] = rules
	}
	return true
}

func (m *mutator) defaultValue(n *schemaNode) bool {
	if n.isRoot() || n.step == stepItems {
		return false
	}
	if !m.drop(n.schema, "default") {
		n.schema["default"] = m.value(n.schema)
	}
	return true
}

// value returns a value that a schema may take.
func (m *mutator) value(s object) any {
	if all, ok := s["enum"].([]any); ok && len(all) > 0 {
		return choose(m, all...)
	}
	switch s["type"] {
	case "string":
		return choose(m, "a", "ab", "", "abc")
	case "integer", "number":
		return choose(m, int64(0), 1, 2, 3)
	case "boolean":
		return m.oneIn(2)
	case "array":
		return []any{}
	case "object":
		return object{}
	}
	if s["x-kubernetes-int-or-string"] == true {
		return choose[any](m, int64(1), "50%")
	}
	return object{"x": int64(1)}
}

// junctor changes what a junctor says about a value.
func (m *mutator) junctor(s object, keyword string) bool {
	if m.drop(s, keyword) {
		return true
	}
	if s["x-kubernetes-int-or-string"] == true {
		return false
	}
	var all []any
	for range 1 + m.IntN(2) {
		all = append(all, m.validation(s, 1))
	}
	was, _ := s[keyword].([]any)
	switch {
	case keyword == "not":
		s[keyword] = all[0]
	case len(was) > 0 && m.oneIn(2):
		i := m.IntN(len(was))
		if s[keyword] = slices.Delete(slices.Clone(was), i, i+1); len(was) == 1 {
			delete(s, keyword)
		}
	default:
		s[keyword] = append(slices.Clone(was), all...)
	}
	return true
}

// validation returns what a junctor may say about the values of a schema.
func (m *mutator) validation(s object, depth int) object {
	switch s["type"] {
	case "string":
		return choose(m, object{"maxLength": int64(m.IntN(3))}, object{"minLength": int64(m.IntN(3))}, object{"enum": []any{"a", "ab"}}, object{"format": choose(m, "ipv4", "date")}, object{"pattern": choose(m, "^a", "b$")})
	case "integer", "number":
		return choose(m, object{"minimum": int64(m.IntN(3))}, object{"maximum": int64(m.IntN(3))}, object{"enum": []any{int64(1), int64(2)}})
	case "array":
		return choose(m, object{"minItems": int64(m.IntN(3))}, object{"maxItems": int64(m.IntN(3))})
	case "object":
		properties, _ := s["properties"].(object)
		if len(properties) == 0 {
			return choose(m, object{"minProperties": int64(m.IntN(3))}, object{"maxProperties": int64(m.IntN(3))})
		}
		k := choose(m, slices.Sorted(maps.Keys(properties))...)
		if below, ok := properties[k].(object); ok && depth > 0 && m.oneIn(2) {
			return object{"properties": object{k: m.validation(below, depth-1)}}
		}
		return object{"required": []any{k}}
	}
	return object{"enum": []any{"a", int64(1)}}
}

// RandomVersion returns a version with a random schema.
func RandomVersion(seed uint64) object {
	s := specimentest.Schema(seed, specimentest.SchemaOptions{Depth: 3 + int(seed%2), Values: seed%4 > 1, Defaults: seed%4 == 0})
	v := object{"schema": s}
	if seed%3 == 0 {
		v["subresources"] = object{"status": object{}}
	}
	return v
}
