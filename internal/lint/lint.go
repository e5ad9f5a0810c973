package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/prune-gen/prune-gen/internal/base/badvalue"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/base/sorted"
	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/crd/origin"
	"github.com/prune-gen/prune-gen/internal/text/report"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
)

// CRD returns the findings for c, in the order of the file: everything that the API server refuses when the CRD is created, and
// what loses data or has no effect, because the version of Kubernetes does not have it, for example. A schema that several versions share is reported once, without a version.
//
// What makes Kubernetes refuse the CRD is an error, CEL rules that do not hold for a default included. A v1beta1 CRD may have a
// schema that is not structural, as long as nothing is pruned and neither defaults nor x-kubernetes- keywords are used: then
// Kubernetes only sets the condition NonStructuralSchema, and the finding is a warning. What the proposals forbid and
// Kubernetes overlooks is also a warning.
func CRD(c *structural.CRD) []structural.Finding {
	l := newLinter(c)
	l.rest()
	l.removedAPI()
	for _, v := range distinct(c.Versions) {
		l.schema(v)
	}
	l.versionLoss()
	l.ignored(func(i lack, since kubeversion.Change) { l.findings = append(l.findings, i.warning(since.TakenBy())) })
	return l.sorted()
}

// Refused adds to the findings of a file what the API server refuses in those of its CRDs that could be read but have errors.
func Refused(f *crdread.File) {
	for _, c := range f.Refused {
		found := slices.DeleteFunc(CRD(c), func(f structural.Finding) bool { return f.Severity != structural.SeverityError })
		f.Add(found)
		if origin.Meter(c).Spent() {
			return
		}
	}
}

// DefinitionWarnings returns what the API server would refuse about c apart from its schemas, as warnings: names, versions, conversion and
// whatever else pruning does not depend on.
func DefinitionWarnings(c *structural.CRD) []structural.Finding {
	l := newLinter(c)
	l.rest()
	for i := range l.findings {
		l.findings[i].Severity = structural.SeverityWarning
	}
	return l.sorted()
}

// Refusals returns the findings for which the API server refuses the schemas of versions of c, those about defaults and CEL rules
// included. A schema that versions share is refused once, in the name of the first. Where nothing is pruned, a schema need not be
// structural.
func Refusals(c *structural.CRD, versions ...*structural.Version) []structural.Finding {
	l := newLinter(c)
	l.env = celrules.Stored(l.kubernetes) // a server evaluates what it has stored, whether or not it would still accept it
	var refused []structural.Finding
	l.unnamed = true
	for _, v := range distinct(versions) {
		l.findings = nil
		l.errors(v)
		for _, f := range l.sorted() {
			if f.Severity == structural.SeverityError {
				f.Version = v.Name
				refused = append(refused, f)
			}
		}
	}
	return refused
}

type linter struct {
	crd       *structural.CRD
	used      func() map[*structural.JSONSchema]int         // how many versions have a schema
	unnamed   bool                                          // findings do not say which version they are about
	converted map[*structural.JSONSchema]*structural.Schema // the schemas that are structural
	same      func() common                                 // what the versions have in common
	strict    func() bool                                   // reports whether schemas must be structural
	status    func() bool                                   // reports whether a version has a status that is a subresource
	meter     *meter.Meter
	findings  []structural.Finding

	kubernetes kubeversion.Version
	env        celrules.Environment // of CEL rules
}

func newLinter(c *structural.CRD) *linter {
	return &linter{crd: c, meter: origin.Limits(c), kubernetes: c.Kubernetes, env: celrules.New(c.Kubernetes), converted: map[*structural.JSONSchema]*structural.Schema{},
		used: sync.OnceValue(func() map[*structural.JSONSchema]int {
			used := map[*structural.JSONSchema]int{}
			for _, v := range c.Versions {
				used[v.Schema]++
			}
			return used
		}),
		same:   sync.OnceValue(func() common { return commonOf(c) }),
		strict: sync.OnceValue(c.MustBeStructural),
		status: sync.OnceValue(func() bool {
			return slices.ContainsFunc(c.Versions, func(v *structural.Version) bool { return v.HasStatus })
		})}
}

// shares reports whether another version has the schema of v. A table of all versions is made only if it is asked about all of them.
func (l *linter) shares(v *structural.Version) bool {
	if !l.unnamed {
		return v.Schema != nil && l.used()[v.Schema] > 1
	}
	return v.Schema != nil && slices.ContainsFunc(l.crd.Versions, func(other *structural.Version) bool { return other != v && other.Schema == v.Schema })
}

