package structural

import (
	"fmt"
	"strconv"
	"strings"
)

// decodeCRD reads the CRD n, a document or an item of one. It returns nil where there is an error: nothing that is only
// half understood gets used.
func decodeCRD(doc *document, n *node, apiVersion string, r *report) *CRD {
	d := &decoder{report: r, crd: crdName(n)}
	if apiVersion != apiV1 && apiVersion != apiV1beta1 {
		at := n.pos
		if e := n.get("apiVersion"); e != nil {
			at = e.pos
		}
		d.find(SeverityError, at, "apiVersion", unknownVersion(apiVersion), "write apiVersion: "+apiV1)
		return nil
	}

	d.flaws(doc, n)
	c := &CRD{APIVersion: apiVersion, file: r.file, root: n}
	c.PreserveUnknownFields = apiVersion == apiV1beta1
	s := crdSpec{CRD: c}
	for i, fields := 0, d.fields(n, n.pos, nil); i < len(fields); i++ {
		switch e := &fields[i]; e.key {
		case "apiVersion", "kind":
			d.str(e, nil)
		case "metadata":
			d.metadata(c, e)
		case "spec":
			d.spec(&s, e)
		case "status":
			// Written by the API server, if at all.
		default:
			d.unknownField(e, nil, didYouMean(e.key, []string{"apiVersion", "kind", "metadata", "spec", "status"}))
		}
	}
	if d.failed {
		return nil
	}
	s.setDefaults()
	d.checkNames(c)
	d.checkScope(c)
	d.checkVersions(&s)
	if d.failed {
		return nil
	}
	return c
}

// crdSpec is a CRD while it is read, with what v1beta1 has for all versions together.
type crdSpec struct {
	*CRD
	version      string      // spec.version
	validation   *JSONSchema // spec.validation.openAPIV3Schema
	validated    bool        // spec.validation is there
	subresources *subresources
	perVersion   bool // a version has a schema of its own
}

type subresources struct {
	status, scale bool
}

var metadataFields = []string{
	"name", "generateName", "namespace", "selfLink", "uid", "resourceVersion", "generation", "creationTimestamp",
	"deletionTimestamp", "deletionGracePeriodSeconds", "labels", "annotations", "ownerReferences", "finalizers",
	"managedFields",
}

func (d *decoder) metadata(c *CRD, e *entry) {
	at := NewPath("metadata")
	for i, fields := 0, d.fields(e.value, e.pos, at); i < len(fields); i++ {
		f := &fields[i]
		if f.key == "name" {
			c.Name = d.str(f, at)
		} else {
			d.known(f, at, metadataFields)
		}
	}
}

// known warns of e where it is none of the fields that are known. Their values are of no interest here.
func (d *decoder) known(e *entry, at *Path, fields []string) {
	for _, f := range fields {
		if e.key == f {
			return
		}
	}
	d.unknownField(e, at, didYouMean(e.key, fields))
}

var specFields = []string{"group", "names", "scope", "versions", "conversion", "preserveUnknownFields"}

// specFieldsV1beta1 are the fields that only v1beta1 has in spec.
var specFieldsV1beta1 = []string{"version", "validation", "subresources", "additionalPrinterColumns", "selectableFields"}

func (d *decoder) spec(s *crdSpec, e *entry) {
	at := NewPath("spec")
	for i, fields := 0, d.fields(e.value, e.pos, at); i < len(fields); i++ {
		switch f := &fields[i]; f.key {
		case "group":
			s.Group = d.str(f, at)
		case "names":
			d.names(s.CRD, f, at)
		case "scope":
			s.Scope = d.str(f, at)
		case "versions":
			d.versions(s, f, at)
		case "preserveUnknownFields":
			if f.value.kind != kindNull {
				s.PreserveUnknownFields = d.boolean(f, at)
			}
		case "conversion":
			d.conversion(s.CRD, f, at)
		default:
			if s.APIVersion == apiV1beta1 {
				d.specV1beta1(s, f, at)
			} else {
				d.unknownField(f, at, specHint(f.key))
			}
		}
	}
}

// specHint says where a field of v1beta1 went, for those who changed nothing but the apiVersion.
func specHint(key string) string {
	switch key {
	case "version":
		return "in " + apiV1 + " list the version in spec.versions"
	case "validation":
		return "in " + apiV1 + " each version has its own schema: move this to spec.versions[*].schema"
	case "subresources", "additionalPrinterColumns", "selectableFields":
		return "in " + apiV1 + " each version has its own: move this to spec.versions[*]." + key
	}
	return didYouMean(key, specFields)
}

func (d *decoder) specV1beta1(s *crdSpec, e *entry, at *Path) {
	switch e.key {
	case "version":
		s.version = d.str(e, at)
	case "validation":
		s.validated = e.value.kind != kindNull
		s.validation = d.validation(e, at)
	case "subresources":
		s.subresources = d.subresources(e, at)
	case "additionalPrinterColumns":
		d.columns(e, at, "JSONPath")
	case "selectableFields":
		d.objects(e, at, []string{"jsonPath"})
	default:
		d.unknownField(e, at, didYouMean(e.key, append(specFieldsV1beta1, specFields...)))
	}
}

