package crdread

import (
	"strconv"

	"github.com/prune-gen/prune-gen/internal/crd/kubenames"
	"github.com/prune-gen/prune-gen/structural"
)

// setDefaults fills in what may be left out, and spreads what v1beta1 has for all versions over them.
func setDefaults(c *structural.CRD) {
	c.Names = c.Names.WithDefaults()
	if c.Shared != nil {
		if c.Scope == "" {
			c.Scope = "Namespaced"
		}
		if isSingle(c) {
			c.Versions = []*structural.Version{{Name: c.Shared.Version, Served: true, Storage: true, SchemaPath: structural.VersionSchemaPath(0)}}
		}
	}
	for _, v := range c.Versions {
		v.Pruned = !c.PreserveUnknownFields
		if c.Shared != nil {
			setParts(v, c.Shared.All)
			if c.Shared.All.Validation != nil {
				v.SchemaPath = structural.NewPath("spec", "validation", "openAPIV3Schema")
			}
		}
	}
}

// isSingle reports whether a CRD names its only version in spec.version.
func isSingle(c *structural.CRD) bool {
	return c.Shared != nil && len(c.Shared.Each) == 0 && c.Shared.Version != ""
}

// checkVersions reports what Kubernetes refuses about the names of the versions.
func (d *decoder) checkVersions(c *structural.CRD) {
	at := structural.NewPath("spec", "versions")
	if len(c.Versions) == 0 {
		if pos, ok := d.lacks(at); ok {
			d.invalid(IDStorageVersion, pos, at, "Invalid value: "+structural.Omitted{}.String()+": "+OneStorageVersion,
				"list the versions with name, served, storage and schema")
		}
		return
	}
	first := map[string]*structural.Path{}
	for i, v := range c.Versions {
		name := at.Index(i).Child("name")
		if isSingle(c) {
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
		d.badValue(IDName, c, at, name, wrong, hint)
	}
	if first[name] == nil {
		first[name] = at
		return
	}
	d.badValue(idDuplicateVersion, c, at, name, "must contain unique version names",
		"the first one is in line "+strconv.Itoa(d.whole.Locate(first[name].Steps()).Line))
}
