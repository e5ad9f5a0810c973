package lint

import "github.com/prune-gen/prune-gen/structural"

// The rule ids of this package. Its errors also have those of the packages that read and convert schemas.
const (
	ruleRemovedAPI            structural.Rule = "crd/removed-api-version"
	ruleNameMismatch          structural.Rule = "crd/name-mismatch"
	ruleListKind              structural.Rule = "crd/kind-is-list-kind"
	ruleScope                 structural.Rule = "crd/unknown-scope"
	ruleFirstVersion          structural.Rule = "crd/first-version"
	ruleTwoSchemas            structural.Rule = "crd/two-schemas"
	ruleMissingSchema         structural.Rule = "crd/missing-schema"
	rulePreserveUnknownFields structural.Rule = "crd/preserve-unknown-fields"
	rulePreserveDefaults      structural.Rule = "crd/preserve-with-defaults"
	rulePerVersion            structural.Rule = "crd/per-version"
	ruleDeprecation           structural.Rule = "crd/deprecation-warning"
	ruleConversion            structural.Rule = "crd/conversion"
	ruleColumn                structural.Rule = "crd/printer-column"
	ruleScale                 structural.Rule = "crd/scale"
	ruleSelectableField       structural.Rule = "crd/selectable-field"
	ruleMetadataValue         structural.Rule = "crd/metadata"
	ruleApproval              structural.Rule = "crd/approval"

	ruleUnknownType        structural.Rule = "schema/unknown-type"
	ruleRootNullable       structural.Rule = "schema/root-nullable"
	ruleRootWithStatus     structural.Rule = "schema/root-with-status"
	ruleStructOrMap        structural.Rule = "schema/properties-beside-map"
	ruleUniqueItems        structural.Rule = "schema/unique-items"
	ruleListType           structural.Rule = "schema/list-type"
	ruleListMapKeys        structural.Rule = "schema/list-map-keys"
	ruleMapType            structural.Rule = "schema/map-type"
	ruleCEL                structural.Rule = "schema/validation-rule"
	RuleCELExpression      structural.Rule = "schema/rule-expression"
	ruleCELOldSelf         structural.Rule = "schema/rule-old-self"
	ruleCELCost            structural.Rule = "schema/rule-cost"
	ruleResourceInMetadata structural.Rule = "schema/resource-in-metadata"
	ruleDefaultForbidden   structural.Rule = "schema/default-forbidden"
	ruleDefaultPruned      structural.Rule = "schema/default-pruned"
	ruleDefaultMetadata    structural.Rule = "schema/default-metadata"
	ruleDefaultInvalid     structural.Rule = "schema/default-invalid"
	ruleFormat             structural.Rule = "schema/unknown-format"
	ruleIdle               structural.Rule = "schema/idle-keyword"
	ruleUnion              structural.Rule = "schema/union"
	ruleOnlyOne            structural.Rule = "schema/only-one"

	ruleLossObject   structural.Rule = "loss/object"
	ruleLossElements structural.Rule = "loss/elements"
	ruleLossDefault  structural.Rule = "loss/default"
	ruleLossVersion  structural.Rule = "loss/version"
	ruleLossMore     structural.Rule = "loss/more"
)

