package load

import "github.com/prune-gen/prune-gen/structural"

// The rule ids of this package. Lint has the exported ones, too.
const (
	rulePatch            structural.Rule = "crd/patch"
	ruleAPIVersion       structural.Rule = "crd/unknown-api-version"
	ruleWrongType        structural.Rule = "crd/wrong-type"
	ruleUnknownField     structural.Rule = "crd/unknown-field"
	RuleMissing          structural.Rule = "crd/required"
	RuleName             structural.Rule = "crd/invalid-name"
	ruleDuplicateVersion structural.Rule = "crd/duplicate-version"
	RuleStorageVersion   structural.Rule = "crd/storage-version"

	ruleNoSchema       structural.Rule = "schema/none"
	ruleSeveralSchemas structural.Rule = "schema/several"
	ruleUnknownKeyword structural.Rule = "schema/unknown-keyword"
	ruleItemsIgnored   structural.Rule = "schema/items-ignored"
)

// OneStorageVersion is the detail of the error about versions of which not exactly one is stored, also where there are none.
const OneStorageVersion = "must have exactly one version marked as storage version"

// Rules returns what is said about the rule ids of this package.
func Rules() []structural.RuleInfo {
	return []structural.RuleInfo{
		{ID: rulePatch, Summary: "A patch of a CRD is skipped."},
		{ID: ruleAPIVersion, Summary: "A CRD is of apiextensions.k8s.io/v1 or v1beta1."},
		{ID: ruleWrongType, Summary: "A field has the type that the API defines."},
		{ID: ruleUnknownField, Summary: "Kubernetes ignores fields that it does not know."},
		{ID: RuleMissing, Summary: "Required fields are set."},
		{ID: RuleName, Summary: "A name follows the rules for DNS names."},
		{ID: ruleDuplicateVersion, Summary: "Each version has a name of its own."},
		{ID: RuleStorageVersion, Summary: "Exactly one version is stored."},
		{ID: ruleNoSchema, Summary: "The text contains a schema."},
		{ID: ruleSeveralSchemas, Summary: "The text contains one schema."},
		{ID: ruleUnknownKeyword, Summary: "Kubernetes ignores keywords that it does not know."},
		{ID: ruleItemsIgnored, Summary: "The keyword items has a schema."},
	}
}
