package structural

import (
	"cmp"
	"slices"
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
	l := linter{crd: c, used: map[*JSONSchema]int{}, index: map[*node]map[string]*entry{}}
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

type linter struct {
	crd      *CRD
	used     map[*JSONSchema]int // how many versions have a schema
	findings []Finding
	index    map[*node]map[string]*entry
}

// get finds the key of a large map by an index: there can be many findings below one.
func (l *linter) get(n *node, key string) *entry {
	const few = 32
	if len(n.entries) < few {
		return n.get(key)
	}
	byKey, ok := l.index[n]
	if !ok {
		byKey = make(map[string]*entry, len(n.entries))
		for i := len(n.entries) - 1; i >= 0; i-- { // of duplicate keys the first counts, as elsewhere
			byKey[n.entries[i].key] = &n.entries[i]
		}
		l.index[n] = byKey
	}
	return byKey[key]
}

func (l *linter) find(severity Severity, version string, e *Error, hint string) {
	at := l.crd.locate(e.Path, l.get)
	l.findings = append(l.findings, Finding{
		File: at.File, Line: at.Line, Column: at.Column, CRD: l.crd.Name, Version: version, Severity: severity,
		Path: e.Path.String(), Message: e.Error(), Hint: hint,
	})
}

// preserveUnknownFields checks that field of the CRD, where it is true.
func (l *linter) preserveUnknownFields() {
	if !l.crd.PreserveUnknownFields {
		return
	}
	at := NewPath("spec", "preserveUnknownFields")
	if l.crd.APIVersion == apiV1 {
		l.find(SeverityError, "", &Error{Type: ErrorInvalid, Path: at, BadValue: true, Detail: "cannot set to true, " +
			"set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead"}, hintPreserve)
	}
	if l.anySchema(hasDefault) {
		l.find(SeverityError, "", &Error{Type: ErrorInvalid, Path: at, BadValue: true,
			Detail: "must be false in order to use defaults in the schema"}, hintPreserveDefaults)
	}
}

// missingSchema reports that the version at index i has no schema, where it has to have one.
func (l *linter) missingSchema(i int, v *Version) {
	e := &Error{Type: ErrorRequired, Path: versionSchemaPath(i)}
	switch {
	case l.crd.APIVersion == apiV1:
	case v.Pruned && v.Served:
		e.Detail = "because otherwise all fields are pruned"
	default:
		return
	}
	l.find(SeverityError, v.Name, e, hintMissingSchema)
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
		l.find(severity, version, e, hint(e))
	}
	broken := Validate(s, v.SchemaPath)
	for _, e := range broken {
		// What is refused is not in s, and to say that it is missing would confuse.
		if !at[e.Path.String()] {
			l.find(severity, version, e, hint(e))
		}
	}
	unknown := UnknownTypes(s, v.SchemaPath)
	for _, e := range unknown {
		l.find(SeverityError, version, e, hint(e))
	}
	var overlooked validator
	overlooked.completenessBelowRoot(s, v.SchemaPath)
	sortErrors(overlooked.errs)
	for _, e := range overlooked.errs {
		l.find(SeverityWarning, version, e, hintOverlooked)
	}
	if areFull(refused) || areFull(broken) || areFull(unknown) || overlooked.full {
		l.more(v, version)
	}
}

// more says that not everything is said. The errors are listed up to a limit.
func (l *linter) more(v *Version, version string) {
	at := l.crd.locate(v.SchemaPath, l.get)
	l.findings = append(l.findings, Finding{
		File: at.File, Line: at.Line, Column: at.Column, CRD: l.crd.Name, Version: version, Severity: SeverityWarning,
		Path: v.SchemaPath.String(), Message: "there is more to say about this schema than is listed",
	})
}

// mustBeStructural tells whether Kubernetes refuses the CRD when a schema is not structural.
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

// hasExtension leaves out x-kubernetes-map-type, as Kubernetes does.
func hasExtension(s *JSONSchema) bool {
	return s.XEmbeddedResource || s.XPreserveUnknownFields != nil || s.XIntOrString || len(s.XListMapKeys) > 0 ||
		s.XListType != nil || len(s.XValidations) > 0
}

// any tells whether f is true for s or a schema anywhere below it.
func (s *JSONSchema) any(f func(*JSONSchema) bool) bool {
	if s == nil {
		return false
	}
	if f(s) {
		return true
	}
	below := func(s *JSONSchema) bool { return s.any(f) }
	if s.Items != nil && (s.Items.Schema.any(f) || slices.ContainsFunc(s.Items.Schemas, below)) {
		return true
	}
	for _, junctor := range [][]*JSONSchema{s.AllOf, s.AnyOf, s.OneOf} {
		if slices.ContainsFunc(junctor, below) {
			return true
		}
	}
	for _, named := range []map[string]*JSONSchema{s.Properties, s.PatternProperties, s.Definitions} {
		for _, p := range named {
			if p.any(f) {
				return true
			}
		}
	}
	for _, additional := range []*JSONSchemaOrBool{s.AdditionalProperties, s.AdditionalItems} {
		if additional != nil && additional.Schema.any(f) {
			return true
		}
	}
	for _, d := range s.Dependencies {
		if d.Schema.any(f) {
			return true
		}
	}
	return s.Not.any(f)
}

// versionSchemaPath returns where the schema of the version at index i stands in a v1 CRD.
func versionSchemaPath(i int) *Path {
	return NewPath("spec", "versions").Index(i).Child("schema", "openAPIV3Schema")
}
