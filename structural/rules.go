package structural

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/yamltext"
)

// Rule identifies what a finding is about, from where it is found to where it is printed. Nothing is recognised by its text.
type Rule string

// The rules of this package. Those that begin with text/ are defined where texts are read.
const (
	RuleUnreadable Rule = "text/unreadable"
	RuleMore       Rule = "crd/more-findings"

	RulePatch                 Rule = "crd/patch"
	RuleAPIVersion            Rule = "crd/unknown-api-version"
	RuleWrongType             Rule = "crd/wrong-type"
	RuleUnknownField          Rule = "crd/unknown-field"
	RuleRemovedAPI            Rule = "crd/removed-api-version"
	RuleMissing               Rule = "crd/required"
	RuleName                  Rule = "crd/invalid-name"
	RuleNameMismatch          Rule = "crd/name-mismatch"
	RuleListKind              Rule = "crd/kind-is-list-kind"
	RuleScope                 Rule = "crd/unknown-scope"
	RuleDuplicateVersion      Rule = "crd/duplicate-version"
	RuleStorageVersion        Rule = "crd/storage-version"
	RuleFirstVersion          Rule = "crd/first-version"
	RuleTwoSchemas            Rule = "crd/two-schemas"
	RuleMissingSchema         Rule = "crd/missing-schema"
	RulePreserveUnknownFields Rule = "crd/preserve-unknown-fields"
	RulePreserveDefaults      Rule = "crd/preserve-with-defaults"

	RulePerVersion      Rule = "crd/per-version"
	RuleDeprecation     Rule = "crd/deprecation-warning"
	RuleConversion      Rule = "crd/conversion"
	RuleColumn          Rule = "crd/printer-column"
	RuleScale           Rule = "crd/scale"
	RuleSelectableField Rule = "crd/selectable-field"
	RuleMetadataValue   Rule = "crd/metadata"
	RuleApproval        Rule = "crd/approval"

	RuleNoSchema           Rule = "schema/none"
	RuleSeveralSchemas     Rule = "schema/several"
	RuleUnknownKeyword     Rule = "schema/unknown-keyword"
	RuleUnknownType        Rule = "schema/unknown-type"
	RuleItemsIgnored       Rule = "schema/items-ignored"
	RuleUnsupportedKeyword Rule = "schema/unsupported-keyword"
	RuleItemsArray         Rule = "schema/items-array"
	RulePreserveFalse      Rule = "schema/preserve-false"
	RuleRootNullable       Rule = "schema/root-nullable"
	RuleRootWithStatus     Rule = "schema/root-with-status"
	RuleStructOrMap        Rule = "schema/properties-beside-map"
	RuleUniqueItems        Rule = "schema/unique-items"
	RuleListType           Rule = "schema/list-type"
	RuleListMapKeys        Rule = "schema/list-map-keys"
	RuleMapType            Rule = "schema/map-type"
	RuleCEL                Rule = "schema/validation-rule"
	RuleCELExpression      Rule = "schema/rule-expression"
	RuleCELOldSelf         Rule = "schema/rule-old-self"
	RuleCELCost            Rule = "schema/rule-cost"
	RuleResourceInMetadata Rule = "schema/resource-in-metadata"
	RuleDefaultForbidden   Rule = "schema/default-forbidden"
	RuleDefaultPruned      Rule = "schema/default-pruned"
	RuleDefaultMetadata    Rule = "schema/default-metadata"
	RuleDefaultInvalid     Rule = "schema/default-invalid"
	RuleFormat             Rule = "schema/unknown-format"
	RuleIdle               Rule = "schema/idle-keyword"
	RuleUnion              Rule = "schema/union"
	RuleOnlyOne            Rule = "schema/only-one"

	RuleLossObject   Rule = "loss/object"
	RuleLossElements Rule = "loss/elements"
	RuleLossDefault  Rule = "loss/default"
	RuleLossVersion  Rule = "loss/version"
	RuleLossMore     Rule = "loss/more"

	RuleTypeRequired      Rule = "structural/type-required"
	RuleRootTypeRequired  Rule = "structural/root-type-required"
	RuleRootType          Rule = "structural/root-type"
	RuleItemsRequired     Rule = "structural/items-required"
	RuleRootIsMap         Rule = "structural/root-additional-properties"
	RuleResourceIsMap     Rule = "structural/resource-additional-properties"
	RuleResourceType      Rule = "structural/resource-type"
	RuleResourceFields    Rule = "structural/resource-properties"
	RuleTypeMeta          Rule = "structural/type-meta"
	RuleMetadataType      Rule = "structural/metadata-type"
	RuleMetadata          Rule = "structural/metadata-restricted"
	RuleMetadataInJunctor Rule = "structural/metadata-in-junctor"
	RuleIntOrString       Rule = "structural/int-or-string"
	RuleForbidden         Rule = "structural/forbidden-in-junctor"
	RuleUnspecified       Rule = "structural/unspecified"
	RuleUnspecifiedBelow  Rule = "structural/unspecified-below-root"
	RulePattern           Rule = "structural/pattern"

	RuleStructAndMap  Rule = "skeleton/properties-beside-map"
	RuleNoPruneFalse  Rule = "skeleton/no-prune-false"
	RuleNoPruneNested Rule = "skeleton/no-prune-nested"
)

