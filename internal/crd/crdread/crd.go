package crdread

import (
	"fmt"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/text/origin"
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
		d.find(ruleAPIVersion, structural.SeverityError, at, structural.NewPath("apiVersion"), unknownVersion(apiVersion), "write apiVersion: "+structural.APIVersionV1)
		return nil, unread
	}

	d.flaws(doc, n)
	c := &structural.CRD{
		APIVersion: apiVersion, Name: n.Child("metadata").Child("name").Str(), File: r.File,
		PreserveUnknownFields: apiVersion == structural.APIVersionV1beta1,
	}
	origin.SetNode(c, n)
	d.whole = c
	s := crdSpec{CRD: c}
	d.check(n, n.Pos, nil, crdSchema(apiVersion))
	d.spec(&s, n.Child("spec"))
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

// unknownVersion is kubectl's error about an apiVersion that it does not know.
func unknownVersion(apiVersion string) string {
	if apiVersion == "" {
		return "apiVersion: Required value"
	}
	return fmt.Sprintf("no matches for kind %q in version %q", crdKind, apiVersion)
}

// spec reads the fields of a CRD that are used.
func (d *decoder) spec(s *crdSpec, n *yamltext.Node) {
	at := structural.NewPath("spec")
	names := n.Child("names")
	s.Group, s.Scope = n.Child("group").Str(), n.Child("scope").Str()
	s.Names = structural.Names{
		Plural: names.Child("plural").Str(), Singular: names.Child("singular").Str(),
		Kind: names.Child("kind").Str(), ListKind: names.Child("listKind").Str(),
		ShortNames: names.Child("shortNames").Strings(), Categories: names.Child("categories").Strings(),
	}
	if preserve := n.Child("preserveUnknownFields"); !preserve.IsNull() {
		s.PreserveUnknownFields = preserve.Bool()
	}
	for i, version := range n.Child("versions").Elements() {
		s.Versions = append(s.Versions, d.readVersion(version, at.Child("versions").Index(i), s.APIVersion))
	}
	if s.APIVersion == structural.APIVersionV1beta1 {
		s.version, s.validated = n.Child("version").Str(), !n.Child("validation").IsNull()
		s.validation = d.validation(n.Child("validation"), at.Child("validation"))
		s.subresources = subresourcesIn(n.Child("subresources"))
	}
}

// readVersion reads a version, which is at the path at.
func (d *decoder) readVersion(n *yamltext.Node, at *structural.Path, apiVersion string) *structural.Version {
	d.version = n.Child("name").Str()
	defer func() { d.version = "" }()
	d.check(n, n.Pos, at, versionSchema(apiVersion))
	v := &structural.Version{
		Name: d.version, Served: n.Child("served").Bool(), Storage: n.Child("storage").Bool(),
		Deprecated: n.Child("deprecated").Bool(), DeprecationWarning: n.Child("deprecationWarning").Str(),
		Schema: d.validation(n.Child("schema"), at.Child("schema")), SchemaPath: at.Child("schema", "openAPIV3Schema"),
	}
	if sub := subresourcesIn(n.Child("subresources")); sub != nil {
		setSubresources(v, sub)
	}
	return v
}

// validation reads the schema from the object around it, at the path at; nil if there is none.
func (d *decoder) validation(n *yamltext.Node, at *structural.Path) *structural.JSONSchema {
	e := n.Get("openAPIV3Schema")
	if e == nil || e.Value.IsNull() {
		return nil
	}
	return d.schema(e.Value, e.Pos, at.Child(e.Key))
}

// subresourcesIn reads the subresources. It is nil if they are not mentioned.
func subresourcesIn(n *yamltext.Node) *subresources {
	if n.IsNull() {
		return nil
	}
	sub := &subresources{status: !n.Child("status").IsNull()}
	if scale := n.Child("scale"); !scale.IsNull() {
		sub.scale = &structural.ScalePaths{
			SpecReplicas:   scale.Child("specReplicasPath").Str(),
			StatusReplicas: scale.Child("statusReplicasPath").Str(),
			LabelSelector:  scale.Child("labelSelectorPath").Str(),
		}
	}
	return sub
}
