package structural

import "github.com/prune-gen/prune-gen/internal/yamltext"

// Rule is the id of what a finding is about, from where it is found to where it is printed. Nothing is recognised by its text.
type Rule string

// The rule ids of this package. Those that begin with text/ are defined where texts are read.
const (
	RuleUnreadable Rule = "text/unreadable"

	RuleMore Rule = "crd/more-findings"

	RuleUnsupportedKeyword Rule = "schema/unsupported-keyword"
	RuleItemsArray         Rule = "schema/items-array"
	RulePreserveFalse      Rule = "schema/preserve-false"

	ruleTypeRequired      Rule = "structural/type-required"
	ruleRootTypeRequired  Rule = "structural/root-type-required"
	ruleRootType          Rule = "structural/root-type"
	ruleItemsRequired     Rule = "structural/items-required"
	ruleRootIsMap         Rule = "structural/root-additional-properties"
	ruleResourceIsMap     Rule = "structural/resource-additional-properties"
	ruleResourceType      Rule = "structural/resource-type"
	ruleResourceFields    Rule = "structural/resource-properties"
	ruleTypeMeta          Rule = "structural/type-meta"
	ruleMetadataType      Rule = "structural/metadata-type"
	ruleMetadata          Rule = "structural/metadata-restricted"
	ruleMetadataInJunctor Rule = "structural/metadata-in-junctor"
	ruleIntOrString       Rule = "structural/int-or-string"
	ruleForbidden         Rule = "structural/forbidden-in-junctor"
	RuleUnspecified       Rule = "structural/unspecified"
	ruleUnspecifiedBelow  Rule = "structural/unspecified-below-root"
	rulePattern           Rule = "structural/pattern"
)

// RuleInfo says what an id of findings means.
type RuleInfo struct {
	ID      Rule
	Summary string
	Hint    string // what to do about it, where that is the same for all findings
}

// Rules returns what is said about the rule ids of this package. Other packages have ids of their own.
func Rules() []RuleInfo {
	const typeHint = "add type: one of object, array, string, integer, number and boolean; for an integer or a string write " +
		"x-kubernetes-int-or-string: true instead, for any JSON x-kubernetes-preserve-unknown-fields: true"
	return []RuleInfo{
		{ID: RuleUnreadable, Summary: "The file cannot be read."},
		{ID: RuleMore, Summary: "Only the first findings are shown."},
		{ID: yamltext.RuleTooLarge, Summary: "The files of the run are too large."},
		{ID: yamltext.RuleTooDeep, Summary: "The document is nested too deeply."},
		{ID: yamltext.RuleSyntax, Summary: "The text is neither YAML nor JSON."},
		{ID: yamltext.RuleKey, Summary: "The keys of a map are strings."},
		{ID: yamltext.RuleTag, Summary: "A value fits its YAML tag."},
		{ID: yamltext.RuleNumber, Summary: "A number can be written in JSON."},
		{ID: yamltext.RuleAnchor, Summary: "An alias refers to an anchor before it."},
		{ID: yamltext.RuleMerge, Summary: "A merge key has a map or a list of maps."},
		{ID: yamltext.RuleDuplicateKey, Summary: "A map has a key only once."},
		{ID: yamltext.RuleReplacedKey, Summary: "A merge key does not replace a key above it."},
		{ID: RuleUnsupportedKeyword, Summary: "A CRD has only the keywords that Kubernetes supports."},
		{ID: RuleItemsArray, Summary: "All elements of a list have one schema.",
			Hint: "write one schema for all elements instead of a list, for example items: {type: string}"},
		{ID: RulePreserveFalse, Summary: "x-kubernetes-preserve-unknown-fields is true or absent.",
			Hint: "remove the line: unknown fields are dropped wherever it does not say true"},
		{ID: ruleTypeRequired, Summary: "Every field and every element has a type.", Hint: typeHint},
		{ID: ruleRootTypeRequired, Summary: "The root has a type.", Hint: "add type: object"},
		{ID: ruleRootType, Summary: "The root is an object.", Hint: "write type: object: a resource is one"},
		{ID: ruleItemsRequired, Summary: "A list has a schema for its elements.",
			Hint: "add the schema of the elements, for example items: {type: string}"},
		{ID: ruleRootIsMap, Summary: "The root has no additionalProperties.",
			Hint: "name the fields below properties; to keep the others, too, write " +
				"x-kubernetes-preserve-unknown-fields: true instead"},
		{ID: ruleResourceIsMap, Summary: "An embedded resource has no additionalProperties.",
			Hint: "remove additionalProperties: a resource has fields; to keep unknown ones write " +
				"x-kubernetes-preserve-unknown-fields: true"},
		{ID: ruleResourceType, Summary: "An embedded resource is an object.",
			Hint: "write type: object, or remove x-kubernetes-embedded-resource"},
		{ID: ruleResourceFields, Summary: "An embedded resource has properties or preserves unknown fields.",
			Hint: "add x-kubernetes-preserve-unknown-fields: true, or name the fields of the resource below properties"},
		{ID: ruleTypeMeta, Summary: "The apiVersion and the kind of a resource are strings.", Hint: "write type: string"},
		{ID: ruleMetadataType, Summary: "The metadata of a resource is an object.", Hint: "write type: object"},
		{ID: ruleMetadata, Summary: "A schema restricts nothing in metadata except name and generateName.",
			Hint: "reduce it to metadata: {type: object}, with schemas for name and generateName below properties at most"},
		{ID: ruleMetadataInJunctor, Summary: "Value validation does not name metadata.",
			Hint: "remove metadata below allOf, anyOf, oneOf and not; the name can be restricted below properties at the root"},
		{ID: ruleIntOrString, Summary: "An integer or a string is neither a resource nor preserves unknown fields.",
			Hint: "keep one of the two: an integer or a string has no fields"},
		{ID: ruleForbidden, Summary: "Below allOf, anyOf, oneOf and not there is only value validation."},
		{ID: RuleUnspecified, Summary: "Value validation names only what is specified outside of it.",
			Hint: "specify it there, with a type: value validation can only restrict what is specified outside of it"},
		{ID: ruleUnspecifiedBelow, Summary: "Value validation below the root names only what is specified, though Kubernetes does not check it.",
			Hint: "Kubernetes does not check this below the root, but pruning drops what is only named in value " +
				"validation: specify it there, with a type, or do not name it"},
		{ID: rulePattern, Summary: "A pattern is a regular expression of Go.",
			Hint: "correct the pattern: it is in the syntax of Go's regular expressions, which has no lookahead and no " +
				"backreferences"},
	}
}

// hints has what to do about the findings with an id, where that is the same for all of them.
var hints = func() map[Rule]string {
	all := map[Rule]string{}
	for _, r := range Rules() {
		all[r.ID] = r.Hint
	}
	return all
}()
