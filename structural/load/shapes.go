package load

import (
	"maps"
	"slices"

	"github.com/prune-gen/prune-gen/internal/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// The parts of a CRD that are checked and not used, as schemas.

func leaf(typ string) *structural.Schema {
	return &structural.Schema{Generic: structural.Generic{Type: typ}}
}

func object(properties map[string]*structural.Schema) *structural.Schema {
	s := leaf("object")
	s.Properties = properties
	return s
}

func list(items *structural.Schema) *structural.Schema {
	s := leaf("array")
	s.Items = items
	return s
}

func leaves(typ string, names ...string) map[string]*structural.Schema {
	fields := map[string]*structural.Schema{}
	for _, name := range names {
		fields[name] = leaf(typ)
	}
	return fields
}

func subresourcesSchema() *structural.Schema {
	return object(map[string]*structural.Schema{
		"status": object(nil),
		"scale":  object(leaves("string", "specReplicasPath", "statusReplicasPath", "labelSelectorPath")),
	})
}

func selectableFieldsSchema() *structural.Schema {
	return list(object(leaves("string", "jsonPath")))
}

// columnsSchema returns additionalPrinterColumns, in which v1beta1 spells one field differently.
func columnsSchema(apiVersion string) *structural.Schema {
	jsonPath := "jsonPath"
	if apiVersion == structural.APIVersionV1beta1 {
		jsonPath = "JSONPath"
	}
	column := leaves("string", "name", "type", "format", "description", jsonPath)
	column["priority"] = leaf("integer")
	return list(object(column))
}

// conversionSchema returns spec.conversion.
func conversionSchema(apiVersion string) *structural.Schema {
	service := leaves("string", "namespace", "name", "path")
	service["port"] = leaf("integer")
	clientConfig := leaves("string", "url", "caBundle")
	clientConfig["service"] = object(service)
	conversion := leaves("string", "strategy")
	if versions := list(leaf("string")); apiVersion == structural.APIVersionV1beta1 {
		conversion["webhookClientConfig"], conversion["conversionReviewVersions"] = object(clientConfig), versions
	} else {
		conversion["webhook"] = object(map[string]*structural.Schema{
			"clientConfig": object(clientConfig), "conversionReviewVersions": versions,
		})
	}
	return object(conversion)
}

// checkField returns a function that reports what in a field, of the object at the path at, is not as s says.
func (d *decoder) checkField(at *structural.Path, s *structural.Schema) func(*yamltext.Entry) {
	return func(e *yamltext.Entry) { d.check(e.Value, e.Pos, at.Child(e.Key), s) }
}

// check reports what in n, whose key is at pos, is not as s says.
func (d *decoder) check(n *yamltext.Node, pos yamltext.Pos, at *structural.Path, s *structural.Schema) {
	scalar := func(kind yamltext.Kind, expected string) {
		if n.Kind != kind {
			d.wrongType(n, pos, at, expected, "")
		}
	}
	switch {
	case n.IsNull() || s.Type == "":
	case s.Type == "string":
		scalar(yamltext.String, "a string")
	case s.Type == "boolean":
		scalar(yamltext.Bool, "a boolean")
	case s.Type == "integer":
		scalar(yamltext.Int, "an integer")
	case s.Items != nil:
		if n.Kind != yamltext.List {
			d.wrongType(n, pos, at, "a list", "")
		}
		for i, e := range n.List {
			d.check(e, e.Pos, at.Index(i), s.Items)
		}
	default:
		for _, e := range d.entries(n, pos, at) {
			if s.AdditionalProperties != nil {
				d.check(e.Value, e.Pos, at.Key(e.Key), s.AdditionalProperties.Schema)
			} else if s.Properties[e.Key] != nil {
				d.check(e.Value, e.Pos, at.Child(e.Key), s.Properties[e.Key])
			} else {
				d.unknownField(ruleUnknownField, &e, at, func(key string) string {
					return didYouMean(key, slices.Sorted(maps.Keys(s.Properties)))
				})
			}
		}
	}
}
