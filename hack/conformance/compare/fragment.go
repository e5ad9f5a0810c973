package compare

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/structural"
)

// fragment writes the part of a schema around a path: the schema there, its parent, and two levels below, without what
// does not decide structure. A path that does not lead anywhere shows the schema where it ends.
func fragment(s *structural.Schema, at string) string {
	parent := s
	for _, step := range steps(at) {
		next := child(s, step)
		if next == nil {
			break
		}
		parent, s = s, next
	}
	data, err := json.Marshal(outline(parent, 3))
	if err != nil {
		return err.Error()
	}
	const most = 1500
	if len(data) > most {
		return fmt.Sprintf("%s...", data[:most])
	}
	return string(data)
}

// steps cuts a path into keys and indexes. Keys with dots in them come apart, and the fragment ends above them.
func steps(at string) []string {
	return strings.FieldsFunc(at, func(r rune) bool { return r == '.' || r == '[' || r == ']' })
}

func child(s *structural.Schema, step string) *structural.Schema {
	if s == nil {
		return nil
	}
	if p, ok := s.Properties[step]; ok {
		return p
	}
	if s.Items != nil && strings.Trim(step, "0123456789") == "" {
		return s.Items
	}
	if s.AdditionalProperties != nil {
		return s.AdditionalProperties.Schema
	}
	return nil
}

// outline returns what decides the structure of s, some levels deep.
func outline(s *structural.Schema, depth int) any {
	if s == nil {
		return nil
	}
	out := map[string]any{}
	if s.Type != "" {
		out["type"] = s.Type
	}
	for keyword, set := range map[string]bool{
		"nullable":                             s.Nullable,
		"x-kubernetes-preserve-unknown-fields": s.XPreserveUnknownFields,
		"x-kubernetes-embedded-resource":       s.XEmbeddedResource,
		"x-kubernetes-int-or-string":           s.XIntOrString,
	} {
		if set {
			out[keyword] = true
		}
	}
	if s.Items != nil {
		out["items"] = below(s.Items, depth)
	}
	if ap := s.AdditionalProperties; ap != nil && ap.Schema != nil {
		out["additionalProperties"] = below(ap.Schema, depth)
	} else if ap != nil {
		out["additionalProperties"] = ap.Bool
	}
	if len(s.Properties) > 0 {
		properties := map[string]any{}
		for i, k := range slices.Sorted(maps.Keys(s.Properties)) {
			if i == 12 {
				properties["..."] = fmt.Sprintf("%d more", len(s.Properties)-i)
				break
			}
			properties[k] = below(s.Properties[k], depth)
		}
		out["properties"] = properties
	}
	return out
}

func below(s *structural.Schema, depth int) any {
	if depth == 0 {
		return "..."
	}
	return outline(s, depth-1)
}
