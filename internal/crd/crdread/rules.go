package crdread

import "github.com/prune-gen/prune-gen/structural"

// OneStorageVersion is the detail of the error that not exactly one version is stored, also if there are no versions.
const OneStorageVersion = "must have exactly one version marked as storage version"

// rules has the rule ids of this package. Lint has the exported ones, too.
var rules structural.RuleTable

var (
	rulePatch            = rules.Add("crd/patch", "A patch of a CRD is skipped.")
	ruleAPIVersion       = rules.Add("crd/unknown-api-version", "A CRD is of apiextensions.k8s.io/v1 or v1beta1.")
	ruleWrongType        = rules.Add("crd/wrong-type", "A field has the type that the API defines.")
	ruleUnknownField     = rules.Add("crd/unknown-field", "Kubernetes ignores fields that it does not know.")
	RuleMissing          = rules.Add("crd/required", "Required fields are set.")
	RuleName             = rules.Add("crd/invalid-name", "A name follows the rules for DNS names.")
	ruleDuplicateVersion = rules.Add("crd/duplicate-version", "Each version has a name of its own.")
	RuleStorageVersion   = rules.Add("crd/storage-version", "Exactly one version is stored.")
	ruleNoSchema         = rules.Add("schema/none", "The text contains a schema.")
	ruleSeveralSchemas   = rules.Add("schema/several", "The text contains one schema.")
	ruleUnknownKeyword   = rules.Add("schema/unknown-keyword", "Kubernetes ignores keywords that it does not know.")
	ruleKeyRead          = rules.Add("schema/key-not-string", "The keys of properties are strings to YAML.")
	ruleItemsIgnored     = rules.Add("schema/items-ignored", "The keyword items has a schema.")
)

// Rules returns every rule id of this package with what is said about it.
func Rules() []structural.RuleInfo { return rules }
