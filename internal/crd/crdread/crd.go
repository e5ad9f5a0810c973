package crdread

import (
	"fmt"
	"slices"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/crd/origin"
	"github.com/prune-gen/prune-gen/internal/text/report"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// verdict says what a CRD is good for.
type verdict uint8

const (
	unread  verdict = iota // nothing: parts of it could not be read
	refused                // to be linted: it was read, and has errors
	usable
)

// decodeCRD reads the CRD n, a document or an item of one. A CRD that was read only in part is not used.
func decodeCRD(m *meter.Meter, doc *yamltext.Document, n *yamltext.Node, apiVersion string, r *report.Report) (*structural.CRD, verdict) {
	d := &decoder{report: r, crd: origin.Name(n), meter: m, doc: doc}
	if apiVersion != structural.APIVersionV1 && apiVersion != structural.APIVersionV1beta1 {
		at := n.Pos
		if e := n.Get("apiVersion"); e != nil {
			at = e.Pos
		}
		d.add(structural.Finding{ID: idAPIVersion, Severity: structural.SeverityError, Message: unknownVersion(apiVersion), Hint: "write apiVersion: " + structural.APIVersionV1}.
			WithPath("apiVersion", structural.NewPath("apiVersion").Steps()), at)
		return nil, unread
	}

	d.flaws(doc, n)
	metadata, _ := valueOf(n.Child("metadata")).(map[string]any)
	delete(metadata, "name")
	c := &structural.CRD{
		APIVersion: apiVersion, Name: n.Child("metadata").Child("name").Str(), Metadata: metadata, File: r.File,
		PreserveUnknownFields: apiVersion == structural.APIVersionV1beta1,
	}
	origin.SetNode(c, n)
	d.whole = c
	d.check(n, n.Pos, nil, crdSchema(apiVersion))
	d.spec(c, n.Child("spec"))
	isUnread := d.failed
	setDefaults(c)
	d.checkNames(c)
	d.checkVersions(c)
	switch {
	case isUnread || d.failed && len(c.Versions) == 0:
		return nil, unread
	case d.failed:
		return c, refused
	}
	return c, usable
}

// unknownVersion is kubectl's error about an apiVersion that it does not know.
func unknownVersion(apiVersion string) string {
	if apiVersion == "" {
		return "apiVersion: Required value"
	}
	return fmt.Sprintf("no matches for kind %q in version %q", crdKind, apiVersion)
}

// valueOf returns the value of a node, nil for none.
func valueOf(n *yamltext.Node) any {
	if n == nil {
		return nil
	}
	return n.Value()
}

// spec reads the fields of a CRD.
func (d *decoder) spec(c *structural.CRD, n *yamltext.Node) {
	at := structural.NewPath("spec")
	names := n.Child("names")
	c.Group, c.Scope = n.Child("group").Str(), n.Child("scope").Str()
	c.Names = structural.Names{
		Plural: names.Child("plural").Str(), Singular: names.Child("singular").Str(),
		Kind: names.Child("kind").Str(), ListKind: names.Child("listKind").Str(),
		ShortNames: names.Child("shortNames").Strings(), Categories: names.Child("categories").Strings(),
	}
	if preserve := n.Child("preserveUnknownFields"); !preserve.IsNull() {
		c.PreserveUnknownFields = preserve.Bool()
	}
	c.Conversion = conversionOf(n.Child("conversion"), c.APIVersion)
	if c.APIVersion == structural.APIVersionV1beta1 {
		c.Shared = &structural.Shared{Version: n.Child("version").Str(), All: d.parts(n, at, "validation", c.APIVersion)}
	}
	for i, version := range n.Child("versions").Elements() {
		v, parts := d.readVersion(version, at.Child("versions").Index(i), c.APIVersion)
		c.Versions = append(c.Versions, v)
		if c.Shared != nil {
			c.Shared.Each = append(c.Shared.Each, parts)
		}
	}
}

// readVersion reads a version, which is at the path at.
func (d *decoder) readVersion(n *yamltext.Node, at *structural.Path, apiVersion string) (*structural.Version, structural.Parts) {
	d.version = n.Child("name").Str()
	defer func() { d.version = "" }()
	d.check(n, n.Pos, at, versionSchema(apiVersion))
	v := &structural.Version{
		Name: d.version, Served: n.Child("served").Bool(), Storage: n.Child("storage").Bool(),
		Deprecated: n.Child("deprecated").Bool(), DeprecationWarning: stringAt(n.Child("deprecationWarning")),
		SchemaPath: at.Child("schema", "openAPIV3Schema"),
	}
	parts := d.parts(n, at, "schema", apiVersion)
	setParts(v, parts)
	return v, parts
}

// parts reads what v1beta1 has in spec, too, with the schema in a field of another name.
func (d *decoder) parts(n *yamltext.Node, at *structural.Path, validation, apiVersion string) (p structural.Parts) {
	if of := n.Child(validation); !of.IsNull() {
		p.Validation = &structural.Validation{}
		if e := of.Get("openAPIV3Schema"); e != nil && !e.Value.IsNull() {
			p.Validation.Schema = d.schema(e.Value, e.Pos, at.Child(validation, e.Key))
		}
	}
	if of := n.Child("subresources"); !of.IsNull() {
		p.Subresources = &structural.Subresources{Status: !of.Child("status").IsNull()}
		if scale := of.Child("scale"); !scale.IsNull() {
			p.Subresources.Scale = &structural.ScalePaths{
				SpecReplicas:   scale.Child("specReplicasPath").Str(),
				StatusReplicas: scale.Child("statusReplicasPath").Str(),
				LabelSelector:  scale.Child("labelSelectorPath").Str(),
			}
			p.Subresources.HasSelector = !scale.Child("labelSelectorPath").IsNull()
		}
	}
	for _, of := range n.Child("additionalPrinterColumns").Elements() {
		priority, _ := valueOf(of.Child("priority")).(int64)
		p.Columns = append(p.Columns, structural.Column{
			Name: of.Child("name").Str(), Type: of.Child("type").Str(), Format: of.Child("format").Str(), Description: of.Child("description").Str(),
			JSONPath: of.Child(JSONPath(apiVersion)).Str(), Priority: priority,
		})
	}
	for _, of := range n.Child("selectableFields").Elements() {
		p.SelectableFields = append(p.SelectableFields, of.Child("jsonPath").Str())
	}
	return p
}

// setParts gives a version what is said about it, or about all versions.
func setParts(v *structural.Version, p structural.Parts) {
	if p.Validation != nil {
		v.Schema = p.Validation.Schema
	}
	if p.Subresources != nil {
		v.HasStatus, v.Scale = p.Subresources.Status, p.Subresources.Scale
	}
	v.Columns, v.SelectableFields = append(slices.Clip(p.Columns), v.Columns...), append(slices.Clip(p.SelectableFields), v.SelectableFields...)
}

// conversionOf reads spec.conversion. It is nil if it is not mentioned.
func conversionOf(n *yamltext.Node, apiVersion string) *structural.Conversion {
	if n.IsNull() {
		return nil
	}
	webhook, config := n, "webhookClientConfig"
	if apiVersion == structural.APIVersionV1 {
		webhook, config = n.Child("webhook"), "clientConfig"
	}
	c := &structural.Conversion{Strategy: n.Child("strategy").Str(), ReviewVersions: webhook.Child("conversionReviewVersions").Strings()}
	if of := webhook.Child(config); !of.IsNull() {
		c.Webhook = &structural.Webhook{URL: stringAt(of.Child("url")), CABundle: of.Child("caBundle").Str()}
		if service := of.Child("service"); !service.IsNull() {
			c.Webhook.Service = &structural.WebhookService{
				Namespace: service.Child("namespace").Str(), Name: service.Child("name").Str(), Path: service.Child("path").Str(),
			}
			if port, ok := valueOf(service.Child("port")).(int64); ok {
				c.Webhook.Service.Port = &port
			}
		}
	}
	return c
}

// stringAt returns a string field for which the API distinguishes empty from absent.
func stringAt(n *yamltext.Node) *string {
	if n.IsNull() {
		return nil
	}
	s := n.Str()
	return &s
}
