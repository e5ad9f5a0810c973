package lint

import "github.com/prune-gen/prune-gen/structural"

// ids has the ids of this package. Its errors also have those of the packages that read and convert schemas.
var ids structural.IDTable

var (
	idRemovedAPI = ids.Add("crd/removed-api-version", "No API server since Kubernetes 1.22 serves apiextensions.k8s.io/v1beta1.",
		"write the CRD as "+structural.APIVersionV1+", where each version has a schema of its own")
	idNameMismatch = ids.Add("crd/name-mismatch", "A CRD is named after its plural and its group.")
	idListKind     = ids.Add("crd/kind-is-list-kind", "The kind of a list is not the kind of its elements.")
	idScope        = ids.Add("crd/unknown-scope", "The scope is Cluster or Namespaced.")
	idFirstVersion = ids.Add("crd/first-version", "The field spec.version names the first of spec.versions.")
	idTwoSchemas   = ids.Add("crd/two-schemas", "There is a schema for all versions or one for each.",
		"keep what spec has for all versions, or what the versions have")
	idMissingSchema = ids.Add("crd/missing-schema", "A version has a schema.",
		"describe the fields below schema.openAPIV3Schema; "+
			"to keep everything, write {type: object, x-kubernetes-preserve-unknown-fields: true} there")
	idPreserveUnknownFields = ids.Add("crd/preserve-unknown-fields", "A v1 CRD does not preserve unknown fields as a whole.",
		"remove preserveUnknownFields, and write x-kubernetes-preserve-unknown-fields: true "+
			"at the root of each schema and below it wherever unknown fields are to stay")
	idPreserveDefaults = ids.Add("crd/preserve-with-defaults", "A CRD that preserves unknown fields has no defaults.",
		"write preserveUnknownFields: false, or remove default everywhere in the schemas")
	idPerVersion  = ids.Add("crd/per-version", "What is the same in all versions of a v1beta1 CRD is written once, in spec.")
	idDeprecation = ids.Add("crd/deprecation-warning", "The warning of a deprecated version can be printed.",
		"write one short line of printable characters, beside deprecated: true")
	idConversion = ids.Add("crd/conversion", "Objects are not converted, or converted by a webhook.",
		"write strategy: None alone, or strategy: Webhook with a clientConfig and conversionReviewVersions: [v1]")
	idColumn          = ids.Add("crd/printer-column", "A printer column has a name, a type and a path.")
	idScale           = ids.Add("crd/scale", "The paths of scale lead into spec and status.")
	idSelectableField = ids.Add("crd/selectable-field", "A selectable field is a string, a boolean or an integer of the schema.")
	idMetadataValue   = ids.Add("crd/metadata", "Kubernetes accepts the labels, annotations and the rest of metadata.")
	idApproval        = ids.Add("crd/approval", "A CRD in a group of Kubernetes is approved by the community.")
	idUnknownType     = ids.Add("schema/unknown-type", "A type is one that a value can have.",
		"use one of these types; what is an integer or a string has x-kubernetes-int-or-string: true and no type")
	idRootNullable   = ids.Add("schema/root-nullable", "The root is not nullable.", "remove nullable: an object is never null")
	idRootWithStatus = ids.Add("schema/root-with-status", "Where the status is a subresource, the root has only the keywords that Kubernetes allows there.",
		"write type: object")
	idStructOrMap = ids.Add("schema/properties-beside-map", "An object has properties or additionalProperties.",
		"an object has named fields or is a map: keep one of the two")
	idUniqueItems = ids.Add("schema/unique-items", "Lists are not compared element by element.",
		"write x-kubernetes-list-type: set instead")
	idListType = ids.Add("schema/list-type", "A list type fits the list and its elements.",
		"a list is atomic, a set of scalars or of atomic values, or a map of objects; without x-kubernetes-list-type it is atomic")
	idListMapKeys = ids.Add("schema/list-map-keys", "The keys of a list that is a map are fields that every element has.",
		"write x-kubernetes-list-type: map, and below x-kubernetes-list-map-keys names of scalar fields of the elements that are required or have a default")
	idMapType = ids.Add("schema/map-type", "A map type fits an object.",
		"an object is granular or atomic; without x-kubernetes-map-type it is granular")
	idCEL = ids.Add("schema/validation-rule", "A CEL rule has an expression, and its other fields are valid.",
		"correct the CEL rule: rule is an expression, message one line, fieldPath a path to a field of the same schema")
	IDCELExpression = ids.Add("schema/rule-expression", "A CEL rule compiles to a boolean, its messageExpression to a string.",
		"correct the expression; self is the value that the CEL rule's schema describes")
	idCELOldSelf = ids.Add("schema/rule-old-self", "A CEL rule refers to oldSelf where values have an old value, and has optionalOldSelf only then.",
		"move the CEL rule to a schema whose values have an old value: above the list, or below x-kubernetes-list-type: map")
	idCELCost = ids.Add("schema/rule-cost", "CEL rules cost no more than Kubernetes allows, as estimated from the limits of the schema.",
		"write maxItems, maxProperties and maxLength for the lists, maps and strings that the CEL rule looks at, and for those around it")
	idCELUnsupported = ids.Add("schema/rule-unsupported", "prune-gen evaluates every CEL rule that Kubernetes evaluates.",
		"write a value of CEL in place of the message; with it prune-gen does not answer as Kubernetes does")
	idCELFails = ids.Add("schema/rule-fails", "A CEL rule can be evaluated on all objects that its schema accepts.",
		"ask with has() or size() first, or make the field required or give it a default")
	idResourceInMetadata = ids.Add("schema/resource-in-metadata", "Metadata does not contain resources.",
		"remove x-kubernetes-embedded-resource")
	idDefaultForbidden = ids.Add("schema/default-forbidden", "Fields that Kubernetes sets have no default.", "remove the default")
	idDefaultPruned    = ids.Add("schema/default-pruned", "A default has no fields that its schema drops.")
	idDefaultMetadata  = ids.Add("schema/default-metadata", "A default does not break the metadata of a resource.",
		"write apiVersion, kind and metadata that Kubernetes takes, or remove the default")
	idDefaultInvalid = ids.Add("schema/default-invalid", "A default is a value that its schema allows.",
		"change the default or the schema: objects without a value here get the default")
	idFormat = ids.Add("schema/unknown-format", "Kubernetes ignores formats that it does not know.")
	idIdle   = ids.Add("schema/idle-keyword", "Keywords of proposals do nothing in Kubernetes.")
	idUnion  = ids.Add("schema/union", "A union follows the rules of KEP-2335.",
		"give the union a discriminator, in a structural schema")
	idOnlyOne      = ids.Add("schema/only-one", "A schema has only one of properties, additionalProperties and items.")
	idLossObject   = ids.Add("loss/object", "Unknown fields below this object are preserved.")
	idLossElements = ids.Add("loss/elements", "Unknown fields below these elements are preserved.")
	idLossDefault  = ids.Add("loss/default", "A default is not pruned.", "specify the fields, or leave them out of the default")
	idLossVersion  = ids.Add("loss/version", "Every version keeps what the stored version keeps.",
		"add the fields to this version, too, or convert objects by a webhook that keeps them elsewhere")
	idLossMore = ids.Add("loss/more", "Only the first places in which data is lost are shown.",
		"run lint again when those above are done")
	idRefused = ids.Add("kubernetes/refused", "All versions of Kubernetes that lint is asked about accept the CRD.")
	idIgnored = ids.Add("kubernetes/ignored", "No version of Kubernetes that lint is asked about ignores a part of the CRD.")
)

// IDs returns every id of this package with what is said about it.
func IDs() []structural.IDInfo { return ids }
