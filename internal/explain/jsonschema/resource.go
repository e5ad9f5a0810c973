package jsonschema

import (
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/structural"
)

const (
	label      = `[a-z0-9]([-a-z0-9]*[a-z0-9])?`
	subdomain  = label + `(\.` + label + `)*`
	labelValue = `^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$`
)

// resource adds the fields that every resource has to those that its schema specifies.
func (c *converter) resource(properties schema) {
	c.meter.SpendMemory(meter.BytesOfResource)
	for k, known := range map[string]schema{
		"apiVersion": {"type": "string", "minLength": 1},
		"kind":       {"type": "string", "minLength": 1},
		"metadata":   metadata(structural.ObjectMeta()),
	} {
		own, _ := properties[k].(schema)
		if d, ok := own["description"]; ok {
			known["description"] = d
			delete(own, "description")
		}
		if own != nil {
			if own["additionalProperties"] == false { // the schema does not decide what is dropped from metadata
				delete(own, "additionalProperties")
			}
			known["allOf"] = []any{own}
		}
		properties[k] = known
	}
}

// metadata returns the JSON Schema of a part of ObjectMeta.
func metadata(s *structural.Schema) schema {
	out := schema{}
	if s.Type != "" {
		out["type"] = []any{s.Type, "null"}
	}
	if s.ValueValidation.Format == "date-time" {
		out["format"] = "date-time"
	}
	if s.Items != nil {
		out["items"] = metadata(s.Items)
	}
	if ap := s.AdditionalProperties; ap != nil {
		out["additionalProperties"] = metadata(ap.Schema)
	}
	if s.Properties == nil {
		return out
	}
	properties := schema{}
	for k, p := range s.Properties {
		properties[k] = metadata(p)
	}
	out["properties"], out["additionalProperties"] = properties, false
	if labels, ok := properties["labels"].(schema); ok {
		value := labels["additionalProperties"].(schema)
		value["maxLength"], value["pattern"] = 63, labelValue
	}
	return out
}
