package crddiff

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/structural"
)

// rules has the rules of changes.
var rules structural.RuleTable

var (
	RuleCRDRemoved   = rules.Add("diff/crd-removed", "A CRD is gone.")
	RuleCRDAdded     = rules.Add("diff/crd-added", "A CRD is new.")
	RuleNames        = rules.Add("diff/names", "A name of the resource has changed.")
	RuleScope        = rules.Add("diff/scope", "The scope has changed.")
	RuleConversion   = rules.Add("diff/conversion", "The conversion between versions has changed.")
	RuleVersion      = rules.Add("diff/version", "A version is gone or new, or is served now, or no longer.")
	RuleStorage      = rules.Add("diff/storage", "Objects are stored in another version.")
	RuleDeprecation  = rules.Add("diff/deprecation", "The deprecation of a version has changed.")
	RuleSubresource  = rules.Add("diff/subresource", "A subresource has changed.")
	RuleSchema       = rules.Add("diff/schema", "Schemas cannot be compared.")
	RuleFieldRemoved = rules.Add("diff/field-removed", "A field that was kept is dropped.")
	RuleFieldAdded   = rules.Add("diff/field-added", "A field that was dropped is kept.")
	RulePreserve     = rules.Add("diff/preserve", "Fields that are not specified are kept now, or dropped now.")
	RuleSpecified    = rules.Add("diff/specified", "A field that was kept unspecified is specified, or the other way around.")
	RuleEmbedded     = rules.Add("diff/embedded-resource", "An object has become an embedded resource, or is one no longer.")
	RuleType         = rules.Add("diff/type", "A type has changed.")
	RuleNullable     = rules.Add("diff/nullable", "A value may be null now, or no longer.")
	RuleDefault      = rules.Add("diff/default", "A default has changed.")
	RuleRequired     = rules.Add("diff/required", "A field has become required, or is required no longer.")
	RuleEnum         = rules.Add("diff/enum", "The values of an enum have changed.")
	RuleBound        = rules.Add("diff/bound", "A bound has changed.")
	RulePattern      = rules.Add("diff/pattern", "A pattern has changed.")
	RuleFormat       = rules.Add("diff/format", "A format has changed.")
	RuleAlternatives = rules.Add("diff/alternatives", "What allOf, anyOf, oneOf or not say has changed.")
	RuleListType     = rules.Add("diff/list-type", "The type of a list or the keys of its elements have changed.")
	RuleMapType      = rules.Add("diff/map-type", "The type of a map has changed.")
	RuleValidation   = rules.Add("diff/validation-rule", "A CEL rule has changed.")
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
	// Place is where objects differ, nil for what is not about a field.
	Place *Place
	// At is where the new CRD says it, or would say it.
	At *structural.Path
	// What has changed, and Why that breaks something or does not.
	What, Why string
}

// String returns the change in one line.
func (c Change) String() string {
	subject := ""
	if c.Place != nil {
		subject = c.Place.String() + ": "
	}
	return subject + c.What + "; " + c.Why
}

// sortChanges sorts by version and place, breaking changes of a place first.
func sortChanges(all []Change) {
	listed := map[*Place]string{}
	for _, c := range all {
		if _, ok := listed[c.Place]; !ok {
			listed[c.Place] = c.Place.Listed()
		}
	}
	slices.SortStableFunc(all, func(a, b Change) int {
		return cmp.Or(strings.Compare(a.Version, b.Version), strings.Compare(listed[a.Place], listed[b.Place]), compareBreaking(a, b))
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
