package structural

import "slices"

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
			c.Name = e.value.child("name").str()
			d.check(e, nil, metadataShape)
		case "spec":
			d.spec(&s, e)
		case "status":
			// Written by the API server, if at all.
		default:
			d.unknownField(e, nil, nearest([]string{"apiVersion", "kind", "metadata", "spec", "status"}))
		}
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
	single       bool        // there is spec.version alone
	subresources *subresources
	perVersion   bool // a version has a schema of its own
}

type subresources struct {
	status, scale bool
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
			d.check(f, at, conversionShape(s.APIVersion))
		default:
			if s.APIVersion == apiV1beta1 {
				d.specV1beta1(s, f, at)
			} else {
				d.unknownField(f, at, specHint)
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
		d.check(e, at, columnsShape(s.APIVersion))
	case "selectableFields":
		d.check(e, at, selectableFieldsShape)
	default:
		d.unknownField(e, at, nearest(slices.Concat(specFields, specFieldsV1beta1)))
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
			d.unknownField(f, at, nearest(nameFields))
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
		d.check(e, at, columnsShape(s.APIVersion))
	case "selectableFields":
		d.check(e, at, selectableFieldsShape)
	default:
		d.unknownField(e, at, nearest(versionFields))
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
			d.unknownField(f, at, besideSchemaHint)
		case f.value.kind != kindNull:
			schema = d.schema(f.value, f.pos, at.Child(f.key))
		}
	}
	return schema
}

// besideSchemaHint says what to do about a field beside openAPIV3Schema.
func besideSchemaHint(key string) string {
	if slices.Contains(schemaKeywords, key) {
		return "the schema itself stands below openAPIV3Schema"
	}
	return didYouMean(key, []string{"openAPIV3Schema"})
}

// subresources reads which subresources there are, nil where nothing is said about them.
func (d *decoder) subresources(e *entry, at *Path) *subresources {
	d.check(e, at, subresourcesShape)
	if e.value.kind == kindNull {
		return nil
	}
	return &subresources{status: !e.value.child("status").isNull(), scale: !e.value.child("scale").isNull()}
}