// RuleInfo describes a rule to people.
type RuleInfo struct {
	ID      Rule
	Summary string
	// HelpURI is where to read more.
	HelpURI string

	Hint string // what to do about it, where that is the same for all findings
}

// Rules returns every rule, sorted by its identifier.
func Rules() []RuleInfo {
	return slices.Clone(ruleTable)
}

// Info returns what the table has about a rule. Rules of other packages are not in it.
func (r Rule) Info() RuleInfo {
	i, ok := slices.BinarySearchFunc(ruleTable, r, func(info RuleInfo, id Rule) int { return cmp.Compare(info.ID, id) })
	if !ok {
		return RuleInfo{ID: r}
	}
	return ruleTable[i]
}

// ruleTable has every rule, sorted.
var ruleTable = func() []RuleInfo {
	const typeHint = "add type: one of object, array, string, integer, number and boolean; for an integer or a string write " +
		"x-kubernetes-int-or-string: true instead, for any JSON x-kubernetes-preserve-unknown-fields: true"
	rules := []RuleInfo{
		{ID: RuleUnreadable, Summary: "The file cannot be read."},
		{ID: RuleMore, Summary: "Only the first findings are shown."},
		{ID: yamltext.RuleTooLarge, Summary: "The files of the run are too large."},
		{ID: yamltext.RuleTooDeep, Summary: "The document is nested too deeply."},
		{ID: yamltext.RuleAliases, Summary: "The aliases of the file expand to too many nodes."},
		{ID: yamltext.RuleDirectives, Summary: "The document has too many directives."},
		{ID: yamltext.RuleSyntax, Summary: "The text is neither YAML nor JSON."},
		{ID: yamltext.RuleKey, Summary: "The keys of a map are strings."},
		{ID: yamltext.RuleTag, Summary: "A value fits its YAML tag."},
		{ID: yamltext.RuleNumber, Summary: "A number can be written in JSON."},
		{ID: yamltext.RuleAnchor, Summary: "An alias refers to an anchor before it."},
		{ID: yamltext.RuleMerge, Summary: "A merge key has a map or a list of maps."},
		{ID: yamltext.RuleDuplicateKey, Summary: "A map has a key only once."},
		{ID: yamltext.RuleReplacedKey, Summary: "A merge key does not replace a key above it."},

		{ID: RulePatch, Summary: "A patch of a CRD is skipped.",
			Hint: "it looks like a patch: render it first, for example with kustomize build"},
		{ID: RuleAPIVersion, Summary: "A CRD is of apiextensions.k8s.io/v1 or v1beta1.", Hint: "write apiVersion: " + APIVersionV1},
		{ID: RuleRemovedAPI, Summary: "No API server since Kubernetes 1.22 serves apiextensions.k8s.io/v1beta1.",
			Hint: "write the CRD as " + APIVersionV1 + ", where each version has a schema of its own"},
		{ID: RuleWrongType, Summary: "A field has the type that the API defines."},
		{ID: RuleUnknownField, Summary: "Kubernetes ignores fields that it does not know."},
		{ID: RuleMissing, Summary: "Required fields are set."},
		{ID: RuleName, Summary: "A name follows the rules for DNS names."},
		{ID: RuleNameMismatch, Summary: "A CRD is named after its plural and its group."},
		{ID: RuleListKind, Summary: "The kind of a list is not the kind of its elements."},
		{ID: RuleScope, Summary: "The scope is Cluster or Namespaced."},
		{ID: RuleDuplicateVersion, Summary: "Each version has a name of its own."},
		{ID: RuleStorageVersion, Summary: "Exactly one version is stored.",
			Hint: "write storage: true in one version and storage: false in the others"},
		{ID: RuleFirstVersion, Summary: "The field spec.version names the first of spec.versions."},
		{ID: RuleTwoSchemas, Summary: "There is a schema for all versions or one for each.",
			Hint: "keep what spec has for all versions, or what the versions have"},
		{ID: RuleMissingSchema, Summary: "A version has a schema.",
			Hint: "describe the fields below schema.openAPIV3Schema; " +
				"to keep everything, write {type: object, x-kubernetes-preserve-unknown-fields: true} there"},
		{ID: RulePreserveUnknownFields, Summary: "A v1 CRD does not preserve unknown fields as a whole.",
			Hint: "remove preserveUnknownFields, and write x-kubernetes-preserve-unknown-fields: true " +
				"at the root of each schema and below it wherever unknown fields are to stay"},
		{ID: RulePreserveDefaults, Summary: "A CRD that preserves unknown fields has no defaults.",
			Hint: "write preserveUnknownFields: false, or remove default everywhere in the schemas"},

		{ID: RulePerVersion, Summary: "What is the same in all versions of a v1beta1 CRD is written once, in spec."},
		{ID: RuleDeprecation, Summary: "The warning of a deprecated version can be printed.",
			Hint: "write one short line of printable characters, beside deprecated: true"},
		{ID: RuleConversion, Summary: "Objects are not converted, or converted by a webhook.",
			Hint: "write strategy: None alone, or strategy: Webhook with a clientConfig and conversionReviewVersions: [v1]"},
		{ID: RuleColumn, Summary: "A printer column has a name, a type and a path."},
		{ID: RuleScale, Summary: "The paths of scale lead into spec and status."},
		{ID: RuleSelectableField, Summary: "A selectable field is a string, a boolean or an integer of the schema."},
		{ID: RuleMetadataValue, Summary: "Kubernetes accepts the labels, annotations and the rest of metadata."},
		{ID: RuleApproval, Summary: "A CRD in a group of Kubernetes is approved by the community."},

		{ID: RuleNoSchema, Summary: "The text contains a schema."},
		{ID: RuleSeveralSchemas, Summary: "The text contains one schema."},
		{ID: RuleUnknownKeyword, Summary: "Kubernetes ignores keywords that it does not know."},
		{ID: RuleUnknownType, Summary: "A type is one that a value can have.",
			Hint: "use one of these types; what is an integer or a string has x-kubernetes-int-or-string: true and no type"},
		{ID: RuleItemsIgnored, Summary: "The keyword items has a schema.", Hint: "Kubernetes reads this as items without a schema"},
		{ID: RuleUnsupportedKeyword, Summary: "A CRD has only the keywords that Kubernetes supports."},
		{ID: RuleItemsArray, Summary: "All elements of a list have one schema.",
			Hint: "write one schema for all elements instead of a list, for example items: {type: string}"},
		{ID: RulePreserveFalse, Summary: "x-kubernetes-preserve-unknown-fields is true or absent.",
			Hint: "remove the line: unknown fields are dropped wherever it does not say true"},

		{ID: RuleRootNullable, Summary: "The root is not nullable.", Hint: "remove nullable: an object is never null"},
		{ID: RuleRootWithStatus, Summary: "Where the status is a subresource, the root has only the keywords that Kubernetes allows there.",
			Hint: "write type: object"},
		{ID: RuleStructOrMap, Summary: "An object has properties or additionalProperties.",
			Hint: "an object has named fields or is a map: keep one of the two"},
		{ID: RuleUniqueItems, Summary: "Lists are not compared element by element.", Hint: "write x-kubernetes-list-type: set instead"},
		{ID: RuleListType, Summary: "A list type fits the list and its elements.",
			Hint: "a list is atomic, a set of scalars or of atomic values, or a map of objects; without x-kubernetes-list-type it is atomic"},
		{ID: RuleListMapKeys, Summary: "The keys of a list that is a map are fields that every element has.",
			Hint: "write x-kubernetes-list-type: map, and below x-kubernetes-list-map-keys names of scalar fields of the elements that are required or have a default"},
		{ID: RuleMapType, Summary: "A map type fits an object.",
			Hint: "an object is granular or atomic; without x-kubernetes-map-type it is granular"},
		{ID: RuleCEL, Summary: "A CEL rule has an expression, and its other fields are valid.",
			Hint: "correct the rule: rule is an expression, message one line, fieldPath a path to a field of the same schema"},
		{ID: RuleCELExpression, Summary: "A CEL rule compiles to a boolean, its messageExpression to a string.",
			Hint: "correct the expression; self is the value that the rule's schema describes"},
		{ID: RuleCELOldSelf, Summary: "A CEL rule refers to oldSelf where values have an old value, and has optionalOldSelf only then.",
			Hint: "move the rule to a schema whose values have an old value: above the list, or below x-kubernetes-list-type: map"},
		{ID: RuleCELCost, Summary: "CEL rules cost no more than Kubernetes allows, as estimated from the limits of the schema.",
			Hint: "write maxItems, maxProperties and maxLength for the lists, maps and strings that the rule looks at, and for those around it"},
		{ID: RuleResourceInMetadata, Summary: "Metadata does not contain resources.",
			Hint: "remove x-kubernetes-embedded-resource"},
		{ID: RuleDefaultForbidden, Summary: "Fields that Kubernetes sets have no default.", Hint: "remove the default"},
		{ID: RuleDefaultPruned, Summary: "A default has no fields that its schema drops."},
		{ID: RuleDefaultMetadata, Summary: "A default does not break the metadata of a resource.",
			Hint: "write apiVersion, kind and metadata that Kubernetes takes, or remove the default"},
		{ID: RuleDefaultInvalid, Summary: "A default is a value that its schema allows.",
			Hint: "change the default or the schema: objects without a value here get the default"},
		{ID: RuleFormat, Summary: "Kubernetes ignores formats that it does not know."},
		{ID: RuleIdle, Summary: "Keywords of proposals do nothing in Kubernetes."},
		{ID: RuleUnion, Summary: "A union follows the rules of KEP-2335.", Hint: "give the union a discriminator, in a structural schema"},
		{ID: RuleOnlyOne, Summary: "A schema has only one of properties, additionalProperties and items."},

		{ID: RuleLossObject, Summary: "Unknown fields below this object are preserved."},
		{ID: RuleLossElements, Summary: "Unknown fields below these elements are preserved."},
		{ID: RuleLossDefault, Summary: "A default is not pruned.", Hint: "specify the fields, or leave them out of the default"},
		{ID: RuleLossVersion, Summary: "Every version keeps what the stored version keeps.",
			Hint: "add the fields to this version, too, or convert objects by a webhook that keeps them elsewhere"},
		{ID: RuleLossMore, Summary: "Only the first places in which data is lost are shown.",
			Hint: "run lint again when those above are done"},

		{ID: RuleTypeRequired, Summary: "Every field and every element has a type.", Hint: typeHint},
		{ID: RuleRootTypeRequired, Summary: "The root has a type.", Hint: "add type: object"},
		{ID: RuleRootType, Summary: "The root is an object.", Hint: "write type: object: a resource is one"},
		{ID: RuleItemsRequired, Summary: "A list has a schema for its elements.",
			Hint: "add the schema of the elements, for example items: {type: string}"},
		{ID: RuleRootIsMap, Summary: "The root has no additionalProperties.",
			Hint: "name the fields below properties; to keep the others, too, write " +
				"x-kubernetes-preserve-unknown-fields: true instead"},
		{ID: RuleResourceIsMap, Summary: "An embedded resource has no additionalProperties.",
			Hint: "remove additionalProperties: a resource has fields; to keep unknown ones write " +
				"x-kubernetes-preserve-unknown-fields: true"},
		{ID: RuleResourceType, Summary: "An embedded resource is an object.",
			Hint: "write type: object, or remove x-kubernetes-embedded-resource"},
		{ID: RuleResourceFields, Summary: "An embedded resource has properties or preserves unknown fields.",
			Hint: "add x-kubernetes-preserve-unknown-fields: true, or name the fields of the resource below properties"},
		{ID: RuleTypeMeta, Summary: "The apiVersion and the kind of a resource are strings.", Hint: "write type: string"},
		{ID: RuleMetadataType, Summary: "The metadata of a resource is an object.", Hint: "write type: object"},
		{ID: RuleMetadata, Summary: "A schema restricts nothing in metadata except name and generateName.",
			Hint: "reduce it to metadata: {type: object}, with schemas for name and generateName below properties at most"},
		{ID: RuleMetadataInJunctor, Summary: "Value validation does not name metadata.",
			Hint: "remove metadata below allOf, anyOf, oneOf and not; the name can be restricted below properties at the root"},
		{ID: RuleIntOrString, Summary: "An integer or a string is neither a resource nor preserves unknown fields.",
			Hint: "keep one of the two: an integer or a string has no fields"},
		{ID: RuleForbidden, Summary: "Below allOf, anyOf, oneOf and not there is only value validation."},
		{ID: RuleUnspecified, Summary: "Value validation names only what is specified outside of it.",
			Hint: "specify it there, with a type: value validation can only restrict what is specified outside of it"},
		{ID: RuleUnspecifiedBelow, Summary: "Value validation below the root names only what is specified, though Kubernetes does not check it.",
			Hint: "Kubernetes does not check this below the root, but pruning drops what is only named in value " +
				"validation: specify it there, with a type, or do not name it"},
		{ID: RulePattern, Summary: "A pattern is a regular expression of Go.",
			Hint: "correct the pattern: it is in the syntax of Go's regular expressions, which has no lookahead and no " +
				"backreferences"},

		{ID: RuleStructAndMap, Summary: "A skeleton has properties or the schema of a map."},
		{ID: RuleNoPruneFalse, Summary: "x-kubernetes-no-prune is true or absent."},
		{ID: RuleNoPruneNested, Summary: "x-kubernetes-no-prune is not used below another one."},
	}
	for i := range rules {
		rules[i].HelpURI = helpURI(rules[i].ID)
	}
	slices.SortFunc(rules, func(a, b RuleInfo) int { return cmp.Compare(a.ID, b.ID) })
	return rules
}()

// helpURI returns the page about all the rules of one kind.
func helpURI(r Rule) string {
	const (
		crds        = "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/"
		definitions = "https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1/"
		skeletons   = "https://github.com/kubernetes/enhancements/tree/master/keps/sig-api-machinery/2332-pruning-for-custom-resources"
	)
	switch kind, _, _ := strings.Cut(string(r), "/"); kind {
	case "structural", "schema", "loss":
		return crds + "#specifying-a-structural-schema"
	case "skeleton":
		return skeletons
	}
	return definitions
}