var nameFields = []string{"plural", "singular", "shortNames", "kind", "listKind", "categories"}

func (d *decoder) names(c *CRD, e *entry, at *Path) {
	at = at.Child(e.key)
	for i, fields := 0, d.fields(e.value, e.pos, at); i < len(fields); i++ {
		switch f := &fields[i]; f.key {
		case "plural":
			c.Names.Plural = d.str(f, at)
		case "singular":
			c.Names.Singular = d.str(f, at)
		case "shortNames":
			c.Names.ShortNames = d.strings(f, at, "")
		case "kind":
			c.Names.Kind = d.str(f, at)
		case "listKind":
			c.Names.ListKind = d.str(f, at)
		case "categories":
			c.Names.Categories = d.strings(f, at, "")
		default:
			d.unknownField(f, at, didYouMean(f.key, nameFields))
		}
	}
}

// versions reads spec.versions.
func (d *decoder) versions(s *crdSpec, e *entry, at *Path) {
	list := d.list(e, at, "a list of versions")
	at = at.Child(e.key)
	for i, n := range list {
		at := at.Index(i)
		d.version = n.child("name").str()
		v := &Version{SchemaPath: at.Child("schema", "openAPIV3Schema")}
		for j, fields := 0, d.fields(n, n.pos, at); j < len(fields); j++ {
			d.versionField(s, v, &fields[j], at)
		}
		s.Versions = append(s.Versions, v)
		d.version = ""
	}
}

var versionFields = []string{
	"name", "served", "storage", "deprecated", "deprecationWarning", "schema", "subresources", "additionalPrinterColumns",
	"selectableFields",
}

func (d *decoder) versionField(s *crdSpec, v *Version, e *entry, at *Path) {
	switch e.key {
	case "name":
		v.Name = d.str(e, at)
	case "served":
		v.Served = d.boolean(e, at)
	case "storage":
		v.Storage = d.boolean(e, at)
	case "deprecated":
		v.Deprecated = d.boolean(e, at)
	case "deprecationWarning":
		d.str(e, at)
	case "schema":
		s.perVersion = s.perVersion || e.value.kind != kindNull
		v.Schema = d.validation(e, at)
	case "subresources":
		if sub := d.subresources(e, at); sub != nil {
			v.HasStatus, v.HasScale = sub.status, sub.scale
		}
	case "additionalPrinterColumns":
		// v1beta1 spells it in capitals here, too.
		if s.APIVersion == apiV1beta1 {
			d.columns(e, at, "JSONPath")
		} else {
			d.columns(e, at, "jsonPath")
		}
	case "selectableFields":
		d.objects(e, at, []string{"jsonPath"})
	default:
		d.unknownField(e, at, didYouMean(e.key, versionFields))
	}
}

// validation reads the object around a schema.
func (d *decoder) validation(e *entry, at *Path) *JSONSchema {
	at = at.Child(e.key)
	var schema *JSONSchema
	for i, fields := 0, d.fields(e.value, e.pos, at); i < len(fields); i++ {
		f := &fields[i]
		switch {
		case f.key != "openAPIV3Schema":
			hint := didYouMean(f.key, []string{"openAPIV3Schema"})
			if hint == "" && keywordHint(f.key) == "" {
				hint = "the schema itself stands below openAPIV3Schema"
			}
			d.unknownField(f, at, hint)
		case f.value.kind != kindNull:
			schema = d.schema(f.value, f.pos, at.Child(f.key))
		}
	}
	return schema
}

func (d *decoder) subresources(e *entry, at *Path) *subresources {
	if e.value.kind == kindNull {
		return nil
	}
	at = at.Child(e.key)
	sub := &subresources{}
	for i, fields := 0, d.fields(e.value, e.pos, at); i < len(fields); i++ {
		f := &fields[i]
		var known []string
		switch f.key {
		case "status":
			sub.status = f.value.kind != kindNull
		case "scale":
			sub.scale = f.value.kind != kindNull
			known = []string{"specReplicasPath", "statusReplicasPath", "labelSelectorPath"}
		default:
			d.unknownField(f, at, didYouMean(f.key, []string{"status", "scale"}))
			continue
		}
		for j, members := 0, d.fields(f.value, f.pos, at.Child(f.key)); j < len(members); j++ {
			d.known(&members[j], at.Child(f.key), known)
		}
	}
	return sub
}

func (d *decoder) columns(e *entry, at *Path, jsonPath string) {
	d.objects(e, at, []string{"name", "type", "format", "description", "priority", jsonPath})
}

// objects looks through a list of objects that have only the given fields.
func (d *decoder) objects(e *entry, at *Path, fields []string) {
	list := d.list(e, at, "a list of objects")
	at = at.Child(e.key)
	for i, n := range list {
		at := at.Index(i)
		for j, members := 0, d.fields(n, n.pos, at); j < len(members); j++ {
			d.known(&members[j], at, fields)
		}
	}
}

