package structural

import "strings"

// Rule is the id of the rule that a finding is about. Findings are recognised by it, never by their text.
type Rule string

// RuleInfo describes a rule id.
type RuleInfo struct {
	ID      Rule
	Summary string
	Hint    string // what to do about it, if that is the same for all findings
}

const typeHint = "add type: one of object, array, string, integer, number and boolean; for an integer or a string write " +
	"x-kubernetes-int-or-string: true instead, for any JSON x-kubernetes-preserve-unknown-fields: true"

// rules has the rule ids of this package.
var rules RuleTable

var (
	RuleUnreadable         = rules.Add("text/unreadable", "The file cannot be read.")
	RuleMore               = rules.Add("crd/more-findings", "Only the first findings are shown.")
	RuleUnsupportedKeyword = rules.Add("schema/unsupported-keyword", "A CRD has only the keywords that Kubernetes supports.")
	RuleItemsArray         = rules.Add("schema/items-array", "All elements of a list have one schema.",
		"write one schema for all elements instead of a list, for example items: {type: string}")
	RulePreserveFalse = rules.Add("schema/preserve-false", "x-kubernetes-preserve-unknown-fields is true or absent.",
		"remove the line: unknown fields are dropped wherever it does not say true")
	ruleTypeRequired     = rules.Add("structural/type-required", "Every field and every element has a type.", typeHint)
	ruleRootTypeRequired = rules.Add("structural/root-type-required", "The root has a type.", "add type: object")
	ruleRootType         = rules.Add("structural/root-type", "The root is an object.", "write type: object: a resource is one")
	ruleItemsRequired    = rules.Add("structural/items-required", "A list has a schema for its elements.",
		"add the schema of the elements, for example items: {type: string}")
	ruleRootIsMap = rules.Add("structural/root-additional-properties", "The root has no additionalProperties.",
		"name the fields below properties; to keep the others, too, write "+
			"x-kubernetes-preserve-unknown-fields: true instead")
	ruleResourceIsMap = rules.Add("structural/resource-additional-properties", "An embedded resource has no additionalProperties.",
		"remove additionalProperties: a resource has fields; to keep unknown ones write "+
			"x-kubernetes-preserve-unknown-fields: true")
	ruleResourceType = rules.Add("structural/resource-type", "An embedded resource is an object.",
		"write type: object, or remove x-kubernetes-embedded-resource")
	ruleResourceFields = rules.Add("structural/resource-properties", "An embedded resource has properties or preserves unknown fields.",
		"add x-kubernetes-preserve-unknown-fields: true, or name the fields of the resource below properties")
	ruleTypeMeta     = rules.Add("structural/type-meta", "The apiVersion and the kind of a resource are strings.", "write type: string")
	ruleMetadataType = rules.Add("structural/metadata-type", "The metadata of a resource is an object.", "write type: object")
	ruleMetadata     = rules.Add("structural/metadata-restricted", "A schema restricts nothing in metadata except name and generateName.",
		"reduce it to metadata: {type: object}, with schemas for name and generateName below properties at most")
	ruleMetadataInJunctor = rules.Add("structural/metadata-in-junctor", "Value validation does not name metadata.",
		"remove metadata below allOf, anyOf, oneOf and not; the name can be restricted below properties at the root")
	ruleIntOrString = rules.Add("structural/int-or-string", "An integer or a string is neither a resource nor preserves unknown fields.",
		"keep one of the two: an integer or a string has no fields")
	ruleForbidden   = rules.Add("structural/forbidden-in-junctor", "Below allOf, anyOf, oneOf and not there is only value validation.")
	ruleUnspecified = rules.Add("structural/unspecified", "Value validation names only what is specified outside of it.",
		"specify it there, with a type: value validation can only restrict what is specified outside of it")
	ruleUnspecifiedBelow = rules.Add("structural/unspecified-below-root", "Value validation below the root names only what is specified, though Kubernetes does not check it.",
		"Kubernetes does not check this below the root, but pruning drops what is only named in value "+
			"validation: specify it there, with a type, or do not name it")
	rulePattern = rules.Add("structural/pattern", "A pattern is a regular expression of Go.",
		"correct the pattern: it is in the syntax of Go's regular expressions, which has no lookahead and no "+
			"backreferences")
)

// Rules returns every rule id of this package with what is said about it.
func Rules() []RuleInfo { return rules }

// RuleTable is the rule ids of a package, each with what is said about it. It is complete once the package is initialized.
type RuleTable []RuleInfo

// Add adds an id. The hint is given if what to do is the same for all findings.
func (t *RuleTable) Add(id Rule, summary string, hint ...string) Rule {
	*t = append(*t, RuleInfo{ID: id, Summary: summary, Hint: strings.Join(hint, "")})
	return id
}

// Hint returns the hint for the findings with an id, "" for none.
func (t RuleTable) Hint(id Rule) string {
	for _, r := range t {
		if r.ID == id {
			return r.Hint
		}
	}
	return ""
}
