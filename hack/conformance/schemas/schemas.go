// Package schemas makes CRDs at random: small, structural, and full of the combinations that nobody writes by hand.
package schemas

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
)

type object = map[string]any

// CRD returns a CRD as JSON. The same seed gives the same bytes on every machine.
func CRD(seed uint64) []byte {
	m := &maker{rng: rand.New(rand.NewPCG(seed, 0x736368656d6173)), seed: seed}
	name := fmt.Sprintf("random%d", seed)
	spec := object{
		"group": "random.example.com",
		"names": object{"kind": fmt.Sprintf("Random%d", seed), "plural": name},
		"scope": "Namespaced",
	}
	apiVersion := "apiextensions.k8s.io/v1"
	if m.rng.IntN(4) == 0 {
		apiVersion = "apiextensions.k8s.io/v1beta1"
		m.v1beta1(spec)
	} else {
		spec["versions"] = m.versions(func(v object) { v["schema"] = object{"openAPIV3Schema": m.root()} })
	}
	data, err := json.Marshal(object{
		"apiVersion": apiVersion,
		"kind":       "CustomResourceDefinition",
		"metadata":   object{"name": name + ".random.example.com"},
		"spec":       spec,
	})
	if err != nil {
		panic(fmt.Sprintf("schemas: seed %d: %v", seed, err))
	}
	return data
}

// v1beta1 fills a spec in one of the ways that only v1beta1 has.
func (m *maker) v1beta1(spec object) {
	if m.rng.IntN(3) > 0 {
		spec["preserveUnknownFields"] = m.rng.IntN(3) == 0
	}
	switch m.rng.IntN(4) {
	case 0: // one schema for all versions
		spec["validation"] = object{"openAPIV3Schema": m.root()}
		spec["versions"] = m.versions(func(object) {})
	case 1: // no list of versions
		spec["validation"] = object{"openAPIV3Schema": m.root()}
		spec["version"] = "v1beta1"
	case 2: // no schema at all
		spec["version"] = "v1beta1"
	default:
		spec["versions"] = m.versions(func(v object) { v["schema"] = object{"openAPIV3Schema": m.root()} })
	}
}

func (m *maker) versions(fill func(object)) []any {
	var all []any
	for i := range 1 + m.rng.IntN(2) {
		v := object{"name": fmt.Sprintf("v%d", i+1), "served": true, "storage": i == 0}
		fill(v)
		all = append(all, v)
	}
	return all
}

type maker struct {
	rng  *rand.Rand
	seed uint64
	// left is how many nodes the schema may still get.
	left int
}

// names are those that properties get: plain ones, and those that need care in paths, in Go source and in JSON.
var names = []string{
	"a", "b", "c", "name", "spec", "status", "items", "list", "value", "template", "foo-bar", "fooBar", "type", "func",
	"$ref", "a.b", "x/y", "é", "日本", "\"", "\n", "%s", "", "0", "metadata", "apiVersion", "kind", "labels",
}

// root returns the schema of a resource.
func (m *maker) root() object {
	m.left = 5 + m.rng.IntN(60)
	s := m.object(6, true)
	delete(s, "additionalProperties") // not at the root
	if m.rng.IntN(12) == 0 {
		s["x-kubernetes-embedded-resource"] = true
		if s["properties"] == nil {
			s["x-kubernetes-preserve-unknown-fields"] = true
		}
	}
	if m.seed%2 == 1 { // half of them have value validation, and the others have defaults
		addValues(s, m.seed)
	}
	return s
}

