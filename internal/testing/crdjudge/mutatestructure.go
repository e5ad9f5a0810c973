package crdjudge

import (
	"maps"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
)

func (m *mutator) properties(n *schemaNode) bool {
	properties, _ := n.schema["properties"].(object)
	if n.schema["type"] != "object" || n.schema["additionalProperties"] != nil {
		return false
	}
	if len(properties) > 1 && m.oneIn(2) {
		delete(properties, choose(m, slices.Sorted(maps.Keys(properties))...))
		return true
	}
	if properties == nil {
		properties = object{}
		n.schema["properties"] = properties
	}
	s := m.small()
	if m.oneIn(2) {
		s["default"] = specimentest.Fitting(m.Rand, s)
	}
	properties[choose(m, "a", "b", "added", "x")] = s
	return true
}

func (m *mutator) values(n *schemaNode) bool {
	if n.isRoot() || n.schema["type"] != "object" {
		return false
	}
	properties, _ := n.schema["properties"].(object)
	delete(n.schema, "properties")
	switch was := n.schema["additionalProperties"]; {
	case was != nil && m.oneIn(3):
		delete(n.schema, "additionalProperties")
		n.schema["properties"] = object{"a": m.small()}
	case len(properties) > 0 && m.oneIn(2):
		n.schema["additionalProperties"] = properties[choose(m, slices.Sorted(maps.Keys(properties))...)]
	default:
		n.schema["additionalProperties"] = choose[any](m, true, m.small())
	}
	return true
}

func (m *mutator) items(n *schemaNode) bool {
	if n.schema["type"] != "array" || n.schema["x-kubernetes-list-type"] == "map" {
		return false
	}
	n.schema["items"] = m.small()
	return true
}

func (m *mutator) preserve(n *schemaNode) bool {
	if t := n.schema["type"]; t != "object" && t != "array" && !m.oneIn(5) {
		return false
	}
	return m.toggle(n.schema, "x-kubernetes-preserve-unknown-fields")
}

func (m *mutator) embedded(n *schemaNode) bool {
	if n.isRoot() || n.schema["type"] != "object" || n.schema["additionalProperties"] != nil {
		return false
	}
	if m.toggle(n.schema, "x-kubernetes-embedded-resource"); n.schema["properties"] == nil {
		n.schema["x-kubernetes-preserve-unknown-fields"] = true
	}
	return true
}

func (m *mutator) intOrString(n *schemaNode) bool {
	switch t := n.schema["type"]; {
	case n.schema["x-kubernetes-int-or-string"] == true:
		delete(n.schema, "x-kubernetes-int-or-string")
		delete(n.schema, "anyOf")
		n.schema["type"] = choose(m, "integer", "string")
	case t == "integer" || t == "string":
		delete(n.schema, "type")
		n.schema["x-kubernetes-int-or-string"] = true
	default:
		return false
	}
	return true
}

func (m *mutator) listType(n *schemaNode) bool {
	if n.schema["type"] != "array" {
		return false
	}
	was := n.schema["x-kubernetes-list-type"]
	if specimentest.ListType(m.Rand, n.schema); was == nil && n.schema["x-kubernetes-list-type"] == nil {
		n.schema["x-kubernetes-list-type"] = "atomic"
	}
	return true
}

func (m *mutator) mapType(n *schemaNode) bool {
	if n.schema["type"] != "object" || n.isRoot() {
		return false
	}
	if !m.drop(n.schema, "x-kubernetes-map-type") {
		n.schema["x-kubernetes-map-type"] = choose(m, "atomic", "granular")
	}
	return true
}

// subresources changes those of the version.
func (m *mutator) subresources() (keyword string, path []string) {
	all, _ := m.version["subresources"].(object)
	if all == nil {
		all = object{}
		m.version["subresources"] = all
	}
	if m.oneIn(3) {
		if all["status"] == nil {
			all["status"] = object{}
		} else {
			delete(all, "status")
		}
		return "status", []string{"status"}
	}
	if all["scale"] != nil && m.oneIn(2) {
		delete(all, "scale")
		return "scale", nil
	}
	var numbers, texts []string
	for _, n := range nodesOf(&schemaNode{schema: m.version["schema"].(object)}) {
		if path := n.path(); len(path) > 1 && !slices.ContainsFunc(path, func(s string) bool {
			return s == stepItems || s == stepValues || strings.ContainsAny(s, ".-\"\n") || s == ""
		}) {
			at := "." + strings.Join(path, ".")
			switch n.schema["type"] {
			case "integer":
				numbers = append(numbers, at)
			case "string":
				texts = append(texts, at)
			}
		}
	}
	in := func(all []string, prefix string) string {
		all = slices.DeleteFunc(slices.Clone(all), func(s string) bool { return !strings.HasPrefix(s, prefix) })
		return choose(m, append(all, prefix+"replicas")...)
	}
	scale := object{"specReplicasPath": in(numbers, ".spec."), "statusReplicasPath": in(numbers, ".status.")}
	if m.oneIn(3) {
		scale["labelSelectorPath"] = in(append(texts, numbers...), ".status.")
	}
	all["scale"] = scale
	at := scale[choose(m, slices.Sorted(maps.Keys(scale))...)].(string)
	path = strings.Split(at, ".")[1:]
	return "scale", path
}

// rootMetadata changes what the root says about apiVersion, kind and the names of objects.
func (m *mutator) rootMetadata(root object) {
	properties, _ := root["properties"].(object)
	if properties == nil {
		properties = object{}
		root["properties"] = properties
	}
	text := choose(m, object{"type": "string"}, object{"type": "string", "maxLength": int64(2)}, object{"type": "string", "pattern": "^[Aae]"}, object{"type": "string", "enum": []any{"App", "a", "b"}})
	switch m.IntN(4) {
	case 0:
		properties["kind"] = text
	case 1:
		properties["apiVersion"] = text
	default:
		properties["metadata"] = object{"type": "object", "properties": object{choose(m, "name", "generateName"): text}}
	}
}
