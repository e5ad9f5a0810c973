package structural

import (
	"cmp"
	"slices"

	"github.com/prune-gen/prune-gen/structural/text"
)

// Lint returns what is to be said about the schemas of c, in the order of the file: everything that the conversion to a
// structural schema refuses, every structural rule that is broken, and what Kubernetes refuses about schemas that are
// missing and about preserveUnknownFields. A schema that serves several versions is spoken of once, and then the version
// is empty.
//
// What makes Kubernetes refuse the CRD is an error. A v1beta1 CRD may have a schema that is not structural, as long as
// nothing is pruned and neither defaults nor x-kubernetes- keywords are used: then Kubernetes only sets the condition
// NonStructuralSchema, and the finding is a warning. A warning is also what KEP-2335 forbids and Kubernetes overlooks.
func Lint(c *CRD) []Finding {
	l := linter{crd: c, used: map[*JSONSchema]int{}, index: map[*text.Node]map[string]*text.Entry{}}
	for _, v := range c.Versions {
		if v.Schema != nil {
			l.used[v.Schema]++
		}
	}
	l.preserveUnknownFields()
	severity := SeverityWarning
	if l.mustBeStructural() {
		severity = SeverityError
	}
	linted := map[*JSONSchema]bool{}
	for i, v := range c.Versions {
		if v.Schema == nil {
			l.missingSchema(i, v)
		} else if !linted[v.Schema] {
			linted[v.Schema] = true
			l.schema(v, severity)
		}
	}
	slices.SortStableFunc(l.findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Message, b.Message))
	})
	return l.findings
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
	return f
}

type linter struct {
	crd      *CRD
	used     map[*JSONSchema]int // how many versions have a schema
	findings []Finding
	index    map[*text.Node]map[string]*text.Entry
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
func (l *linter) schema(v *Version, severity Severity) {
	version := v.Name
	if l.used[v.Schema] > 1 {
		version = ""
	}
	s, refused := NewSchema(v.Schema, v.SchemaPath)
	at := map[string]bool{}
	for _, e := range refused {
		at[e.Path.String()] = true
		l.find(severity, version, e)
	}
	broken := Validate(s, v.SchemaPath)
	for _, e := range broken {
		// What is refused is not in s, and to say that it is missing would confuse.
		if !at[e.Path.String()] {
			l.find(severity, version, e)
		}
	}
	unknown := UnknownTypes(s, v.SchemaPath)
	for _, e := range unknown {
		l.find(SeverityError, version, e)
	}
	var overlooked collector
	overlooked.completenessBelowRoot(s, v.SchemaPath)
	sortErrors(overlooked.errs)
	for _, e := range overlooked.errs {
		e.Rule = RuleUnspecifiedBelow
		l.find(SeverityWarning, version, e)
	}
	if areFull(refused) || areFull(broken) || areFull(unknown) || overlooked.full {
		l.findings = append(l.findings, l.crd.finding(Finding{
			Rule: RuleMore, Version: version, Severity: SeverityWarning,
			Message: "there is more to say about this schema than is listed",
		}, v.SchemaPath, l.get))
	}
}

// mustBeStructural reports whether Kubernetes refuses the CRD when a schema is not structural.
func (l *linter) mustBeStructural() bool {
	return l.crd.APIVersion == apiV1 || !l.crd.PreserveUnknownFields || l.anySchema(hasDefault) || l.anySchema(hasExtension)
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
