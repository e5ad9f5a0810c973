package load

import (
	"strings"

	"github.com/prune-gen/prune-gen/internal/spelling"
	"github.com/prune-gen/prune-gen/structural"
)

// suggested returns the keywords of the struct that p points to that can be suggested for a misspelt one.
func suggested(p any) []string {
	var names []string
	for k := range structural.Keywords(p) {
		if !k.NotKubernetes {
			names = append(names, k.Name)
		}
	}
	return names
}

// foreignKeywords are keywords of OpenAPI and JSON Schema that Kubernetes does not have, with what to write instead.
var foreignKeywords = map[string]string{
	"readOnly":              "Kubernetes ignores readOnly: put the field below status, or compare with oldSelf in x-kubernetes-validations",
	"writeOnly":             "Kubernetes ignores writeOnly: remove it",
	"deprecated":            "Kubernetes knows deprecated for versions only: say it in the description",
	"discriminator":         "Kubernetes ignores discriminator: use oneOf or x-kubernetes-validations",
	"xml":                   "Kubernetes ignores xml: remove it",
	"examples":              "write one value as example",
	"const":                 "write an enum with one value",
	"if":                    "write the condition as an x-kubernetes-validations rule",
	"then":                  "write the condition as an x-kubernetes-validations rule",
	"else":                  "write the condition as an x-kubernetes-validations rule",
	"contains":              "write it as an x-kubernetes-validations rule",
	"minContains":           "write it as an x-kubernetes-validations rule",
	"maxContains":           "write it as an x-kubernetes-validations rule",
	"propertyNames":         "write it as an x-kubernetes-validations rule",
	"dependentRequired":     "write it as an x-kubernetes-validations rule",
	"dependentSchemas":      "write it as an x-kubernetes-validations rule",
	"prefixItems":           "a list has one schema for all its elements in Kubernetes: use items",
	"unevaluatedItems":      "Kubernetes ignores unevaluatedItems: remove it",
	"unevaluatedProperties": "Kubernetes ignores unevaluatedProperties: unknown fields are pruned anyway",
	"contentEncoding":       "write format: byte for base64",
	"contentMediaType":      "Kubernetes ignores contentMediaType: remove it",
	"$id":                   "Kubernetes ignores $id: remove it",
	"$anchor":               "Kubernetes ignores $anchor: remove it",
	"$comment":              "use a YAML comment or the description",
	"$defs":                 "structural schemas have no references: write the schema out where it is used",
	"components":            "structural schemas have no references: write the schema out where it is used",
}

// keywordHint says what to do about a keyword that Kubernetes does not have.
func keywordHint(key string) string {
	if hint, ok := foreignKeywords[key]; ok {
		return hint
	}
	if hint := didYouMean(key, suggested(&structural.JSONSchema{})); hint != "" {
		return hint
	}
	if strings.HasPrefix(key, "x-") {
		return "Kubernetes drops extensions that are not its own"
	}
	return ""
}

// didYouMean names the one of known that key is a misspelling of, if any.
func didYouMean(key string, known []string) string {
	if best := spelling.Nearest(key, known); best != "" {
		return "did you mean " + best + "?"
	}
	return ""
}
