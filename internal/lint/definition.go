package lint

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/crd/kubenames"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// definition reports what Kubernetes refuses about a CRD besides its schemas. Pruning depends on none of it.
func (l *linter) definition() {
	c := l.crd
	at := structural.NewPath("spec")
	l.refuse("", structural.NewPath("metadata"), func(r *definitionRules) { r.metadata(c) })
	l.refuse("", at, func(r *definitionRules) {
		r.names(c.Names.WithDefaults(), at.Child("names"))
		r.scope(c, at.Child("scope"))
		r.versions(c, at)
		r.conversion(c, at.Child("conversion"))
	})
	if c.Shared != nil {
		l.refuse("", at, func(r *definitionRules) { r.parts(c, &c.Shared.All, allVersions, at) })
	}
	for i, v := range c.Versions {
		parts := partsOf(c, i)
		if parts == nil {
			continue
		}
		at := at.Child("versions").Index(i)
		l.refuse(v.Name, at, func(r *definitionRules) {
			r.deprecation(v, at)
			r.parts(c, parts, i, at)
		})
	}
}

// partsOf returns what a CRD says about the version at an index alone, nil if it has no list of versions.
func partsOf(c *structural.CRD, i int) *structural.Parts {
	switch v := c.Versions[i]; {
	case c.Shared == nil:
		return &structural.Parts{
			Validation: &structural.Validation{Schema: v.Schema}, Subresources: &structural.Subresources{Status: v.HasStatus, Scale: v.Scale},
			Columns: v.Columns, SelectableFields: v.SelectableFields,
		}
	case i < len(c.Shared.Each):
		return &c.Shared.Each[i]
	}
	return nil
}

// parts checks what there is in a version or, in v1beta1, in spec.
func (c *definitionRules) parts(crd *structural.CRD, p *structural.Parts, version int, at *structural.Path) {
	c.columns(crd, p.Columns, at.Child("additionalPrinterColumns"))
	if p.Subresources != nil && p.Subresources.Scale != nil {
		c.scale(p.Subresources.Scale, at.Child("subresources", "scale"))
	}
	c.selectableFields(crd, p, version, at.Child("selectableFields"))
}

// definitionRules checks the parts of a CRD besides its schemas, and collects what is refused about them.
type definitionRules struct {
	structural.Errors
	same func() common
}

// refuse reports the errors that check collects, about a part of the CRD.
func (l *linter) refuse(version string, at *structural.Path, check func(*definitionRules)) {
	rules := definitionRules{same: l.same}
	check(&rules)
	for _, e := range rules.Errs {
		l.find(structural.SeverityError, version, e)
	}
	if rules.Full {
		l.more(version, at)
	}
}

// names checks the names that are part of neither code nor file names.
func (c *definitionRules) names(n structural.Names, at *structural.Path) {
	label := func(at *structural.Path, s, wrong string) {
		if wrong != "" {
			c.Invalid(crdread.IDName, at, s, wrong)
		}
	}
	// Only if there is no kind to derive them from.
	missing := func(at *structural.Path) {
		c.Add(&structural.Error{ID: crdread.IDMissing, Type: prunert.ErrorTypeRequired, Path: at, Hint: "write spec.names.kind, from which it is derived"})
	}
	if n.Singular != "" {
		label(at.Child("singular"), n.Singular, kubenames.JoinedLabel(n.Singular))
	} else {
		missing(at.Child("singular"))
	}
	if n.ListKind != "" {
		label(at.Child("listKind"), n.ListKind, kubenames.Kind(n.ListKind))
	} else {
		missing(at.Child("listKind"))
	}
	for i, s := range n.ShortNames {
		label(at.Child("shortNames").Index(i), s, kubenames.JoinedLabel(s))
	}
	for i, s := range n.Categories {
		label(at.Child("categories").Index(i), s, kubenames.JoinedLabel(s))
	}
	if n.Kind != "" && n.Kind == n.ListKind {
		c.Invalid(idListKind, at.Child("listKind"), n.ListKind, "kind and listKind may not be the same")
	}
}

