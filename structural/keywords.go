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

// didYouMean names the one of known that key is a misspelling of, if any.
func didYouMean(key string, known []string) string {
	best, nearest := "", 3 // two changes are a typing mistake
	if len(key) <= 4 {
		nearest = 2
	}
	if len(key) > 64 {
		return ""
	}
	for _, k := range known {
		distance := editDistance(key, k)
		if strings.EqualFold(key, k) {
			distance = 0
		}
		if distance < nearest {
			best, nearest = k, distance
		}
	}
	if best == "" {
		return ""
	}
	return "did you mean " + best + "?"
}

// editDistance returns how many bytes have to be inserted, removed or replaced to make b of a.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
