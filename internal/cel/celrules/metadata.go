package celrules

import (
	"maps"

	"github.com/prune-gen/prune-gen/structural"
)

// withMetadata returns the properties of a resource, with the fields of metadata that rules see even if the schema s does not have them.
func withMetadata(s *structural.Schema) map[string]*structural.Schema {
	if declaresMetadata(s) {
		return s.Properties
	}
	properties := maps.Clone(s.Properties)
	if properties == nil {
		properties = map[string]*structural.Schema{}
	}
	declared := property(s, "metadata")
	properties["apiVersion"] = textSchema(nil)
	properties["kind"] = textSchema(nil)
	properties["metadata"] = &structural.Schema{
		Generic: structural.Generic{Type: "object"},
		Properties: map[string]*structural.Schema{
			"name":         nameSchema(declared, "name", maxNameLength),
			"generateName": nameSchema(declared, "generateName", maxNameLength-1), // the suffix has at least one byte
		},
		ValueValidation: &structural.ValueValidation{},
	}
	return properties
}

// declaresMetadata reports whether s has schemas for all fields of metadata that rules see.
func declaresMetadata(s *structural.Schema) bool {
	meta := property(s, "metadata")
	return property(s, "kind").Type == "string" && property(s, "apiVersion").Type == "string" && meta.Type == "object" &&
		property(meta, "name").Type == "string" && property(meta, "generateName").Type == "string"
}

// property returns the schema of a property, empty if there is none.
func property(s *structural.Schema, name string) *structural.Schema {
	if p := s.Properties[name]; p != nil {
		return p
	}
	return &structural.Schema{}
}

// nameSchema returns the schema of a name in metadata, with the limit that metadata declares if it is lower.
func nameSchema(metadata *structural.Schema, name string, limit int64) *structural.Schema {
	if n := validation(property(metadata, name)).MaxLength; n != nil {
		limit = min(limit, *n)
	}
	return textSchema(&limit)
}

func textSchema(maxLength *int64) *structural.Schema {
	return &structural.Schema{
		Generic:         structural.Generic{Type: "string"},
		ValueValidation: &structural.ValueValidation{MaxLength: maxLength},
	}
}
