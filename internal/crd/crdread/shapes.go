package crdread

import (
	"cmp"
	"maps"

	"github.com/prune-gen/prune-gen/internal/crd/pruning"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// A CRD as a schema, except for what is below openAPIV3Schema. The title is what errors say is expected.

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

func titled(title string, items *structural.Schema) *structural.Schema {
	s := list(items)
	s.Title = title
	return s
}

func leaves(typ string, names ...string) map[string]*structural.Schema {
	fields := map[string]*structural.Schema{}
	for _, name := range names {
		fields[name] = leaf(typ)
	}
	return fields
}

func crdSchema(apiVersion string) *structural.Schema {
	fields := leaves("string", "apiVersion", "kind")
	fields["metadata"], fields["spec"], fields["status"] = pruning.ObjectMeta(), specSchema(apiVersion), leaf("") // the server writes the status
	return object(fields)
}

func specSchema(apiVersion string) *structural.Schema {
	words := titled("a list of strings", leaf("string"))
	names := leaves("string", "plural", "singular", "kind", "listKind")
	names["shortNames"], names["categories"] = words, words
	fields := leaves("string", "group", "scope")
	fields["names"], fields["preserveUnknownFields"], fields["conversion"] = object(names), leaf("boolean"), conversionSchema(apiVersion)
	fields["versions"] = titled("a list of versions", leaf("")) // each is checked apart
	if apiVersion == structural.APIVersionV1beta1 {
		maps.Copy(fields, partsSchema(apiVersion))
		fields["version"], fields["validation"] = leaf("string"), validationSchema()
	}
	return object(fields)
}

func versionSchema(apiVersion string) *structural.Schema {
	fields := leaves("boolean", "served", "storage", "deprecated")
	maps.Copy(fields, leaves("string", "name", "deprecationWarning"))
	maps.Copy(fields, partsSchema(apiVersion))
	fields["schema"] = validationSchema()
	return object(fields)
}

func validationSchema() *structural.Schema { return object(leaves("", "openAPIV3Schema")) }

// partsSchema returns the fields that v1beta1 has for all versions, too.
func partsSchema(apiVersion string) map[string]*structural.Schema {
	return map[string]*structural.Schema{
		"subresources": object(map[string]*structural.Schema{
			"status": object(nil),
			"scale":  object(leaves("string", "specReplicasPath", "statusReplicasPath", "labelSelectorPath")),
		}),
		"additionalPrinterColumns": columnsSchema(apiVersion),
		"selectableFields":         list(object(leaves("string", "jsonPath"))),
	}
}

// columnsSchema returns additionalPrinterColumns, in which v1beta1 spells one field differently.
func columnsSchema(apiVersion string) *structural.Schema {
	column := leaves("string", "name", "type", "format", "description", JSONPath(apiVersion))
	column["priority"] = leaf("integer")
	return list(object(column))
}

// JSONPath returns the name of a field of columns.
func JSONPath(apiVersion string) string {
	if apiVersion == structural.APIVersionV1beta1 {
		return "JSONPath"
	}
	return "jsonPath"
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

// check reports everything in n, whose key is at pos, that does not conform to s.
func (d *decoder) check(n *yamltext.Node, pos yamltext.Pos, at *structural.Path, s *structural.Schema) {
	switch {
	case n.IsNull() || s.Type == "":
	case s.Type == "string":
		d.expect(n, pos, at, "a string", "", yamltext.String)
	case s.Type == "boolean":
		d.expect(n, pos, at, "a boolean", "", yamltext.Bool)
	case s.Type == "integer":
		d.expect(n, pos, at, "an integer", "", yamltext.Int)
	case s.Items != nil:
		d.expect(n, pos, at, cmp.Or(s.Title, "a list"), "", yamltext.List)
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
				d.unknownField(idUnknownField, &e, at, func(key string) string { return fieldHint(key, at, s) })
			}
		}
	}
}