func (d *decoder) conversion(c *CRD, e *entry, at *Path) {
	at = at.Child(e.key)
	known := []string{"strategy", "webhook"}
	if c.APIVersion == apiV1beta1 {
		known = []string{"strategy", "webhookClientConfig", "conversionReviewVersions"}
	}
	for i, fields := 0, d.fields(e.value, e.pos, at); i < len(fields); i++ {
		d.known(&fields[i], at, known)
	}
}

// setDefaults fills in what may be left out, and spreads what v1beta1 has for all versions over them.
func (s *crdSpec) setDefaults() {
	c := s.CRD
	if c.Names.Singular == "" {
		c.Names.Singular = strings.ToLower(c.Names.Kind)
	}
	if c.Names.ListKind == "" && c.Names.Kind != "" {
		c.Names.ListKind = c.Names.Kind + "List"
	}
	if c.APIVersion == apiV1beta1 {
		if c.Scope == "" {
			c.Scope = "Namespaced"
		}
		if len(c.Versions) == 0 && s.version != "" {
			c.Versions = []*Version{{
				Name: s.version, Served: true, Storage: true,
				SchemaPath: NewPath("spec", "versions").Index(0).Child("schema", "openAPIV3Schema"),
			}}
		}
	}
	for _, v := range c.Versions {
		v.Pruned = !c.PreserveUnknownFields
		if s.validated {
			v.Schema = s.validation
			v.SchemaPath = NewPath("spec", "validation", "openAPIV3Schema")
		}
		if s.subresources != nil {
			v.HasStatus, v.HasScale = s.subresources.status, s.subresources.scale
		}
	}
}

func (d *decoder) checkScope(c *CRD) {
	at := NewPath("spec", "scope")
	switch c.Scope {
	case "Cluster", "Namespaced":
	case "":
		d.missing(c, at, "", "write scope: Namespaced or scope: Cluster")
	default:
		place := c.Locate(at)
		d.invalid(pos{place.Line, place.Column}, at,
			fmt.Sprintf(`Unsupported value: %q: supported values: "Cluster", "Namespaced"`, c.Scope), "")
	}
}

// checkVersions reports what Kubernetes refuses about the list of versions.
func (d *decoder) checkVersions(s *crdSpec) {
	c := s.CRD
	at := NewPath("spec", "versions")
	if len(c.Versions) == 0 {
		d.missing(c, at, "must have at least one version", "list the versions with name, served, storage and schema")
		return
	}
	first := map[string]int{}
	storage := 0
	for i, v := range c.Versions {
		name := at.Index(i).Child("name")
		if s.version != "" && c.root.child("spec").child("versions").isNull() {
			name = NewPath("spec", "version")
		}
		d.version = v.Name
		if v.Storage {
			storage++
		}
		if j, ok := first[v.Name]; ok && v.Name != "" {
			d.badValue(c, name, v.Name, "must contain unique version names",
				"the first one is in line "+strconv.Itoa(c.Locate(at.Index(j).Child("name")).Line))
		} else if v.Name == "" {
			d.missing(c, name, "", "name the version, for example v1")
		} else if wrong := checkLabel(v.Name); wrong != "" {
			d.badValue(c, name, v.Name, wrong, "")
		}
		if _, ok := first[v.Name]; !ok {
			first[v.Name] = i
		}
		d.version = ""
	}
	place := c.Locate(at)
	if storage != 1 {
		d.invalid(pos{place.Line, place.Column}, at, "must have exactly one version marked as storage version",
			"write storage: true in one version and storage: false in the others")
	}
	if s.version != "" && c.Versions[0].Name != s.version {
		d.badValue(c, NewPath("spec", "version"), s.version, "must match the first version in spec.versions", "")
	}
	if s.validated && s.perVersion {
		validation := NewPath("spec", "validation")
		place := c.Locate(validation)
		d.find(SeverityWarning, pos{place.Line, place.Column}, validation.String(),
			validation.String()+": Forbidden: top-level and per-version schemas are mutually exclusive",
			"the schemas of the versions are not used")
	}
}

// flaws reports the keys that are written twice below n.
func (d *decoder) flaws(doc *document, n *node) {
	if len(doc.flaws) == 0 {
		return
	}
	seen := map[*node]bool{}
	var walk func(*node, *Path)
	walk = func(n *node, at *Path) {
		if seen[n] {
			return
		}
		seen[n] = true
		for _, f := range doc.flaws[n] {
			path := at.Child(f.key)
			switch f.kind {
			case flawDuplicate:
				d.find(SeverityError, f.pos, path.String(), fmt.Sprintf("duplicate field %q", dotted(path)),
					"the first one is in line "+strconv.Itoa(f.first.line)+": remove or rename one of them")
			case flawMerged:
				d.find(SeverityWarning, f.pos, path.String(),
					fmt.Sprintf("field %q is replaced by the merge key in line %d", dotted(path), f.first.line),
					"Kubernetes lets the last one win: move the merge key (<<) to the top of its map")
			}
		}
		for i := range n.entries {
			walk(n.entries[i].value, at.Child(n.entries[i].key))
		}
		for i, e := range n.list {
			walk(e, at.Index(i))
		}
	}
	walk(n, nil)
}