// value returns any structural schema.
func (m *maker) value(depth int) object {
	m.left--
	if depth == 0 || m.left <= 0 {
		return m.scalar()
	}
	var s object
	switch m.rng.IntN(10) {
	case 0, 1:
		s = m.scalar()
	case 2:
		s = object{"x-kubernetes-int-or-string": true}
	case 3:
		s = object{"x-kubernetes-preserve-unknown-fields": true}
		if m.rng.IntN(3) == 0 {
			s["type"] = []string{"object", "string", "integer"}[m.rng.IntN(3)]
		}
	case 4, 5:
		s = object{"type": "array", "items": m.value(depth - 1)}
		if m.rng.IntN(4) == 0 {
			s["x-kubernetes-preserve-unknown-fields"] = true
		}
	case 6:
		s = m.object(depth, true)
		delete(s, "additionalProperties")
		s["x-kubernetes-embedded-resource"] = true
		if s["properties"] == nil || m.rng.IntN(3) == 0 {
			s["x-kubernetes-preserve-unknown-fields"] = true
		}
	default:
		s = m.object(depth, false)
	}
	if m.rng.IntN(8) == 0 {
		s["nullable"] = true
	}
	// Nobody does this, and pruning follows the value all the same: fields and elements of what is no object and no list.
	if m.rng.IntN(10) == 0 && s["properties"] == nil && s["x-kubernetes-embedded-resource"] == nil {
		s["properties"] = object{"a": m.value(depth - 1), "b": m.scalar()}
	}
	if m.rng.IntN(10) == 0 && s["items"] == nil {
		s["items"] = m.value(depth - 1)
	}
	if m.rng.IntN(6) == 0 {
		s["default"] = m.fitting(s)
	}
	return s
}

// fitting returns a value that the schema s allows, nearly always: now and then there is a null or an unknown field in it.
func (m *maker) fitting(s object) any {
	if m.rng.IntN(20) == 0 {
		return nil
	}
	switch s["type"] {
	case "string":
		return "default"
	case "integer":
		return 3
	case "number":
		return []any{1.5, 2}[m.rng.IntN(2)]
	case "boolean":
		return true
	case "array":
		list := []any{}
		for range m.rng.IntN(3) {
			list = append(list, m.fitting(s["items"].(object)))
		}
		return list
	case "object":
		obj := object{}
		if properties, ok := s["properties"].(object); ok {
			for _, k := range slices.Sorted(maps.Keys(properties)) {
				if m.rng.IntN(2) == 0 {
					obj[k] = m.fitting(properties[k].(object))
				}
			}
		}
		if values, ok := s["additionalProperties"].(object); ok {
			obj["key"] = m.fitting(values)
		}
		if m.rng.IntN(5) == 0 {
			obj["unspecified"] = object{"a": 1}
		}
		return obj
	}
	if s["x-kubernetes-int-or-string"] == true {
		return []any{7, "7"}[m.rng.IntN(2)]
	}
	return object{"any": []any{1, nil, "x"}}
}

func (m *maker) scalar() object {
	s := object{"type": []string{"string", "integer", "number", "boolean", "object"}[m.rng.IntN(5)]}
	if m.rng.IntN(8) == 0 {
		s["nullable"] = true
	}
	return s
}

// object returns a schema for maps: with named fields, with any, with both, with neither. In a resource, apiVersion, kind
// and metadata have the schemas they must have.
func (m *maker) object(depth int, resource bool) object {
	s := object{"type": "object"}
	kind := m.rng.IntN(8)
	if kind < 6 {
		properties := object{}
		for range 1 + m.rng.IntN(5) {
			k := names[m.rng.IntN(len(names))]
			switch {
			case resource && k == "metadata":
				properties[k] = object{"type": "object"}
			case resource && (k == "apiVersion" || k == "kind"):
				properties[k] = object{"type": "string"}
			default:
				properties[k] = m.value(depth - 1)
			}
		}
		s["properties"] = properties
	}
	if kind == 5 || kind == 6 {
		s["additionalProperties"] = []any{true, false, m.value(depth - 1), m.value(depth - 1)}[m.rng.IntN(4)]
	}
	if m.rng.IntN(5) == 0 {
		s["x-kubernetes-preserve-unknown-fields"] = true
	}
	return s
}
