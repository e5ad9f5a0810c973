package structural

import (
	"cmp"
	"slices"

	"github.com/prune-gen/prune-gen/structural/text"
)

// Lint returns what is to be said about c, in the order of the file: everything that the API server refuses when the CRD is
// created, and what loses data or does nothing. A schema that serves several versions is spoken of once, and then the version
// is empty.
//
// What makes Kubernetes refuse the CRD is an error. CEL rules are the exception: that they compile and what they cost is not
// looked at. A v1beta1 CRD may have a schema that is not structural, as long as nothing is pruned and neither defaults nor
// x-kubernetes- keywords are used: then Kubernetes only sets the condition NonStructuralSchema, and the finding is a warning.
// A warning is also what the proposals forbid and Kubernetes overlooks.
func Lint(c *CRD) []Finding {
	l := newLinter(c)
	l.rest()
	linted := map[*JSONSchema]bool{}
	for _, v := range c.Versions {
		if v.Schema != nil && !linted[v.Schema] {
			linted[v.Schema] = true
			l.schema(v)
		}
	}
	if c.root != nil {
		l.versionLoss()
	}
	return l.sorted()
}

// Doubts returns what the API server would refuse about c apart from its schemas, as warnings: names, versions, conversion and
// whatever else pruning does not depend on.
func Doubts(c *CRD) []Finding {
	l := newLinter(c)
	l.rest()
	for i := range l.findings {
		l.findings[i].Severity = SeverityWarning
	}
	return l.sorted()
}

// UsableSchema returns the structural schema of a version of c, or the findings for which the API server refuses it. Where
// nothing is pruned, a schema need not be structural; the schema is nil then, and takes no part.
func UsableSchema(c *CRD, v *Version) (*Schema, []Finding) {
	if v.Schema == nil {
		return nil, nil
	}
	l := newLinter(c)
	s, refused := NewSchema(v.Schema, v.SchemaPath)
	l.errors(v, s, refused)
	found := slices.DeleteFunc(l.sorted(), func(f Finding) bool { return f.Severity != SeverityError })
	for i := range found {
		found[i].Version = v.Name
	}
	if len(refused) > 0 {
		s = nil
	}
	return s, found
}

// CountRules returns the number of CEL rules in the schemas of c.
func CountRules(c *CRD) int {
	n := 0
	counted := map[*JSONSchema]bool{}
	for _, v := range c.Versions {
		if v.Schema == nil || counted[v.Schema] {
			continue
		}
		counted[v.Schema] = true
		v.Schema.any(func(s *JSONSchema) bool {
			n += len(s.XValidations)
			return false
		})
	}
	return n
}

// Finding turns an error into a finding about a version of c, with its place in the file and a hint.
func (c *CRD) Finding(version string, severity Severity, e *Error) Finding {
	return c.finding(Finding{
		Rule: e.Rule, Version: version, Severity: severity, Message: e.Error(), Hint: hintFor(e),
	}, e.Path, (*text.Node).Get)
}

// finding fills in where a finding is. The function get looks up a key.
func (c *CRD) finding(f Finding, path *Path, get func(*text.Node, string) *text.Entry) Finding {
	if c.root != nil {
		_, at, _ := findNode(c.root, path, get)
		f.Line, f.Column = at.Line, at.Column
	}
	f.File, f.CRD, f.Path = c.file, c.Name, path.String()
	if c.Name == "" && c.root != nil {
		f.CRD = crdName(c.root)
	}
	return f
}

type linter struct {
	crd       *CRD
	used      map[*JSONSchema]int     // how many versions have a schema
	converted map[*JSONSchema]*Schema // the schemas that are structural
	findings  []Finding
	index     map[*text.Node]map[string]*text.Entry
}

func newLinter(c *CRD) *linter {
	l := &linter{crd: c, used: map[*JSONSchema]int{}, converted: map[*JSONSchema]*Schema{},
		index: map[*text.Node]map[string]*text.Entry{}}
	for _, v := range c.Versions {
		if v.Schema != nil {
			l.used[v.Schema]++
		}
	}
	return l
}

// sorted returns the findings in the order of the file.
func (l *linter) sorted() []Finding {
	slices.SortStableFunc(l.findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Message, b.Message))
	})
	return l.findings
}

// more says that not everything about a part of the CRD is listed.
func (l *linter) more(version string, at *Path) {
	what := "this CRD"
	if at.name == "openAPIV3Schema" {
		what = "this schema"
	}
	l.findings = append(l.findings, l.crd.finding(Finding{
		Rule: RuleMore, Version: version, Severity: SeverityWarning, Message: "there is more to say about " + what + " than is listed",
	}, at, l.get))
}

// get finds the key of a large map by an index: there can be many findings below one.
func (l *linter) get(n *text.Node, key string) *text.Entry {
	const few = 32
	if len(n.Entries) < few {
		return n.Get(key)
	}
	byKey, ok := l.index[n]
	if !ok {
		byKey = make(map[string]*text.Entry, len(n.Entries))
		for i := len(n.Entries) - 1; i >= 0; i-- { // of duplicate keys the first counts, as elsewhere
			byKey[n.Entries[i].Key] = &n.Entries[i]
		}
		l.index[n] = byKey
	}
	return byKey[key]
}

func (l *linter) find(severity Severity, version string, e *Error) {
	l.findings = append(l.findings, l.crd.finding(Finding{
		Rule: e.Rule, Version: version, Severity: severity, Message: e.Error(), Hint: hintFor(e),
	}, e.Path, l.get))
}