// Rules returns what is said about the rule ids of this package.
func Rules() []structural.RuleInfo {
	return []structural.RuleInfo{
		{ID: ruleRemovedAPI, Summary: "No API server since Kubernetes 1.22 serves apiextensions.k8s.io/v1beta1.",
			Hint: "write the CRD as " + structural.APIVersionV1 + ", where each version has a schema of its own"},
		{ID: ruleNameMismatch, Summary: "A CRD is named after its plural and its group."},
		{ID: ruleListKind, Summary: "The kind of a list is not the kind of its elements."},
		{ID: ruleScope, Summary: "The scope is Cluster or Namespaced."},
		{ID: ruleFirstVersion, Summary: "The field spec.version names the first of spec.versions."},
		{ID: ruleTwoSchemas, Summary: "There is a schema for all versions or one for each.",
			Hint: "keep what spec has for all versions, or what the versions have"},
		{ID: ruleMissingSchema, Summary: "A version has a schema.",
			Hint: "describe the fields below schema.openAPIV3Schema; " +
				"to keep everything, write {type: object, x-kubernetes-preserve-unknown-fields: true} there"},
		{ID: rulePreserveUnknownFields, Summary: "A v1 CRD does not preserve unknown fields as a whole.",
			Hint: "remove preserveUnknownFields, and write x-kubernetes-preserve-unknown-fields: true " +
				"at the root of each schema and below it wherever unknown fields are to stay"},
		{ID: rulePreserveDefaults, Summary: "A CRD that preserves unknown fields has no defaults.",
			Hint: "write preserveUnknownFields: false, or remove default everywhere in the schemas"},
		{ID: rulePerVersion, Summary: "What is the same in all versions of a v1beta1 CRD is written once, in spec."},
		{ID: ruleDeprecation, Summary: "The warning of a deprecated version can be printed.",
			Hint: "write one short line of printable characters, beside deprecated: true"},
		{ID: ruleConversion, Summary: "Objects are not converted, or converted by a webhook.",
			Hint: "write strategy: None alone, or strategy: Webhook with a clientConfig and conversionReviewVersions: [v1]"},
		{ID: ruleColumn, Summary: "A printer column has a name, a type and a path."},
		{ID: ruleScale, Summary: "The paths of scale lead into spec and status."},
		{ID: ruleSelectableField, Summary: "A selectable field is a string, a boolean or an integer of the schema."},
		{ID: ruleMetadataValue, Summary: "Kubernetes accepts the labels, annotations and the rest of metadata."},
		{ID: ruleApproval, Summary: "A CRD in a group of Kubernetes is approved by the community."},
		{ID: ruleUnknownType, Summary: "A type is one that a value can have.",
			Hint: "use one of these types; what is an integer or a string has x-kubernetes-int-or-string: true and no type"},
		{ID: ruleRootNullable, Summary: "The root is not nullable.", Hint: "remove nullable: an object is never null"},
		{ID: ruleRootWithStatus, Summary: "Where the status is a subresource, the root has only the keywords that Kubernetes allows there.",
			Hint: "write type: object"},
		{ID: ruleStructOrMap, Summary: "An object has properties or additionalProperties.",
			Hint: "an object has named fields or is a map: keep one of the two"},
		{ID: ruleUniqueItems, Summary: "Lists are not compared element by element.", Hint: "write x-kubernetes-list-type: set instead"},
		{ID: ruleListType, Summary: "A list type fits the list and its elements.",
			Hint: "a list is atomic, a set of scalars or of atomic values, or a map of objects; without x-kubernetes-list-type it is atomic"},
		{ID: ruleListMapKeys, Summary: "The keys of a list that is a map are fields that every element has.",
			Hint: "write x-kubernetes-list-type: map, and below x-kubernetes-list-map-keys names of scalar fields of the elements that are required or have a default"},
		{ID: ruleMapType, Summary: "A map type fits an object.",
			Hint: "an object is granular or atomic; without x-kubernetes-map-type it is granular"},
		{ID: ruleCEL, Summary: "A CEL rule has an expression, and its other fields are valid.",
			Hint: "correct the CEL rule: rule is an expression, message one line, fieldPath a path to a field of the same schema"},
		{ID: RuleCELExpression, Summary: "A CEL rule compiles to a boolean, its messageExpression to a string.",
			Hint: "correct the expression; self is the value that the CEL rule's schema describes"},
		{ID: ruleCELOldSelf, Summary: "A CEL rule refers to oldSelf where values have an old value, and has optionalOldSelf only then.",
			Hint: "move the CEL rule to a schema whose values have an old value: above the list, or below x-kubernetes-list-type: map"},
		{ID: ruleCELCost, Summary: "CEL rules cost no more than Kubernetes allows, as estimated from the limits of the schema.",
			Hint: "write maxItems, maxProperties and maxLength for the lists, maps and strings that the CEL rule looks at, and for those around it"},
		{ID: ruleResourceInMetadata, Summary: "Metadata does not contain resources.",
			Hint: "remove x-kubernetes-embedded-resource"},
		{ID: ruleDefaultForbidden, Summary: "Fields that Kubernetes sets have no default.", Hint: "remove the default"},
		{ID: ruleDefaultPruned, Summary: "A default has no fields that its schema drops."},
		{ID: ruleDefaultMetadata, Summary: "A default does not break the metadata of a resource.",
			Hint: "write apiVersion, kind and metadata that Kubernetes takes, or remove the default"},
		{ID: ruleDefaultInvalid, Summary: "A default is a value that its schema allows.",
			Hint: "change the default or the schema: objects without a value here get the default"},
		{ID: ruleFormat, Summary: "Kubernetes ignores formats that it does not know."},
		{ID: ruleIdle, Summary: "Keywords of proposals do nothing in Kubernetes."},
		{ID: ruleUnion, Summary: "A union follows the rules of KEP-2335.", Hint: "give the union a discriminator, in a structural schema"},
		{ID: ruleOnlyOne, Summary: "A schema has only one of properties, additionalProperties and items."},
		{ID: ruleLossObject, Summary: "Unknown fields below this object are preserved."},
		{ID: ruleLossElements, Summary: "Unknown fields below these elements are preserved."},
		{ID: ruleLossDefault, Summary: "A default is not pruned.", Hint: "specify the fields, or leave them out of the default"},
		{ID: ruleLossVersion, Summary: "Every version keeps what the stored version keeps.",
			Hint: "add the fields to this version, too, or convert objects by a webhook that keeps them elsewhere"},
		{ID: ruleLossMore, Summary: "Only the first places in which data is lost are shown.",
			Hint: "run lint again when those above are done"},
	}
}

// hints has what to do about the errors with an id, where that is the same for all of them.
var hints = func() map[structural.Rule]string {
	all := map[structural.Rule]string{}
	for _, r := range Rules() {
		all[r.ID] = r.Hint
	}
	return all
}()
