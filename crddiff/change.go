package crddiff

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/kept"
	"github.com/prune-gen/prune-gen/structural"
)

// rules has the rules of changes.
var rules structural.RuleTable

var (
	ruleCRDRemoved   = rules.Add("diff/crd-removed", "A CRD is gone.")
	ruleCRDAdded     = rules.Add("diff/crd-added", "A CRD is new.")
	ruleNames        = rules.Add("diff/names", "A name of the resource has changed.")
	ruleScope        = rules.Add("diff/scope", "The scope has changed.")
	ruleConversion   = rules.Add("diff/conversion", "The conversion between versions has changed.")
	ruleVersion      = rules.Add("diff/version", "A version is gone or new, or is served now, or no longer.")
	ruleStorage      = rules.Add("diff/storage", "Objects are stored in another version.")
	ruleDeprecation  = rules.Add("diff/deprecation", "The deprecation of a version has changed.")
	ruleSubresource  = rules.Add("diff/subresource", "A subresource has changed.")
	ruleSchema       = rules.Add("diff/schema", "Schemas cannot be compared.")
	ruleFieldRemoved = rules.Add("diff/field-removed", "A field that was kept is dropped.")
	ruleFieldAdded   = rules.Add("diff/field-added", "A field that was dropped is kept.")
	rulePreserve     = rules.Add("diff/preserve", "Fields that are not specified are kept now, or dropped now.")
	ruleSpecified    = rules.Add("diff/specified", "A field that was kept unspecified is specified, or the other way around.")
	ruleEmbedded     = rules.Add("diff/embedded-resource", "An object has become an embedded resource, or is one no longer.")
	ruleType         = rules.Add("diff/type", "A type has changed.")
	ruleNullable     = rules.Add("diff/nullable", "A value may be null now, or no longer.")
	ruleDefault      = rules.Add("diff/default", "A default has changed.")
	ruleRequired     = rules.Add("diff/required", "A field has become required, or is required no longer.")
	ruleEnum         = rules.Add("diff/enum", "The values of an enum have changed.")
	ruleBound        = rules.Add("diff/bound", "A bound has changed.")
	rulePattern      = rules.Add("diff/pattern", "A pattern has changed.")
	ruleFormat       = rules.Add("diff/format", "A format has changed.")
	ruleAlternatives = rules.Add("diff/alternatives", "What allOf, anyOf, oneOf or not say has changed.")
	ruleListType     = rules.Add("diff/list-type", "The type of a list or the keys of its elements have changed.")
	ruleMapType      = rules.Add("diff/map-type", "The type of a map has changed.")
	ruleValidation   = rules.Add("diff/validation-rule", "A CEL rule has changed.")
)

// Rules returns every rule id of this package with what is said about it.
func Rules() []structural.RuleInfo { return rules }

// Change is a difference between two CRDs.
type Change struct {
	Rule structural.Rule
	// Breaking reports whether objects or clients that were fine with the old CRD are refused, lose data, or get other answers.
	Breaking bool
	// Version is the version that the change is about, "" for the whole CRD.
	Version string
	// At is where the new CRD says it, or would say it: in the old one for a CRD that is gone.
	At *structural.Path
	// Was is where the old CRD specifies a field that is gone, nil for other changes.
	Was *structural.Path
	// What has changed, and Why that breaks something or does not.
	What, Why string

	place *kept.Place // where objects differ, nil for what is not about a field
}

// Field returns the field of objects that the change is about, such as spec.ports[].name, or spec.env[*] for the values of a map. It is ""
// for the whole object, and for what is not about a field.
func (c Change) Field() string { return c.place.String() }

// String returns the change in one line.
func (c Change) String() string {
	subject := ""
	if c.place != nil {
		subject = c.Field() + ": "
	}
	return subject + c.What + "; " + c.Why
}

// sortChanges sorts by version and place, breaking changes of a place first.
func sortChanges(all []Change) {
	listed := map[*kept.Place]string{}
	for _, c := range all {
		if _, ok := listed[c.place]; !ok {
			listed[c.place] = c.place.Listed()
		}
	}
	slices.SortStableFunc(all, func(a, b Change) int {
		return cmp.Or(strings.Compare(a.Version, b.Version), strings.Compare(listed[a.place], listed[b.place]), compareBreaking(a, b))
	})
}

func compareBreaking(a, b Change) int {
	switch {
	case a.Breaking == b.Breaking:
		return 0
	case a.Breaking:
		return -1
	}
	return 1
}
