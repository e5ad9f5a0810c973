package lint

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/crd/kubenames"
	"github.com/prune-gen/prune-gen/internal/text/origin"
	"github.com/prune-gen/prune-gen/internal/text/report"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// definition reports what Kubernetes refuses about a CRD besides its schemas. Pruning depends on none of it. The rules
// read the document, because these fields are used nowhere else.
func (l *linter) definition() {
	c := l.crd
	spec := origin.Node(c).Child("spec")
	at := structural.NewPath("spec")
	l.refuse("", structural.NewPath("metadata"), func(r *definitionRules) { r.metadata(c) })
	l.refuse("", at, func(r *definitionRules) {
		r.names(c, at.Child("names"))
		r.scope(c, at.Child("scope"))
		r.versions(c, spec, at)
		r.conversion(c, spec.Child("conversion"), at.Child("conversion"))
	})
	// v1beta1 may have these for all versions together.
	if c.APIVersion == structural.APIVersionV1beta1 {
		l.refuse("", at, func(r *definitionRules) {
			r.columns(c, spec.Child("additionalPrinterColumns"), at.Child("additionalPrinterColumns"))
			r.subresources(spec.Child("subresources"), at.Child("subresources"))
			r.selectableFields(c, spec.Child("selectableFields"), allVersions, at.Child("selectableFields"))
		})
	}
	if len(spec.Child("versions").Elements()) == 0 {
		return // v1beta1 has spec.version instead
	}
	for i, v := range c.Versions {
		version, at := spec.Child("versions").Element(i), at.Child("versions").Index(i)
		l.refuse(v.Name, at, func(r *definitionRules) {
			r.deprecation(version, at)
			r.columns(c, version.Child("additionalPrinterColumns"), at.Child("additionalPrinterColumns"))
			r.subresources(version.Child("subresources"), at.Child("subresources"))
			r.selectableFields(c, version.Child("selectableFields"), i, at.Child("selectableFields"))
		})
	}
}

// definitionRules checks the parts of a CRD besides its schemas, and collects what is refused about them.
type definitionRules struct {
	report.Errors
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

// stringAt returns a string field for which the API distinguishes empty from absent.
func stringAt(n *yamltext.Node) *string {
	if n.IsNull() {
		return nil
	}
	s := n.Str()
	return &s
}

// names checks the names that are part of neither code nor file names.
func (c *definitionRules) names(crd *structural.CRD, at *structural.Path) {
	label := func(at *structural.Path, s, wrong string) {
		if wrong != "" {
			c.Invalid(crdread.RuleName, at, s, wrong)
		}
	}
	// Only if there is no kind to derive them from.
	missing := func(at *structural.Path) {
		c.Add(&structural.Error{Rule: crdread.RuleMissing, Type: prunert.ErrorTypeRequired, Path: at, Hint: "write spec.names.kind, from which it is derived"})
	}
	n := crd.Names
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
		c.Invalid(ruleListKind, at.Child("listKind"), n.ListKind, "kind and listKind may not be the same")
	}
}

func (c *definitionRules) scope(crd *structural.CRD, at *structural.Path) {
	switch crd.Scope {
	case "Cluster", "Namespaced":
	case "":
		c.Add(&structural.Error{Rule: crdread.RuleMissing, Type: prunert.ErrorTypeRequired, Path: at, Hint: "write scope: Namespaced or scope: Cluster"})
	default:
		c.NotSupported(ruleScope, at, crd.Scope, "Cluster", "Namespaced")
	}
}

// versions checks the versions together.
func (c *definitionRules) versions(crd *structural.CRD, spec *yamltext.Node, at *structural.Path) {
	stored := 0
	for _, v := range crd.Versions {
		if v.Storage {
			stored++
		}
	}
	if stored != 1 {
		c.Add(&structural.Error{Rule: crdread.RuleStorageVersion, Type: prunert.ErrorTypeInvalid, Path: at.Child("versions"), BadValue: structural.Omitted{},
			Detail: crdread.OneStorageVersion, Hint: "write storage: true in one version and storage: false in the others"})
	}
	if crd.APIVersion != structural.APIVersionV1beta1 {
		return
	}
	if version := spec.Child("version").Str(); version != "" && version != crd.Versions[0].Name {
		if wrong := kubenames.JoinedLabel(version); wrong != "" {
			c.Invalid(crdread.RuleName, at.Child("version"), version, wrong)
		}
		c.Invalid(ruleFirstVersion, at.Child("version"), version, "must match the first version in spec.versions")
	}
	c.perVersion(crd, spec, at)
}

// perVersion checks that a v1beta1 CRD has these fields either in spec or in the versions, and in the versions only if they differ.
func (c *definitionRules) perVersion(crd *structural.CRD, spec *yamltext.Node, at *structural.Path) {
	versions := spec.Child("versions").Elements()
	for _, part := range []struct {
		top, each string // the fields
		called    string
	}{
		{"validation", "schema", "schemas"},
		{"subresources", "subresources", "subresources"},
		{"additionalPrinterColumns", "additionalPrinterColumns", "additionalPrinterColumns"},
	} {
		some, same := false, len(versions) > 0
		for _, v := range versions {
			value, first := v.Child(part.each), versions[0].Child(part.each)
			some = some || isGiven(value)
			same = same && isGiven(value) && isGiven(first)
			if same && part.each == "schema" {
				same = equalSchemas(schemaIn(value), schemaIn(first))
			} else if same {
				same = equalFields(value, first)
			}
		}
		if some && isGiven(spec.Child(part.top)) {
			c.Add(&structural.Error{Rule: ruleTwoSchemas, Type: prunert.ErrorTypeForbidden, Path: at.Child(part.top),
				Detail: "top-level and per-version " + part.called + " are mutually exclusive",
				Hint:   "keep spec." + part.top + " or " + part.each + " of the versions"})
		}
		if same {
			c.Add(&structural.Error{Rule: rulePerVersion, Type: prunert.ErrorTypeInvalid, Path: at.Child("versions"), BadValue: structural.Omitted{},
				Detail: "per-version " + part.called + " may not all be set to identical values (top-level " + part.top + " should be used instead)",
				Hint:   "move " + part.each + " of the versions to spec." + part.top + ", or use " + structural.APIVersionV1})
		}
	}
}