// sorted returns the findings in the order of the file. If the run exceeds a limit, one of them says so.
func (l *linter) sorted() []structural.Finding {
	l.findings = append(l.findings, report.TooLarge(l.crd, l.meter.Err())...)
	slices.SortStableFunc(l.findings, byPlace)
	return l.findings
}

func byPlace(a, b structural.Finding) int {
	return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Message, b.Message))
}

// more says that not everything about a part of the CRD is listed.
func (l *linter) more(version string, at *structural.Path) {
	what := "this CRD"
	if at.Name() == "openAPIV3Schema" {
		what = "this schema"
	}
	l.findings = append(l.findings, report.Place(l.crd, structural.Finding{
		ID: structural.IDMore, Version: version, Severity: structural.SeverityWarning, Message: "only the first findings about " + what + " are shown",
	}, at))
}

// find adds a finding, whose text repeats its path and can be long.
func (l *linter) find(severity structural.Severity, version string, e *structural.Error) {
	if !l.meter.Spent() {
		e = l.older(e)
		f := l.crd.Finding(version, severity, e)
		f.Hint = cmp.Or(f.Hint, ids.Hint(e.ID))
		report.Spend(&f, l.meter)
		l.findings = append(l.findings, f)
	}
}

// older returns an error as the version of the API server writes it.
func (l *linter) older(e *structural.Error) *structural.Error {
	asOf := *e
	if p, ok := e.BadValue.(*string); ok && p == nil {
		asOf.BadValue = nil
	}
	asOf.BadValue = badvalue.In(l.kubernetes, asOf.BadValue)
	if !l.kubernetes.Has(kubeversion.PlainTexts) && e.OlderDetail != "" {
		asOf.Detail = e.OlderDetail
	}
	return &asOf
}

// named is an error before whose detail servers repeated the name of the field, before kubeversion.PlainTexts.
func named(id structural.ID, at *structural.Path, value any, detail string) *structural.Error {
	return &structural.Error{ID: id, Type: prunert.ErrorTypeInvalid, Path: at, BadValue: value, Detail: detail,
		OlderDetail: at.Name() + " " + strings.ReplaceAll(detail, "`", "")}
}

// rest checks everything except the schemas.
func (l *linter) rest() {
	l.definition()
	l.preserveUnknownFields()
	for i, v := range l.crd.Versions {
		if v.Schema == nil {
			l.missingSchema(i, v)
		}
	}
}

// removedAPI warns of a CRD that can no longer be created anywhere.
func (l *linter) removedAPI() {
	if l.crd.APIVersion != structural.APIVersionV1beta1 {
		return
	}
	at := structural.NewPath("apiVersion")
	f := report.Place(l.crd, structural.Finding{ID: idRemovedAPI, Severity: structural.SeverityWarning, Hint: ids.Hint(idRemovedAPI)}, at)
	l.findings = append(l.findings, f.Saying(f.Path, "no API server since Kubernetes 1.22 serves "+structural.APIVersionV1beta1))
}

// preserveUnknownFields checks that field of the CRD, where it is true.
func (l *linter) preserveUnknownFields() {
	if !l.crd.PreserveUnknownFields {
		return
	}
	at := structural.NewPath("spec", "preserveUnknownFields")
	if l.crd.APIVersion == structural.APIVersionV1 {
		l.find(structural.SeverityError, "", &structural.Error{
			ID: idPreserveUnknownFields, Type: prunert.ErrorTypeInvalid, Path: at, BadValue: true,
			Detail: "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
		})
	}
	hasDefault := func(s *structural.JSONSchema) bool { return s.Default != nil }
	if slices.ContainsFunc(distinct(l.crd.Versions), func(v *structural.Version) bool { return v.Schema.Any(hasDefault) }) {
		l.find(structural.SeverityError, "", &structural.Error{
			ID: idPreserveDefaults, Type: prunert.ErrorTypeInvalid, Path: at, BadValue: true,
			Detail: "must be false in order to use defaults in the schema",
		})
	}
}

// missingSchema reports that the version at index i has no schema, where it has to have one.
func (l *linter) missingSchema(i int, v *structural.Version) {
	e := &structural.Error{ID: idMissingSchema, Type: prunert.ErrorTypeRequired, Path: structural.VersionSchemaPath(i)}
	switch {
	case l.crd.APIVersion == structural.APIVersionV1:
		e.OlderDetail = "schemas are required"
	case v.Pruned && v.Served:
		e.Detail = "because otherwise all fields are pruned"
	default:
		return
	}
	l.find(structural.SeverityError, v.Name, e)
}

