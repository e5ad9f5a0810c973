package manifest

import (
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// ids has the ids of the findings about manifests and the objects in them.
var ids structural.IDTable

var (
	IDNotObject       = ids.Add("manifest/not-an-object", "A document of a manifest is an object with an apiVersion and a kind.")
	IDUnknownKind     = ids.Add("manifest/unknown-kind", "There is a CRD for the kind of an object.")
	IDRejected        = ids.Add("manifest/rejected", "No object is of a kind that --reject names.")
	IDUnknownVersion  = ids.Add("manifest/unknown-version", "The CRD serves the version of an object.")
	IDResourceVersion = ids.Add("manifest/resource-version", "An object that is created has no resourceVersion.")
	IDOldRefused      = ids.Add("manifest/old-refused", "The API server would have accepted the old object of an update.")
	IDInPlace         = ids.Add("manifest/in-place", "The fields that are dropped can be removed from the text.")
	IDUnknownField    = ids.Add("object/unknown-field", "The API server drops fields that the schema does not specify.")
	IDDuplicateField  = ids.Add("object/duplicate-field", "Of a field that is set twice, the last one counts.")
	IDDeprecated      = ids.Add("object/deprecated-version", "The version of an object is not deprecated.")
	IDWarning         = ids.Add("object/warning", "The API server answers with another warning.")
	IDTooLarge        = ids.Add("object/too-large", "The API server takes requests of up to 3 MiB.")
	IDRefused         = ids.Add("object/refused", "The API server cannot read the object, or does not take it as it is.")
	IDInvalid         = ids.Add("object/invalid", "A value is what the schema allows.")
	IDType            = ids.Add("object/type", "A value has the type that the schema says.")
	IDRequired        = ids.Add("object/required", "Required fields are set.")
	IDNotSupported    = ids.Add("object/not-supported", "A value is one of those that the schema lists.")
	IDTooLong         = ids.Add("object/too-long", "A string is not longer than the schema allows.")
	IDTooMany         = ids.Add("object/too-many", "A list or a map does not have more elements than the schema allows.")
	IDDuplicateValue  = ids.Add("object/duplicate-value", "The elements of a set are different, and so are the keys of a list of type map.")
	IDForbidden       = ids.Add("object/forbidden", "A field that must not be set is not set.")
	IDNotFound        = ids.Add("object/not-found", "A value refers to something that exists.")
	IDOmitted         = ids.Add("object/more-errors", "Only the first errors of an object are shown.")
	IDNotChecked      = ids.Add("object/rules-not-checked", "The API server evaluates CEL rules if nothing else is wrong with an object.")
)

// IDs returns every id of this package with what is said about it.
func IDs() []structural.IDInfo { return ids }

// idFor returns the id for a type of error.
func idFor(typ prunert.ErrorType) structural.ID {
	switch typ {
	case prunert.ErrorTypeTypeInvalid:
		return IDType
	case prunert.ErrorTypeRequired:
		return IDRequired
	case prunert.ErrorTypeNotSupported:
		return IDNotSupported
	case prunert.ErrorTypeTooLong:
		return IDTooLong
	case prunert.ErrorTypeTooMany:
		return IDTooMany
	case prunert.ErrorTypeDuplicate:
		return IDDuplicateValue
	case prunert.ErrorTypeForbidden:
		return IDForbidden
	case prunert.ErrorTypeNotFound:
		return IDNotFound
	case prunert.ErrorTypeOmitted:
		return IDOmitted
	}
	return IDInvalid
}