// rest checks everything but the schemas.
func (l *linter) rest() {
	if l.crd.root != nil {
		l.definition()
	}
	l.preserveUnknownFields()
	for i, v := range l.crd.Versions {
		if v.Schema == nil {
			l.missingSchema(i, v)
		}
	}
}

// preserveUnknownFields checks that field of the CRD, where it is true.
func (l *linter) preserveUnknownFields() {
	if !l.crd.PreserveUnknownFields {
		return
	}
	at := NewPath("spec", "preserveUnknownFields")
	if l.crd.APIVersion == apiV1 {
		l.find(SeverityError, "", &Error{
			Rule: RulePreserveUnknownFields, Type: ErrorInvalid, Path: at, BadValue: true,
			Detail: "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
		})
	}
	if l.anySchema(hasDefault) {
		l.find(SeverityError, "", &Error{
			Rule: RulePreserveDefaults, Type: ErrorInvalid, Path: at, BadValue: true,
			Detail: "must be false in order to use defaults in the schema",
		})
	}
}

// missingSchema reports that the version at index i has no schema, where it has to have one.
func (l *linter) missingSchema(i int, v *Version) {
	e := &Error{Rule: RuleMissingSchema, Type: ErrorRequired, Path: versionSchemaPath(i)}
	switch {
	case l.crd.APIVersion == apiV1:
	case v.Pruned && v.Served:
		e.Detail = "because otherwise all fields are pruned"
	default:
		return
	}
	l.find(SeverityError, v.Name, e)
}

// schema checks the schema of a version.
func (l *linter) schema(v *Version) {
	s, refused := NewSchema(v.Schema, v.SchemaPath)
	structural := l.errors(v, s, refused)
	version := l.versionOf(v)
	warn := func(errs []*Error) {
		for _, e := range errs {
			l.find(SeverityWarning, version, e)
		}
	}
	var overlooked collector
	overlooked.completenessBelowRoot(s, v.SchemaPath)
	for _, e := range overlooked.errs {
		e.Rule = RuleUnspecifiedBelow
	}
	overlooked.idle(v.Schema, structural, v.SchemaPath)
	sortErrors(overlooked.errs)
	warn(overlooked.errs)
	if overlooked.full {
		l.more(version, v.SchemaPath)
	}
	if structural {
		l.converted[v.Schema] = s
		if v.Pruned {
			warn(loss(s, v.SchemaPath))
		}
	}
}

// versionOf returns the version that findings about the schema of v are about, "" where others have the same schema.
func (l *linter) versionOf(v *Version) string {
	if l.used[v.Schema] > 1 {
		return ""
	}
	return v.Name
}

// errors reports for what the schema of a version is refused; s is that schema, converted, and refused what the conversion
// says. It reports whether the schema is structural.
func (l *linter) errors(v *Version, s *Schema, refused []*Error) bool {
	version := l.versionOf(v)
	full := false
	find := func(severity Severity, errs []*Error) {
		for _, e := range errs {
			l.find(severity, version, e)
		}
		full = full || areFull(errs)
	}
	severity := SeverityWarning
	if l.crd.mustBeStructural() {
		severity = SeverityError
	}
	at := map[string]bool{}
	wrong := SchemaErrors(v.Schema, v.SchemaPath)
	for _, e := range wrong {
		at[e.Path.String()] = true
	}
	find(SeverityError, wrong)
	if l.hasStatus(v) {
		find(SeverityError, statusErrors(v.Schema, v.SchemaPath))
	}
	// What is refused is not in s, and to say that it is missing would confuse.
	isNew := func(errs []*Error) []*Error {
		return slices.DeleteFunc(slices.Clone(errs), func(e *Error) bool { return at[e.Path.String()] })
	}
	find(severity, isNew(refused))
	for _, e := range refused {
		at[e.Path.String()] = true
	}
	broken := Validate(s, v.SchemaPath)
	if len(refused) > 0 {
		find(severity, isNew(broken))
	} else {
		find(severity, broken)
	}
	structural := len(refused) == 0 && len(broken) == 0
	if structural {
		defaults, whole := DefaultErrors(s, v.Schema, v.SchemaPath)
		find(SeverityError, defaults)
		full = full || !whole
	}
	if full {
		l.more(version, v.SchemaPath)
	}
	return structural
}

// hasStatus reports whether the root of the schema of v must fit a status that is a subresource. What is the same in all
// versions is checked once, and for all of them.
func (l *linter) hasStatus(v *Version) bool {
	others := slices.ContainsFunc(l.crd.Versions, func(v *Version) bool { return v.HasStatus })
	return v.HasStatus || others && (l.used[v.Schema] > 1 || l.crd.same != nil && l.crd.same().schemas)
}

// mustBeStructural reports whether Kubernetes refuses the CRD when a schema is not structural.
func (c *CRD) mustBeStructural() bool {
	if c.APIVersion == apiV1 || !c.PreserveUnknownFields {
		return true
	}
	for _, v := range c.Versions {
		if v.Schema != nil && v.Schema.any(func(s *JSONSchema) bool { return hasDefault(s) || hasExtension(s) }) {
			return true
		}
	}
	return false
}

func (l *linter) anySchema(has func(*JSONSchema) bool) bool {
	for s := range l.used {
		if s.any(has) {
			return true
		}
	}
	return false
}

func hasDefault(s *JSONSchema) bool { return s.Default != nil }

// hasExtension reports whether s uses a keyword that only structural schemas may use.
func hasExtension(s *JSONSchema) bool {
	for k, v := range keywordsOf(s) {
		if k.needsStructure && isSet(v) {
			return true
		}
	}
	return false
}
