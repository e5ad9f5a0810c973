package manifest

import (
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// The rules of the findings about manifests and the objects in them.
const (
	RuleNotObject       structural.Rule = "manifest/not-an-object"
	RuleUnknownKind     structural.Rule = "manifest/unknown-kind"
	RuleUnknownVersion  structural.Rule = "manifest/unknown-version"
	RuleResourceVersion structural.Rule = "manifest/resource-version"
	RuleInPlace         structural.Rule = "manifest/in-place"

	RuleUnknownField   structural.Rule = "object/unknown-field"
	RuleDuplicateField structural.Rule = "object/duplicate-field"
	RuleWarning        structural.Rule = "object/warning"
	RuleTooLarge       structural.Rule = "object/too-large"
	RuleRefused        structural.Rule = "object/refused"
	RuleInvalid        structural.Rule = "object/invalid"
	RuleType           structural.Rule = "object/type"
	RuleRequired       structural.Rule = "object/required"
	RuleNotSupported   structural.Rule = "object/not-supported"
	RuleTooLong        structural.Rule = "object/too-long"
	RuleTooMany        structural.Rule = "object/too-many"
	RuleDuplicateValue structural.Rule = "object/duplicate-value"
	RuleForbidden      structural.Rule = "object/forbidden"
	RuleNotFound       structural.Rule = "object/not-found"
	RuleOmitted        structural.Rule = "object/more-errors"
	RuleNotChecked     structural.Rule = "object/rules-not-checked"
)

// Rules returns every rule of this package.
func Rules() []structural.RuleInfo {
	return []structural.RuleInfo{
		{ID: RuleNotObject, Summary: "A document of a manifest is an object with an apiVersion and a kind."},
		{ID: RuleUnknownKind, Summary: "There is a CRD for the kind of an object."},
		{ID: RuleUnknownVersion, Summary: "The CRD serves the version of an object."},
		{ID: RuleResourceVersion, Summary: "An object that is created has no resourceVersion."},
		{ID: RuleInPlace, Summary: "The fields that are dropped can be removed from the text."},
		{ID: RuleUnknownField, Summary: "The API server drops fields that the schema does not specify."},
		{ID: RuleDuplicateField, Summary: "Of a field that is set twice, the last one counts."},
		{ID: RuleWarning, Summary: "The API server answers with a warning."},
		{ID: RuleTooLarge, Summary: "The API server takes requests of up to 3 MiB."},
		{ID: RuleRefused, Summary: "The API server cannot read the object, or does not take it as it is."},
		{ID: RuleInvalid, Summary: "A value is what the schema allows."},
		{ID: RuleType, Summary: "A value has the type that the schema says."},
		{ID: RuleRequired, Summary: "Required fields are set."},
		{ID: RuleNotSupported, Summary: "A value is one of those that the schema lists."},
		{ID: RuleTooLong, Summary: "A string is not longer than the schema allows."},
		{ID: RuleTooMany, Summary: "A list or a map does not have more elements than the schema allows."},
		{ID: RuleDuplicateValue, Summary: "The elements of a set are different, and so are the keys of a list of type map."},
		{ID: RuleForbidden, Summary: "A field that must not be set is not set."},
		{ID: RuleNotFound, Summary: "A value refers to something that exists."},
		{ID: RuleOmitted, Summary: "Only the first errors of an object are shown."},
		{ID: RuleNotChecked, Summary: "The API server evaluates CEL rules if nothing else is wrong with an object."},
	}
}

// ruleFor returns the rule for a type of error.
func ruleFor(typ prunert.ErrorType) structural.Rule {
	switch typ {
	case prunert.ErrorTypeTypeInvalid:
		return RuleType
	case prunert.ErrorTypeRequired:
		return RuleRequired
	case prunert.ErrorTypeNotSupported:
		return RuleNotSupported
	case prunert.ErrorTypeTooLong:
		return RuleTooLong
	case prunert.ErrorTypeTooMany:
		return RuleTooMany
	case prunert.ErrorTypeDuplicate:
		return RuleDuplicateValue
	case prunert.ErrorTypeForbidden:
		return RuleForbidden
	case prunert.ErrorTypeNotFound:
		return RuleNotFound
	case prunert.ErrorTypeOmitted:
		return RuleOmitted
	}
	return RuleInvalid
}