// isGiven reports whether a field is set: an empty list is not.
func isGiven(n *yamltext.Node) bool {
	return !n.IsNull() && (n.Kind != yamltext.List || len(n.List) > 0)
}

// schemaIn reads the schema from the object around it. It is nil if there is none.
func schemaIn(n *yamltext.Node) *structural.JSONSchema {
	schema := n.Child("openAPIV3Schema")
	if schema.IsNull() {
		return nil
	}
	return crdread.ReadSchema(schema)
}

// equalSchemas reports whether two schemas say the same.
func equalSchemas(a, b *structural.JSONSchema) bool {
	if a == nil || b == nil {
		return a == b
	}
	isNone := func(_ string, v any) bool { list, ok := v.([]any); return ok && len(list) == 0 }
	return a == b || reflect.DeepEqual(without(a.Object(), isNone), without(b.Object(), isNone))
}

// equalFields reports whether two values are equal as Go structs, in which a missing field is empty.
func equalFields(a, b *yamltext.Node) bool {
	isNone := func(field string, v any) bool {
		return v == nil || v == int64(0) || v == "" && field != "labelSelectorPath" // which is a pointer
	}
	return reflect.DeepEqual(without(a.Value(), isNone), without(b.Value(), isNone))
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
func (c *definitionRules) deprecation(version *yamltext.Node, at *structural.Path) {
	warning := stringAt(version.Child("deprecationWarning"))
	if warning == nil {
		return
	}
	at = at.Child("deprecationWarning")
	wrong := func(detail string) { c.Invalid(ruleDeprecation, at, warning, detail) }
	if !version.Child("deprecated").Bool() {
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
func (c *definitionRules) columns(crd *structural.CRD, n *yamltext.Node, at *structural.Path) {
	jsonPath := "jsonPath"
	if crd.APIVersion == structural.APIVersionV1beta1 {
		jsonPath = "JSONPath"
	}
	for i, col := range n.Elements() {
		at := at.Index(i)
		if col.Child("name").Str() == "" {
			c.Required(ruleColumn, at.Child("name"), "")
		}
		mustBe := "must be one of " + strings.Join(columnTypes, ",")
		if typ := col.Child("type").Str(); typ == "" {
			c.Required(ruleColumn, at.Child("type"), mustBe)
		} else if !slices.Contains(columnTypes, typ) {
			c.Invalid(ruleColumn, at.Child("type"), typ, mustBe)
		}
		if format := col.Child("format").Str(); format != "" && !slices.Contains(columnFormats, format) {
			c.Invalid(ruleColumn, at.Child("format"), format, "must be one of "+strings.Join(columnFormats, ","))
		}
		if path := col.Child(jsonPath).Str(); path == "" {
			c.Required(ruleColumn, at.Child(jsonPath), "")
		} else {
			c.simplePath(ruleColumn, at.Child(jsonPath), path)
		}
		if p := col.Child("priority"); p != nil && p.Kind == yamltext.Int && !isInt32(p) {
			c.Invalid(ruleColumn, at.Child("priority"), p.Value(), "must be a 32-bit integer")
		}
	}
}

func isInt32(n *yamltext.Node) bool {
	i, ok := n.Value().(int64)
	return ok && i >= math.MinInt32 && i <= math.MaxInt32
}

// simplePath checks a path in dots and reports whether it is one.
func (c *definitionRules) simplePath(rule structural.Rule, at *structural.Path, path string) bool {
	if path[0] == '.' {
		return true
	}
	c.Invalid(rule, at, path, "must be a simple json path starting with .")
	return false
}

// subresources checks the paths of scale.
func (c *definitionRules) subresources(n *yamltext.Node, at *structural.Path) {
	scale := n.Child("scale")
	if scale.IsNull() {
		return
	}
	at = at.Child("scale")
	for _, part := range []string{"spec", "status"} {
		field := part + "ReplicasPath"
		path := scale.Child(field).Str()
		switch at := at.Child(field); {
		case path == "":
			c.Required(ruleScale, at, "")
		case c.simplePath(ruleScale, at, path) && !strings.HasPrefix(path, "."+part+"."):
			c.Invalid(ruleScale, at, path, "should be a json path under ."+part)
		}
	}
	if path := stringAt(scale.Child("labelSelectorPath")); path != nil && *path != "" {
		at := at.Child("labelSelectorPath")
		if c.simplePath(ruleScale, at, *path) && !strings.HasPrefix(*path, ".spec.") && !strings.HasPrefix(*path, ".status.") {
			c.Invalid(ruleScale, at, path, "should be a json path under either .spec or .status")
		}
	}
}
