package structural

import (
	"maps"
	"slices"

	"github.com/prune-gen/prune-gen/structural/text"
)

// The parts of a CRD that are checked and not used, as schemas.

func metaFields(typ string, names ...string) map[string]*Schema {
	fields := map[string]*Schema{}
	for _, name := range names {
		fields[name] = metaType(typ)
	}
	return fields
}

func subresourcesSchema() *Schema {
	return metaObject(map[string]*Schema{
		"status": metaObject(nil),
		"scale":  metaObject(metaFields("string", "specReplicasPath", "statusReplicasPath", "labelSelectorPath")),
	})
}

func selectableFieldsSchema() *Schema {
	return metaList(metaObject(metaFields("string", "jsonPath")))
}

// columnsSchema returns additionalPrinterColumns, in which v1beta1 spells one field differently.
func columnsSchema(apiVersion string) *Schema {
	jsonPath := "jsonPath"
	if apiVersion == apiV1beta1 {
		jsonPath = "JSONPath"
	}
	column := metaFields("string", "name", "type", "format", "description", jsonPath)
	column["priority"] = metaType("integer")
	return metaList(metaObject(column))
}

// conversionSchema returns spec.conversion.
func conversionSchema(apiVersion string) *Schema {
	service := metaFields("string", "namespace", "name", "path")
	service["port"] = metaType("integer")
	clientConfig := metaFields("string", "url", "caBundle")
	clientConfig["service"] = metaObject(service)
	conversion := metaFields("string", "strategy")
	if versions := metaList(metaType("string")); apiVersion == apiV1beta1 {
		conversion["webhookClientConfig"], conversion["conversionReviewVersions"] = metaObject(clientConfig), versions
	} else {
		conversion["webhook"] = metaObject(map[string]*Schema{
			"clientConfig": metaObject(clientConfig), "conversionReviewVersions": versions,
		})
	}
	return metaObject(conversion)
}

// checkField returns a function that reports what in a field, of the object at the path at, is not as s says.
func (d *decoder) checkField(at *Path, s *Schema) func(*text.Entry) {
	return func(e *text.Entry) { d.check(e.Value, e.Pos, at.Child(e.Key), s) }
}

// check reports what in n, whose key is at pos, is not as s says.
func (d *decoder) check(n *text.Node, pos text.Pos, at *Path, s *Schema) {
	scalar := func(kind text.Kind, expected string) {
		if n.Kind != kind {
			d.wrongType(n, pos, at, expected, "")
		}
	}
	switch {
	case n.IsNull() || s.Type == "":
	case s.Type == "string":
		scalar(text.String, "a string")
	case s.Type == "boolean":
		scalar(text.Bool, "a boolean")
	case s.Type == "integer":
		scalar(text.Int, "an integer")
	case s.Items != nil:
		if n.Kind != text.List {
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
				d.unknownField(RuleUnknownField, &e, at, func(key string) string {
					return didYouMean(key, slices.Sorted(maps.Keys(s.Properties)))
				})
			}
		}
	}
}