func (c *definitionRules) scope(crd *structural.CRD, at *structural.Path) {
	switch crd.Scope {
	case "Cluster", "Namespaced":
	case "":
		c.Add(&structural.Error{ID: crdread.IDMissing, Type: prunert.ErrorTypeRequired, Path: at, Hint: "write scope: Namespaced or scope: Cluster"})
	default:
		c.NotSupported(idScope, at, crd.Scope, "Cluster", "Namespaced")
	}
}

// versions checks the versions together.
func (c *definitionRules) versions(crd *structural.CRD, at *structural.Path) {
	stored := 0
	for _, v := range crd.Versions {
		if v.Storage {
			stored++
		}
	}
	if stored != 1 {
		c.Add(&structural.Error{ID: crdread.IDStorageVersion, Type: prunert.ErrorTypeInvalid, Path: at.Child("versions"), BadValue: structural.Omitted{},
			Detail: crdread.OneStorageVersion, Hint: "write storage: true in one version and storage: false in the others"})
	}
	if crd.Shared == nil {
		return
	}
	if version := crd.Shared.Version; version != "" && version != crd.Versions[0].Name {
		if wrong := kubenames.JoinedLabel(version); wrong != "" {
			c.Invalid(crdread.IDName, at.Child("version"), version, wrong)
		}
		c.Invalid(idFirstVersion, at.Child("version"), version, "must match the first version in spec.versions")
	}
	c.perVersion(crd.Shared, at)
}

// perVersion checks that a v1beta1 CRD has these fields either in spec or in the versions, and in the versions only if they differ.
func (c *definitionRules) perVersion(s *structural.Shared, at *structural.Path) {
	for _, part := range []struct {
		top, each string // the fields
		called    string
		isGiven   func(*structural.Parts) bool
		equal     func(a, b *structural.Parts) bool
	}{
		{"validation", "schema", "schemas", func(p *structural.Parts) bool { return p.Validation != nil },
			func(a, b *structural.Parts) bool { return equalSchemas(a.Validation.Schema, b.Validation.Schema) }},
		{"subresources", "subresources", "subresources", func(p *structural.Parts) bool { return p.Subresources != nil },
			func(a, b *structural.Parts) bool { return reflect.DeepEqual(a.Subresources, b.Subresources) }},
		{"additionalPrinterColumns", "additionalPrinterColumns", "additionalPrinterColumns", func(p *structural.Parts) bool { return len(p.Columns) > 0 },
			func(a, b *structural.Parts) bool { return slices.Equal(a.Columns, b.Columns) }},
	} {
		some, same := false, len(s.Each) > 0
		for i := range s.Each {
			some = some || part.isGiven(&s.Each[i])
			same = same && part.isGiven(&s.Each[i]) && part.equal(&s.Each[i], &s.Each[0])
		}
		if some && part.isGiven(&s.All) {
			c.Add(&structural.Error{ID: idTwoSchemas, Type: prunert.ErrorTypeForbidden, Path: at.Child(part.top),
				Detail: "top-level and per-version " + part.called + " are mutually exclusive",
				Hint:   "keep spec." + part.top + " or " + part.each + " of the versions"})
		}
		if same {
			c.Add(&structural.Error{ID: idPerVersion, Type: prunert.ErrorTypeInvalid, Path: at.Child("versions"), BadValue: structural.Omitted{},
				Detail: "per-version " + part.called + " may not all be set to identical values (top-level " + part.top + " should be used instead)",
				Hint:   "move " + part.each + " of the versions to spec." + part.top + ", or use " + structural.APIVersionV1})
		}
	}
}

// equalSchemas reports whether two schemas say the same.
func equalSchemas(a, b *structural.JSONSchema) bool {
	if a == nil || b == nil {
		return a == b
	}
	isNone := func(_ string, v any) bool { list, ok := v.([]any); return ok && len(list) == 0 }
	return a == b || reflect.DeepEqual(without(a.Object(), isNone), without(b.Object(), isNone))
}