// schema checks the schema of a version.
func (l *linter) schema(v *structural.Version) {
	isStructural := l.errors(v)
	s, _ := l.crd.Converted(v)
	version := l.versionOf(v)
	warn := func(errs []*structural.Error) {
		for _, e := range errs {
			l.find(structural.SeverityWarning, version, e)
		}
	}
	var overlooked idleRules
	for _, e := range structural.ValidateBelowRoot(s, v.SchemaPath) {
		overlooked.Add(e)
	}
	overlooked.idle(v.Schema, isStructural, v.SchemaPath)
	sorted.ByText(overlooked.Errs)
	warn(overlooked.Errs)
	if overlooked.Full {
		l.more(version, v.SchemaPath)
	}
	if isStructural {
		l.converted[v.Schema] = s
		if v.Pruned {
			warn(loss(s, v.SchemaPath))
		}
		warn(failingRules(s, v.SchemaPath, celrules.Stored(l.kubernetes), l.meter))
	}
}

// versionOf returns the version that findings about the schema of v are about, "" where others have the same schema.
func (l *linter) versionOf(v *structural.Version) string {
	if l.unnamed || l.shares(v) {
		return ""
	}
	return v.Name
}

// errors adds the findings for which the schema of a version is refused. It reports whether the schema is structural.
func (l *linter) errors(v *structural.Version) bool {
	s, refused := l.crd.Converted(v)
	version := l.versionOf(v)
	full := false
	find := func(severity structural.Severity, errs []*structural.Error) {
		for _, e := range errs {
			l.find(severity, version, e)
		}
		full = full || areFull(errs)
	}
	severity := structural.SeverityWarning
	if l.strict() {
		severity = structural.SeverityError
	}
	at := map[string]bool{}
	wrong := SchemaErrors(v.Schema, v.SchemaPath)
	for _, e := range wrong {
		at[e.Path.String()] = true
	}
	find(structural.SeverityError, wrong)
	if l.hasStatus(v) {
		find(structural.SeverityError, statusErrors(v.Schema, v.SchemaPath))
	}
	// What is refused is not in s, and it would be confusing to report it as missing.
	isNew := func(errs []*structural.Error) []*structural.Error {
		return slices.DeleteFunc(slices.Clone(errs), func(e *structural.Error) bool { return at[e.Path.String()] })
	}
	find(severity, isNew(refused))
	for _, e := range refused {
		at[e.Path.String()] = true
	}
	broken := structural.Validate(s, v.SchemaPath)
	if len(refused) > 0 {
		find(severity, isNew(broken))
	} else {
		find(severity, broken)
	}
	isStructural := len(refused) == 0 && len(broken) == 0
	if isStructural {
		defaults, broken, whole := defaultErrors(l.meter, s, v.Schema, v.SchemaPath, celrules.Stored(l.kubernetes))
		l.nameRules(broken, s, v)
		find(structural.SeverityError, defaults)
		full = full || !whole
		if len(defaults) == 0 && whole {
			expressions, unsupported := ruleErrors(s, v.Schema, v.SchemaPath, l.env)
			find(structural.SeverityError, expressions.Errs)
			find(structural.SeverityWarning, unsupported.Errs)
			full = full || expressions.Full
		}
	}
	if full {
		l.more(version, v.SchemaPath)
	}
	return isStructural
}

// nameRules adds the line of a CEL rule that does not compile to the errors that say so about defaults. The API server does not name the rule,
// and goes no further.
func (l *linter) nameRules(broken map[*structural.Error]string, s *structural.Schema, v *structural.Version) {
	if len(broken) == 0 {
		return
	}
	wrong, _ := ruleErrors(s, v.Schema, v.SchemaPath, l.env)
	for e, rule := range broken {
		i := slices.IndexFunc(wrong.Errs, func(of *structural.Error) bool {
			as, _ := of.BadValue.(structural.ValidationRule)
			return of.ID == IDCELExpression && of.Path.Name() == "rule" && strings.TrimSpace(as.Rule) == rule
		})
		if i >= 0 {
			e.Hint = fmt.Sprintf("the CEL rule on line %d does not compile; it applies to this default", l.crd.Locate(wrong.Errs[i].Path.Steps()).Line)
		}
	}
}

// hasStatus reports whether the root of the schema of v must fit a status that is a subresource. What is the same in all
// versions is checked once, and for all of them.
func (l *linter) hasStatus(v *structural.Version) bool {
	return v.HasStatus || l.status() && (l.shares(v) || l.same().schemas)
}

// areFull reports whether errs is as long as a collector allows, so that there may be more errors.
func areFull(errs []*structural.Error) bool {
	var c structural.Errors
	for _, e := range errs {
		c.Add(e)
	}
	return c.Full
}
