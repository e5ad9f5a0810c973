package crdread

import (
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/internal/crd/kubenames"
	"github.com/prune-gen/prune-gen/structural"
)

// crdSpec is a CRD while it is read, with what v1beta1 has for all versions together.
type crdSpec struct {
	*structural.CRD
	version      string                 // spec.version
	validation   *structural.JSONSchema // spec.validation.openAPIV3Schema
	validated    bool                   // spec.validation exists
	subresources *subresources
	single       bool // v1beta1: there is spec.version and no spec.versions
}

type subresources struct {
	status bool
	scale  *structural.ScalePaths
}

// setSubresources gives a version the subresources.
func setSubresources(v *structural.Version, s *subresources) {
	v.HasStatus, v.Scale = s.status, s.scale
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
	if c.APIVersion == structural.APIVersionV1beta1 {
		if c.Scope == "" {
			c.Scope = "Namespaced"
		}
		if len(c.Versions) == 0 && s.version != "" {
			s.single = true
			c.Versions = []*structural.Version{{
				Name: s.version, Served: true, Storage: true,
				SchemaPath: structural.VersionSchemaPath(0),
			}}
		}
	}
	for _, v := range c.Versions {
		v.Pruned = !c.PreserveUnknownFields
		if s.validated {
			v.Schema = s.validation
			v.SchemaPath = structural.NewPath("spec", "validation", "openAPIV3Schema")
		}
		if s.subresources != nil {
			setSubresources(v, s.subresources)
		}
	}
}

// checkVersions reports what Kubernetes refuses about the names of the versions.
func (d *decoder) checkVersions(s *crdSpec) {
	c := s.CRD
	at := structural.NewPath("spec", "versions")
	if len(c.Versions) == 0 {
		if pos, ok := d.lacks(at); ok {
			d.invalid(RuleStorageVersion, pos, at, "Invalid value: "+structural.Omitted{}.String()+": "+OneStorageVersion,
				"list the versions with name, served, storage and schema")
		}
		return
	}
	first := map[string]*structural.Path{}
	for i, v := range c.Versions {
		name := at.Index(i).Child("name")
		if s.single {
			name = structural.NewPath("spec", "version")
		}
		d.version = v.Name
		d.versionName(c, name, v.Name, first)
		d.version = ""
	}
}

// versionName checks the name of one version; first has the places of those before it.
func (d *decoder) versionName(c *structural.CRD, at *structural.Path, name string, first map[string]*structural.Path) {
	if wrong := kubenames.JoinedLabel(name); wrong != "" {
		hint := ""
		if name == "" {
			hint = "name the version, for example v1"
		}
		d.badValue(RuleName, c, at, name, wrong, hint)
	}
	if first[name] == nil {
		first[name] = at
		return
	}
	d.badValue(ruleDuplicateVersion, c, at, name, "must contain unique version names",
		"the first one is in line "+strconv.Itoa(d.whole.Locate(first[name].Steps()).Line))
}
