package crdread

import (
	"fmt"
	"strings"

	"github.com/prune-gen/prune-gen/internal/crd/kubenames"
	"github.com/prune-gen/prune-gen/internal/crd/origin"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// checkNames reports what Kubernetes refuses about the names that become parts of file names and of code. Lint reports the rest.
func (d *decoder) checkNames(c *structural.CRD) {
	d.checkGroup(c)
	names := structural.NewPath("spec", "names")
	if c.Names.Plural == "" {
		d.missing(names.Child("plural"), "the name in URLs and in kubectl, for example crontabs")
	} else if wrong := kubenames.JoinedLabel(c.Names.Plural); wrong != "" {
		d.badValue(IDName, c, names.Child("plural"), c.Names.Plural, wrong, "")
	}
	if c.Names.Kind == "" {
		d.missing(names.Child("kind"), "the kind of the objects, for example CronTab")
	} else if wrong := kubenames.Kind(c.Names.Kind); wrong != "" {
		d.badValue(IDName, c, names.Child("kind"), c.Names.Kind, wrong, "")
	}
}

func (d *decoder) checkGroup(c *structural.CRD) {
	at := structural.NewPath("spec", "group")
	switch wrong := kubenames.Subdomain(c.Group); {
	case c.Group == "":
		d.missing(at, "a domain of yours, for example stable.example.com")
	case len(wrong) > 0:
		d.badValue(IDName, c, at, c.Group, strings.Join(wrong, ","), "")
	case !strings.Contains(c.Group, "."):
		d.badValue(IDName, c, at, c.Group, "should be a domain with at least one dot", "")
	}
}

// missing reports in the words of Kubernetes that the value at a path is missing.
func (d *decoder) missing(at *structural.Path, hint string) {
	if pos, ok := d.lacks(at); ok {
		d.invalid(IDMissing, pos, at, "Required value", hint)
	}
}

// lacks reports whether the value at a path is missing, and where it would be. A value of the wrong type was reported already.
func (d *decoder) lacks(at *structural.Path) (yamltext.Pos, bool) {
	n, pos, whole := origin.Find(d.whole, at.Steps())
	empty := n.IsNull() || n.Kind == yamltext.String && n.Str() == "" || n.Kind == yamltext.List && len(n.List) == 0
	return pos, empty || !whole && n.Kind == yamltext.Map
}

// badValue reports in the words of Kubernetes what is wrong with the value at a path.
func (d *decoder) badValue(id structural.ID, c *structural.CRD, at *structural.Path, value, detail, hint string) {
	n, pos, whole := origin.Find(d.whole, at.Steps())
	if whole && n.Kind != yamltext.String && n.Kind != yamltext.Null || !whole && n.Kind != yamltext.Map && n.Kind != yamltext.Null {
		return // reported already
	}
	d.invalid(id, pos, at, fmt.Sprintf("Invalid value: %q: %s", value, detail), hint)
}
