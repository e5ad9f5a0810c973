package lint

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/internal/kubenames"
	"github.com/prune-gen/prune-gen/internal/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/load"
)

// definition reports what Kubernetes refuses about a CRD besides its schemas. Pruning depends on none of it. The rules
// read the document: what they are about is used nowhere else.
func (l *linter) definition() {
	c := l.crd
	spec := c.Node.Child("spec")
	at := structural.NewPath("spec")
	l.refuse("", structural.NewPath("metadata"), func(r *definitionRules) { r.metadata(c) })
	l.refuse("", at, func(r *definitionRules) {
		r.names(c, at.Child("names"))
		r.scope(c, at.Child("scope"))
		r.versions(c, spec, at)
		r.conversion(c, spec.Child("conversion"), at.Child("conversion"))
	})
	// What v1beta1 may have for all versions together.
	if c.APIVersion == structural.APIVersionV1beta1 {
		l.refuse("", at, func(r *definitionRules) {
			r.columns(c, spec.Child("additionalPrinterColumns"), at.Child("additionalPrinterColumns"))
			r.subresources(spec.Child("subresources"), at.Child("subresources"))
			r.selectableFields(c, spec.Child("selectableFields"), allVersions, at.Child("selectableFields"))
		})
	}
	if len(listOf(spec.Child("versions"))) == 0 {
		return // v1beta1 has spec.version instead
	}
	for i, v := range c.Versions {
		version, at := elementOf(spec.Child("versions"), i), at.Child("versions").Index(i)
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
	structural.Collector
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

// elementOf returns the ith element of a list, nil where there is none.
func elementOf(n *yamltext.Node, i int) *yamltext.Node {
	if n == nil || i >= len(n.List) {
		return nil
	}
	return n.List[i]
}

// listOf returns the elements of a list, none for anything but a list.
func listOf(n *yamltext.Node) []*yamltext.Node {
	if n == nil {
		return nil
	}
	return n.List
}

// stringsOf returns the elements of a list of strings.
func stringsOf(n *yamltext.Node) []string {
	var all []string
	for _, e := range listOf(n) {
		all = append(all, e.Str())
	}
	return all
}

// stringAt returns a string of which the API tells the empty one from none.
func stringAt(n *yamltext.Node) *string {
	if n.IsNull() {
		return nil
	}
	s := n.Str()
	return &s
}

// names checks those that become part neither of code nor of file names.
func (c *definitionRules) names(crd *structural.CRD, at *structural.Path) {
	label := func(at *structural.Path, s, wrong string) {
		if wrong != "" {
			c.Invalid(load.RuleName, at, s, wrong)
		}
	}
	// Only where there is no kind that they can be made of.
	missing := func(at *structural.Path) {
		c.Add(&structural.Error{Rule: load.RuleMissing, Type: prunert.ErrorTypeRequired, Path: at, Hint: "write spec.names.kind, from which it is derived"})
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
		c.Add(&structural.Error{Rule: load.RuleMissing, Type: prunert.ErrorTypeRequired, Path: at, Hint: "write scope: Namespaced or scope: Cluster"})
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
		c.Add(&structural.Error{Rule: load.RuleStorageVersion, Type: prunert.ErrorTypeInvalid, Path: at.Child("versions"), BadValue: structural.Omitted{},
			Detail: load.OneStorageVersion, Hint: "write storage: true in one version and storage: false in the others"})
	}
	if crd.APIVersion != structural.APIVersionV1beta1 {
		return
	}
	if version := spec.Child("version").Str(); version != "" && version != crd.Versions[0].Name {
		if wrong := kubenames.JoinedLabel(version); wrong != "" {
			c.Invalid(load.RuleName, at.Child("version"), version, wrong)
		}
		c.Invalid(ruleFirstVersion, at.Child("version"), version, "must match the first version in spec.versions")
	}
	c.perVersion(crd, spec, at)
}

// perVersion checks that a v1beta1 CRD has what it can have once or for each version in one of these places only.
func (c *definitionRules) perVersion(crd *structural.CRD, spec *yamltext.Node, at *structural.Path) {
	versions := listOf(spec.Child("versions"))
	for _, part := range []struct {
		top, each string // the fields
		called    string
		value     func(*yamltext.Node) any // nil for none
	}{
		{"validation", "schema", "schemas", schemaIn},
		{"subresources", "subresources", "subresources", subresourcesIn},
		{"additionalPrinterColumns", "additionalPrinterColumns", "additionalPrinterColumns", columnsIn},
	} {
		some, same := false, len(versions) > 0
		var first any
		for i, v := range versions {
			value := part.value(v.Child(part.each))
			some = some || value != nil
			if i == 0 {
				first = value
			}
			same = same && value != nil && equalValues(reflect.ValueOf(value), reflect.ValueOf(first))
		}
		if some && part.value(spec.Child(part.top)) != nil {
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

// schemaIn, subresourcesIn and columnsIn read what is compared between versions, nil where it is not set.
func schemaIn(n *yamltext.Node) any {
	if n.IsNull() {
		return nil
	}
	schema := n.Child("openAPIV3Schema")
	if schema.IsNull() {
		return (*structural.JSONSchema)(nil)
	}
	return load.ReadSchema(schema)
}

type subresourceFields struct {
	Status                   bool
	Scale                    bool
	Replicas, StatusReplicas string
	Selector                 *string
}

func subresourcesIn(n *yamltext.Node) any {
	if n.IsNull() {
		return nil
	}
	scale := n.Child("scale")
	return subresourceFields{
		Status: !n.Child("status").IsNull(), Scale: !scale.IsNull(),
		Replicas: scale.Child("specReplicasPath").Str(), StatusReplicas: scale.Child("statusReplicasPath").Str(),
		Selector: stringAt(scale.Child("labelSelectorPath")),
	}
}

type columnFields struct {
	Name, Type, Format, Description, JSONPath string
	Priority                                  any
}

func columnsIn(n *yamltext.Node) any {
	var all []columnFields
	for _, col := range listOf(n) {
		path := col.Child("JSONPath")
		if path == nil {
			path = col.Child("jsonPath")
		}
		f := columnFields{
			Name: col.Child("name").Str(), Type: col.Child("type").Str(), Format: col.Child("format").Str(),
			Description: col.Child("description").Str(), JSONPath: path.Str(), Priority: int64(0),
		}
		if p := col.Child("priority"); !p.IsNull() {
			f.Priority = p.Value()
		}
		all = append(all, f)
	}
	if all == nil {
		return nil
	}
	return all
}

// equalValues reports whether two values of one type are equal as Kubernetes compares them: no list and an empty one are
// the same.
func equalValues(a, b reflect.Value) bool {
	if !a.IsValid() || !b.IsValid() {
		return a.IsValid() == b.IsValid()
	}
	if a.Type() != b.Type() {
		return false
	}
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return equalValues(a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			if !equalValues(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !equalValues(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		if a.Len() != b.Len() {
			return false
		}
		for k, v := range a.Seq2() {
			if !equalValues(v, b.MapIndex(k)) {
				return false
			}
		}
		return true
	}
	return a.Interface() == b.Interface()
}

// deprecation checks the warning of a version.
func (c *definitionRules) deprecation(version *yamltext.Node, at *structural.Path) {
	warning := stringAt(version.Child("deprecationWarning"))
	if warning == nil {
		return
	}
	at = at.Child("deprecationWarning")
	wrong := func(detail string) { c.Invalid(ruleDeprecation, at, warning, detail) }
	if deprecated := version.Child("deprecated"); deprecated.IsNull() || deprecated.Value() != true {
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
	for i, col := range listOf(n) {
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
