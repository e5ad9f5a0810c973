package crddiff

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/structural"
)

// The rules of changes.
const (
	RuleCRDRemoved   structural.Rule = "diff/crd-removed"
	RuleCRDAdded     structural.Rule = "diff/crd-added"
	RuleNames        structural.Rule = "diff/names"
	RuleScope        structural.Rule = "diff/scope"
	RuleConversion   structural.Rule = "diff/conversion"
	RuleVersion      structural.Rule = "diff/version"
	RuleStorage      structural.Rule = "diff/storage"
	RuleDeprecation  structural.Rule = "diff/deprecation"
	RuleSubresource  structural.Rule = "diff/subresource"
	RuleSchema       structural.Rule = "diff/schema"
	RuleFieldRemoved structural.Rule = "diff/field-removed"
	RuleFieldAdded   structural.Rule = "diff/field-added"
	RulePreserve     structural.Rule = "diff/preserve"
	RuleSpecified    structural.Rule = "diff/specified"
	RuleEmbedded     structural.Rule = "diff/embedded-resource"
	RuleType         structural.Rule = "diff/type"
	RuleNullable     structural.Rule = "diff/nullable"
	RuleDefault      structural.Rule = "diff/default"
	RuleRequired     structural.Rule = "diff/required"
	RuleEnum         structural.Rule = "diff/enum"
	RuleBound        structural.Rule = "diff/bound"
	RulePattern      structural.Rule = "diff/pattern"
	RuleFormat       structural.Rule = "diff/format"
	RuleAlternatives structural.Rule = "diff/alternatives"
	RuleListType     structural.Rule = "diff/list-type"
	RuleMapType      structural.Rule = "diff/map-type"
	RuleValidation   structural.Rule = "diff/validation-rule"
)

// Rules returns the rules of changes.
func Rules() []structural.RuleInfo {
	return []structural.RuleInfo{
		{ID: RuleCRDRemoved, Summary: "A CRD is gone."},
		{ID: RuleCRDAdded, Summary: "A CRD is new."},
		{ID: RuleNames, Summary: "A name of the resource has changed."},
		{ID: RuleScope, Summary: "The scope has changed."},
		{ID: RuleConversion, Summary: "The conversion between versions has changed."},
		{ID: RuleVersion, Summary: "A version is gone or new, or is served now, or no longer."},
		{ID: RuleStorage, Summary: "Objects are stored in another version."},
		{ID: RuleDeprecation, Summary: "The deprecation of a version has changed."},
		{ID: RuleSubresource, Summary: "A subresource has changed."},
		{ID: RuleSchema, Summary: "Schemas cannot be compared."},
		{ID: RuleFieldRemoved, Summary: "A field that was kept is dropped."},
		{ID: RuleFieldAdded, Summary: "A field that was dropped is kept."},
		{ID: RulePreserve, Summary: "Fields that are not specified are kept now, or dropped now."},
		{ID: RuleSpecified, Summary: "A field that was kept unspecified is specified, or the other way around."},
		{ID: RuleEmbedded, Summary: "An object has become an embedded resource, or is one no longer."},
		{ID: RuleType, Summary: "A type has changed."},
		{ID: RuleNullable, Summary: "A value may be null now, or no longer."},
		{ID: RuleDefault, Summary: "A default has changed."},
		{ID: RuleRequired, Summary: "A field has become required, or is required no longer."},
		{ID: RuleEnum, Summary: "The values of an enum have changed."},
		{ID: RuleBound, Summary: "A bound has changed."},
		{ID: RulePattern, Summary: "A pattern has changed."},
		{ID: RuleFormat, Summary: "A format has changed."},
		{ID: RuleAlternatives, Summary: "What allOf, anyOf, oneOf or not say has changed."},
		{ID: RuleListType, Summary: "The type of a list or the keys of its elements have changed."},
		{ID: RuleMapType, Summary: "The type of a map has changed."},
		{ID: RuleValidation, Summary: "A CEL rule has changed."},
	}
}

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
