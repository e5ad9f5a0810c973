package manifest

import (
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// rules has the rules of the findings about manifests and the objects in them.
var rules structural.RuleTable

var (
	RuleNotObject       = rules.Add("manifest/not-an-object", "A document of a manifest is an object with an apiVersion and a kind.")
	RuleUnknownKind     = rules.Add("manifest/unknown-kind", "There is a CRD for the kind of an object.")
	RuleRejected        = rules.Add("manifest/rejected", "No object is of a kind that --reject names.")
	RuleUnknownVersion  = rules.Add("manifest/unknown-version", "The CRD serves the version of an object.")
	RuleResourceVersion = rules.Add("manifest/resource-version", "An object that is created has no resourceVersion.")
	RuleOldRefused      = rules.Add("manifest/old-refused", "The API server would have accepted the old object of an update.")
	RuleInPlace         = rules.Add("manifest/in-place", "The fields that are dropped can be removed from the text.")
	RuleUnknownField    = rules.Add("object/unknown-field", "The API server drops fields that the schema does not specify.")
	RuleDuplicateField  = rules.Add("object/duplicate-field", "Of a field that is set twice, the last one counts.")
	RuleDeprecated      = rules.Add("object/deprecated-version", "The version of an object is not deprecated.")
	RuleWarning         = rules.Add("object/warning", "The API server answers with another warning.")
	RuleTooLarge        = rules.Add("object/too-large", "The API server takes requests of up to 3 MiB.")
	RuleRefused         = rules.Add("object/refused", "The API server cannot read the object, or does not take it as it is.")
	RuleInvalid         = rules.Add("object/invalid", "A value is what the schema allows.")
	RuleType            = rules.Add("object/type", "A value has the type that the schema says.")
	RuleRequired        = rules.Add("object/required", "Required fields are set.")
	RuleNotSupported    = rules.Add("object/not-supported", "A value is one of those that the schema lists.")
	RuleTooLong         = rules.Add("object/too-long", "A string is not longer than the schema allows.")
	RuleTooMany         = rules.Add("object/too-many", "A list or a map does not have more elements than the schema allows.")
	RuleDuplicateValue  = rules.Add("object/duplicate-value", "The elements of a set are different, and so are the keys of a list of type map.")
	RuleForbidden       = rules.Add("object/forbidden", "A field that must not be set is not set.")
	RuleNotFound        = rules.Add("object/not-found", "A value refers to something that exists.")
	RuleOmitted         = rules.Add("object/more-errors", "Only the first errors of an object are shown.")
	RuleNotChecked      = rules.Add("object/rules-not-checked", "The API server evaluates CEL rules if nothing else is wrong with an object.")
)

// Rules returns every rule id of this package with what is said about it.
func Rules() []structural.RuleInfo { return rules }

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
