package load

import (
	"fmt"
	"maps"
	"slices"

	"github.com/prune-gen/prune-gen/internal/meter"
	"github.com/prune-gen/prune-gen/internal/pruning"
	"github.com/prune-gen/prune-gen/internal/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// verdict says what a CRD is good for.
type verdict uint8

const (
	unread  verdict = iota // nothing: parts of it could not be read
	refused                // to be linted: it was read, and has errors
	usable
)

// decodeCRD reads the CRD n, a document or an item of one. Nothing that is only half understood gets used.
func decodeCRD(m *meter.Meter, doc *yamltext.Document, n *yamltext.Node, apiVersion string, r *structural.Report) (*structural.CRD, verdict) {
	d := &decoder{report: r, crd: structural.NameIn(n), meter: m}
	if apiVersion != structural.APIVersionV1 && apiVersion != structural.APIVersionV1beta1 {
		at := n.Pos
		if e := n.Get("apiVersion"); e != nil {
			at = e.Pos
		}
		d.find(ruleAPIVersion, structural.SeverityError, at, "apiVersion", unknownVersion(apiVersion), "write apiVersion: "+structural.APIVersionV1)
		return nil, unread
	}

	d.flaws(doc, n)
	c := &structural.CRD{APIVersion: apiVersion, File: r.File, Node: n}
	c.PreserveUnknownFields = apiVersion == structural.APIVersionV1beta1
	d.whole = c
	s := crdSpec{CRD: c}
	ignore := func(*yamltext.Entry) {}
	d.object(n, n.Pos, nil, fieldReaders{
		"apiVersion": func(e *yamltext.Entry) { d.str(e, nil) },
		"kind":       func(e *yamltext.Entry) { d.str(e, nil) },
		"metadata": func(e *yamltext.Entry) {
			c.Name = e.Value.Child("name").Str()
			d.check(e.Value, e.Pos, structural.NewPath("metadata"), pruning.ObjectMeta())
		},
		"spec":   func(e *yamltext.Entry) { d.spec(&s, e) },
		"status": ignore, // written by the API server, if at all
	}, nil)
	isUnread := d.failed
	s.setDefaults()
	d.checkNames(c)
	d.checkVersions(&s)
	switch {
	case isUnread || d.failed && len(c.Versions) == 0:
		return nil, unread
	case d.failed:
		return c, refused
	}
	return c, usable
}

// unknownVersion is what kubectl says about an apiVersion it does not know.
func unknownVersion(apiVersion string) string {
	if apiVersion == "" {
		return "apiVersion: Required value"
	}
	return fmt.Sprintf("no matches for kind %q in version %q", crdKind, apiVersion)
}

func (d *decoder) spec(s *crdSpec, e *yamltext.Entry) {
	at := structural.NewPath("spec")
	known := fieldReaders{
		"group":    func(e *yamltext.Entry) { s.Group = d.str(e, at) },
		"names":    func(e *yamltext.Entry) { d.names(s.CRD, e, at.Child(e.Key)) },
		"scope":    func(e *yamltext.Entry) { s.Scope = d.str(e, at) },
		"versions": func(e *yamltext.Entry) { d.versions(s, e, at) },
		"preserveUnknownFields": func(e *yamltext.Entry) {
			if !e.Value.IsNull() {
				s.PreserveUnknownFields = d.boolean(e, at, "")
			}
		},
		"conversion": d.checkField(at, conversionSchema(s.APIVersion)),
	}
	hint := specHint
	if s.APIVersion == structural.APIVersionV1beta1 {
		hint = nil
		maps.Copy(known, fieldReaders{
			"version": func(e *yamltext.Entry) { s.version = d.str(e, at) },
			"validation": func(e *yamltext.Entry) {
				s.validated = !e.Value.IsNull()
				s.validation = d.validation(e, at)
			},
			"subresources":             func(e *yamltext.Entry) { s.subresources = d.subresources(e, at) },
			"additionalPrinterColumns": d.checkField(at, columnsSchema(s.APIVersion)),
			"selectableFields":         d.checkField(at, selectableFieldsSchema()),
		})
	}
	d.object(e.Value, e.Pos, at, known, hint)
}

// specHint says where a field of v1beta1 went, for those who changed nothing but the apiVersion.
func specHint(key string) string {
	switch key {
	case "version":
		return "in " + structural.APIVersionV1 + " list the version in spec.versions"
	case "validation":
		return "in " + structural.APIVersionV1 + " each version has its own schema: move this to spec.versions[*].schema"
	case "subresources", "additionalPrinterColumns", "selectableFields":
		return "in " + structural.APIVersionV1 + " each version has its own: move this to spec.versions[*]." + key
	}
	return ""
}

// names reads spec.names, which is at the path at.
func (d *decoder) names(c *structural.CRD, e *yamltext.Entry, at *structural.Path) {
	str := func(into *string) func(*yamltext.Entry) {
		return func(e *yamltext.Entry) { *into = d.str(e, at) }
	}
	d.object(e.Value, e.Pos, at, fieldReaders{
		"plural":     str(&c.Names.Plural),
		"singular":   str(&c.Names.Singular),
		"kind":       str(&c.Names.Kind),
		"listKind":   str(&c.Names.ListKind),
		"shortNames": func(e *yamltext.Entry) { c.Names.ShortNames = d.strings(e, at, "") },
		"categories": func(e *yamltext.Entry) { c.Names.Categories = d.strings(e, at, "") },
	}, nil)
}

// versions reads spec.versions.
func (d *decoder) versions(s *crdSpec, e *yamltext.Entry, at *structural.Path) {
	for i, n := range d.list(e, at, "a list of versions", "") {
		at := at.Child(e.Key).Index(i)
		d.version = n.Child("name").Str()
		v := &structural.Version{SchemaPath: structural.VersionSchemaPath(i)}
		flag := func(into *bool) func(*yamltext.Entry) {
			return func(e *yamltext.Entry) { *into = d.boolean(e, at, "") }
		}
		d.object(n, n.Pos, at, fieldReaders{
			"name":               func(e *yamltext.Entry) { v.Name = d.str(e, at) },
			"served":             flag(&v.Served),
			"storage":            flag(&v.Storage),
			"deprecated":         flag(&v.Deprecated),
			"deprecationWarning": func(e *yamltext.Entry) { v.DeprecationWarning = d.str(e, at) },
			"schema": func(e *yamltext.Entry) {
				v.Schema = d.validation(e, at)
			},
			"subresources": func(e *yamltext.Entry) {
				if sub := d.subresources(e, at); sub != nil {
					setSubresources(v, sub)
				}
			},
			"additionalPrinterColumns": d.checkField(at, columnsSchema(s.APIVersion)),
			"selectableFields":         d.checkField(at, selectableFieldsSchema()),
		}, nil)
		s.Versions = append(s.Versions, v)
		d.version = ""
	}
}

// validation reads the object around a schema.
func (d *decoder) validation(e *yamltext.Entry, at *structural.Path) *structural.JSONSchema {
	at = at.Child(e.Key)
	var schema *structural.JSONSchema
	d.object(e.Value, e.Pos, at, fieldReaders{"openAPIV3Schema": func(e *yamltext.Entry) {
		if !e.Value.IsNull() {
			schema = d.schema(e.Value, e.Pos, at.Child(e.Key))
		}
	}}, func(key string) string {
		if slices.Contains(suggested(&structural.JSONSchema{}), key) {
			return "the schema itself goes below openAPIV3Schema"
		}
		return ""
	})
	return schema
}

// subresources reads which subresources there are, nil where nothing is said about them.
func (d *decoder) subresources(e *yamltext.Entry, at *structural.Path) *subresources {
	d.check(e.Value, e.Pos, at.Child(e.Key), subresourcesSchema())
	if e.Value.IsNull() {
		return nil
	}
	sub := &subresources{status: !e.Value.Child("status").IsNull()}
	if scale := e.Value.Child("scale"); !scale.IsNull() {
		sub.scale = &structural.ScalePaths{
			SpecReplicas:   scale.Child("specReplicasPath").Str(),
			StatusReplicas: scale.Child("statusReplicasPath").Str(),
			LabelSelector:  scale.Child("labelSelectorPath").Str(),
		}
	}
	return sub
}
