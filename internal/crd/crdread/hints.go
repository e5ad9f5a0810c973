package crdread

import (
	"maps"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/base/keyword"
	"github.com/prune-gen/prune-gen/internal/text/spelling"
	"github.com/prune-gen/prune-gen/structural"
)

// suggested returns those keywords of the struct p points to that can be suggested for a misspelt one.
func suggested(p any) []string {
	var names []string
	for k := range keyword.All(p) {
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

// didYouMean names the one of known that key probably misspells, if any.
func didYouMean(key string, known []string) string {
	if best := spelling.Nearest(key, known); best != "" {
		return "did you mean " + best + "?"
	}
	return ""
}

// fieldHint says what to do about an unknown field of the object at a path. The schema s describes that object.
func fieldHint(key string, at *structural.Path, s *structural.Schema) string {
	switch at.Name() {
	case "spec":
		if hint := specHint(key); hint != "" {
			return hint
		}
	case "schema", "validation":
		if slices.Contains(suggested(&structural.JSONSchema{}), key) {
			return "the schema itself goes below openAPIV3Schema"
		}
	}
	return didYouMean(key, slices.Sorted(maps.Keys(s.Properties)))
}

// specHint says where a field of v1beta1 has moved in v1, for those who changed only the apiVersion.
func specHint(key string) string {
	switch key {
	case "version":
		return "in " + structural.APIVersionV1 + " list the version in spec.versions"
	case "validation":
		return "in " + structural.APIVersionV1 + " each version has its own schema: move this to spec.versions[*].schema"
	case "subresources", "additionalPrinterColumns", "selectableFields":
		return "in " + structural.APIVersionV1 + " each version has its own: move this to spec.versions[*]." + key
	}
	return ""
}
