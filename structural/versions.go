package structural

import (
	"strconv"
	"strings"
)

// crdSpec is a CRD while it is read, with what v1beta1 has for all versions together.
type crdSpec struct {
	*CRD
	version      string      // spec.version
	validation   *JSONSchema // spec.validation.openAPIV3Schema
	validated    bool        // spec.validation is there
	subresources *subresources
}

type subresources struct {
	status bool
	scale  *ScalePaths
}

// setSubresources gives a version the subresources.
func (v *Version) setSubresources(s *subresources) {
	v.HasStatus, v.HasScale, v.Scale = s.status, s.scale != nil, s.scale
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
			c.single = true
			c.Versions = []*Version{{
				Name: s.version, Served: true, Storage: true,
				SchemaPath: versionSchemaPath(0),
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
			v.setSubresources(s.subresources)
		}
	}
}

// checkVersions reports what Kubernetes refuses about the names of the versions.
func (d *decoder) checkVersions(s *crdSpec) {
	c := s.CRD
	at := NewPath("spec", "versions")
	if len(c.Versions) == 0 {
		d.missing(c, at, "must have at least one version", "list the versions with name, served, storage and schema")
		return
	}
	first := map[string]*Path{}
	for i, v := range c.Versions {
		name := at.Index(i).Child("name")
		if c.single {
			name = NewPath("spec", "version")
		}
		d.version = v.Name
		d.versionName(c, name, v.Name, first)
		d.version = ""
	}
}

// versionName checks the name of one version; first has the places of those before it.
func (d *decoder) versionName(c *CRD, at *Path, name string, first map[string]*Path) {
	switch wrong := checkLabel(name); {
	case name == "":
		d.badValue(RuleName, c, at, name, wrong, "name the version, for example v1")
	case first[name] != nil:
		d.badValue(RuleDuplicateVersion, c, at, name, "must contain unique version names",
			"the first one is in line "+strconv.Itoa(c.Locate(first[name]).Line))
	case wrong != "":
		d.badValue(RuleName, c, at, name, wrong, "")
	}
	if first[name] == nil {
		first[name] = at
	}
}