// without removes empty fields from a JSON value.
func without(v any, isNone func(field string, v any) bool) any {
	switch v := v.(type) {
	case map[string]any:
		maps.DeleteFunc(v, isNone)
		for _, e := range v {
			without(e, isNone)
		}
	case []any:
		for _, e := range v {
			without(e, isNone)
		}
	}
	return v
}

// deprecation checks the warning of a version.
func (c *definitionRules) deprecation(v *structural.Version, at *structural.Path) {
	warning := v.DeprecationWarning
	if warning == nil {
		return
	}
	at = at.Child("deprecationWarning")
	wrong := func(detail string) { c.Invalid(idDeprecation, at, warning, detail) }
	if !v.Deprecated {
		wrong("can only be set for deprecated versions")
		return
	}
	if len(*warning) > 256 {
		wrong("must be <= 256 characters long")
	}
	if *warning == "" {
		wrong("must not be an empty string")
	}
	for i, r := range *warning {
		if !unicode.IsPrint(r) {
			wrong(fmt.Sprintf("must only contain printable UTF-8 characters; non-printable character found at index %d", i))
			break
		}
	}
	if !utf8.ValidString(*warning) {
		wrong("must only contain printable UTF-8 characters")
	}
}

var (
	columnTypes   = []string{"boolean", "date", "integer", "number", "string"}
	columnFormats = []string{"byte", "date", "date-time", "double", "float", "int32", "int64", "password"}
)

// columns checks additionalPrinterColumns.
func (c *definitionRules) columns(crd *structural.CRD, columns []structural.Column, at *structural.Path) {
	jsonPath := crdread.JSONPath(crd.APIVersion)
	for i, col := range columns {
		at := at.Index(i)
		if col.Name == "" {
			c.Required(idColumn, at.Child("name"), "")
		}
		mustBe := "must be one of " + strings.Join(columnTypes, ",")
		if col.Type == "" {
			c.Required(idColumn, at.Child("type"), mustBe)
		} else if !slices.Contains(columnTypes, col.Type) {
			c.Invalid(idColumn, at.Child("type"), col.Type, mustBe)
		}
		if col.Format != "" && !slices.Contains(columnFormats, col.Format) {
			c.Invalid(idColumn, at.Child("format"), col.Format, "must be one of "+strings.Join(columnFormats, ","))
		}
		if col.JSONPath == "" {
			c.Required(idColumn, at.Child(jsonPath), "")
		} else {
			c.simplePath(idColumn, at.Child(jsonPath), col.JSONPath)
		}
		if col.Priority != int64(int32(col.Priority)) {
			c.Invalid(idColumn, at.Child("priority"), col.Priority, "must be a 32-bit integer")
		}
	}
}

// simplePath checks a path in dots and reports whether it is one.
func (c *definitionRules) simplePath(id structural.ID, at *structural.Path, path string) bool {
	if path[0] == '.' {
		return true
	}
	c.Invalid(id, at, path, "must be a simple json path starting with .")
	return false
}

// scale checks the paths of scale.
func (c *definitionRules) scale(s *structural.ScalePaths, at *structural.Path) {
	for _, replicas := range []struct{ part, path string }{{"spec", s.SpecReplicas}, {"status", s.StatusReplicas}} {
		switch at := at.Child(replicas.part + "ReplicasPath"); {
		case replicas.path == "":
			c.Required(idScale, at, "")
		case c.simplePath(idScale, at, replicas.path) && !strings.HasPrefix(replicas.path, "."+replicas.part+"."):
			c.Invalid(idScale, at, replicas.path, "should be a json path under ."+replicas.part)
		}
	}
	if path := s.LabelSelector; path != "" {
		at := at.Child("labelSelectorPath")
		if c.simplePath(idScale, at, path) && !strings.HasPrefix(path, ".spec.") && !strings.HasPrefix(path, ".status.") {
			c.Invalid(idScale, at, &path, "should be a json path under either .spec or .status")
		}
	}
}
