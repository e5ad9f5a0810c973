package structural

import "strings"

// schemaKeywords are the keywords of a schema, for suggestions.
var schemaKeywords = []string{
	"id", "$schema", "$ref", "description", "type", "format", "title", "default", "maximum", "exclusiveMaximum", "minimum",
	"exclusiveMinimum", "maxLength", "minLength", "pattern", "maxItems", "minItems", "uniqueItems", "multipleOf", "enum",
	"maxProperties", "minProperties", "required", "items", "allOf", "oneOf", "anyOf", "not", "properties",
	"additionalProperties", "patternProperties", "dependencies", "additionalItems", "definitions", "externalDocs", "example",
	"nullable", "x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource", "x-kubernetes-int-or-string",
	"x-kubernetes-list-map-keys", "x-kubernetes-list-type", "x-kubernetes-map-type", "x-kubernetes-validations",
}

var validationRuleFields = []string{
	"rule", "message", "messageExpression", "reason", "fieldPath", "optionalOldSelf",
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
	if hint := didYouMean(key, schemaKeywords); hint != "" {
		return hint
	}
	if strings.HasPrefix(key, "x-") {
		return "Kubernetes drops extensions that are not its own"
	}
	return ""
}

// nearest returns didYouMean for the fields that are known.
func nearest(known []string) func(string) string {
	return func(key string) string { return didYouMean(key, known) }
}

// didYouMean names the one of known that key is a misspelling of, if any.
func didYouMean(key string, known []string) string {
	if len(key) > 64 {
		return ""
	}
	best, least := "", 3 // two mistakes are typing
	if len(key) <= 4 {
		least = 2
	}
	key = strings.ToLower(key)
	for _, k := range known {
		if distance := editDistance(key, strings.ToLower(k)); distance < least {
			best, least = k, distance
		}
	}
	if best == "" {
		return ""
	}
	return "did you mean " + best + "?"
}

// editDistance returns how many bytes have to be inserted, removed, replaced or swapped with the next one to make b of a.
func editDistance(a, b string) int {
	// Three rows of the table of distances between what a and b begin with.
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
