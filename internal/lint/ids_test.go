package lint_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/listed"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/crd/skeleton"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/internal/text/report"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
)

// allIDs are the ids of the packages that read and check CRDs.
var allIDs = slices.Concat(structural.IDs(), report.IDs(), crdread.IDs(), lint.IDs(), skeleton.IDs())

// TestEveryRuleIsFound has an input for each rule, under the rule it is for.
func TestEveryRuleIsFound(t *testing.T) {
	change := func(old, new string) string {
		return strings.Replace(structuraltest.CRDWith("type: object"), old, new, 1)
	}
	file := map[structural.ID]string{
		"text/too-large":          strings.Repeat(":", meter.Work+1),
		"text/too-deep":           strings.Repeat("[", 600) + strings.Repeat("]", 600),
		"text/syntax":             "a: [",
		"text/key-not-string":     "[a]: b",
		"text/template":           "a: {{ b }}",
		"text/tag-mismatch":       "!!int x",
		"text/not-in-json":        "a: .inf",
		"text/unknown-anchor":     "a: *b",
		"text/merge-not-map":      "<<: 1",
		"text/duplicate-key":      change("spec:", "kind: CustomResourceDefinition\nspec:"),
		"text/replaced-key":       change("spec:", "<<: {kind: CustomResourceDefinition}\nspec:"),
		"crd/more-findings":       structuraltest.CRDWith("type: object\nallOf: [" + strings.Repeat("{a: 1},", listed.Findings+1) + "]"),
		"crd/patch":               "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n",
		"crd/unknown-api-version": change("k8s.io/v1", "k8s.io/v3"),
		"crd/wrong-type":          change("served: true", "served: 1"),
		"crd/unknown-field":       change("served: true", "serve: true"),
		"crd/required":            change("  group: example.com\n", ""),
		"crd/invalid-name":        change("kind: Job", "kind: Job_"),
		"crd/name-mismatch":       change("name: jobs", "name: job"),
		"crd/kind-is-list-kind":   change("kind: Job", "kind: Job, listKind: Job"),
		"crd/unknown-scope":       change("Namespaced", "Name"),
		"crd/duplicate-version":   strings.Replace(structuraltest.V1beta1With(""), "v2", "v1", 1),
		"crd/storage-version":     change("storage: true", "storage: false"),
		"crd/first-version":       structuraltest.V1beta1With("version: v2"),
		"crd/two-schemas":         strings.Replace(structuraltest.V1beta1With("validation: {}"), "false}", "false, schema: {}}", 1),
		"crd/per-version":         strings.ReplaceAll(structuraltest.V1beta1With(""), ", storage: ", ", subresources: {status: {}}, storage: "),
		"crd/deprecation-warning": change("served: true", "served: true\n    deprecationWarning: old"),
		"crd/conversion":          change("spec:", "spec:\n  conversion: {strategy: Webhook}"),
		"crd/printer-column":      change("served: true", "served: true\n    additionalPrinterColumns: [{name: a, type: string}]"),
		"crd/scale":               change("served: true", "served: true\n    subresources: {scale: {}}"),
		"crd/selectable-field":    change("served: true", "served: true\n    selectableFields: [{jsonPath: .spec}]"),
		"crd/metadata":            change("metadata:", "metadata:\n  labels: {a b: c}"),
		"crd/approval":            strings.ReplaceAll(structuraltest.CRDWith("type: object"), "example.com", "example.k8s.io"),
		"loss/version": change("  versions:\n", "  versions:\n  - {name: v0, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}\n") +
			"        properties: {spec: {type: string}}\n",
		"schema/root-with-status": change("served: true", "served: true\n    subresources: {status: {}}") + "        maxProperties: 1\n",
		"schema/unknown-keyword":  structuraltest.CRDWith("typ: object"),
		"schema/items-ignored":    structuraltest.CRDWith("items: 1"),
		"schema/key-not-string":   structuraltest.CRDWith("type: object\nproperties: {n: {type: string}}"),
	}
	found := map[structural.ID]bool{structural.IDUnreadable: true} // see TestAFileThatCannotBeReadIsAFinding
	check := func(findings []structural.Finding, want structural.ID) {
		if !slices.ContainsFunc(findings, func(f structural.Finding) bool { return f.ID == want }) {
			t.Errorf("%s: found %v", want, findings)
		}
		found[want] = true
	}
	for id, text := range file {
		check(structuraltest.FindAll(text), id)
	}
	for id, text := range map[structural.ID]string{"schema/none": "", "schema/several": "{}\n---\n{}"} {
		_, findings := crdread.ParseSchema("x", []byte(text))
		check(findings, id)
	}
	for id, text := range map[structural.ID]string{
		"crd/missing-schema":          change("openAPIV3Schema:\n        type: object", "openAPIV3Schema: null"),
		"crd/removed-api-version":     structuraltest.V1beta1With(""),
		"crd/preserve-unknown-fields": change("spec:", "spec:\n  preserveUnknownFields: true"),
		"crd/preserve-with-defaults": strings.Replace(structuraltest.CRDWith("{type: object, properties: {a: {type: string, default: b}}}"),
			"spec:", "spec:\n  preserveUnknownFields: true", 1),
	} {
		check(lint.CRD(structuraltest.LoadCRD(t, text)), id)
	}
	for id, schema := range map[structural.ID]string{
		"schema/root-nullable":                      "type: object\nnullable: true",
		"schema/properties-beside-map":              "type: object\nproperties: {a: {type: object, properties: {b: {type: string}}, additionalProperties: false}}",
		"schema/unique-items":                       "type: object\nproperties: {a: {type: array, uniqueItems: true, items: {type: string}}}",
		"schema/list-type":                          "type: object\nproperties: {a: {type: array, x-kubernetes-list-type: bag, items: {type: string}}}",
		"schema/list-map-keys":                      "type: object\nproperties: {a: {type: array, x-kubernetes-list-type: map, items: {type: object, properties: {a: {type: string}}}}}",
		"schema/map-type":                           "type: object\nx-kubernetes-map-type: bag\nproperties: {a: {type: string}}",
		"schema/validation-rule":                    "type: object\nx-kubernetes-validations: [{rule: ''}]\nproperties: {a: {type: string}}",
		"schema/rule-expression":                    "type: object\nx-kubernetes-validations: [{rule: self.b}]\nproperties: {a: {type: string}}",
		"schema/rule-old-self":                      "type: object\nproperties: {a: {type: array, items: {type: string, x-kubernetes-validations: [{rule: self == oldSelf}]}}}",
		"schema/rule-cost":                          "type: object\nproperties: {a: {type: array, items: {type: string, x-kubernetes-validations: [{rule: self.matches('a+')}]}}}",
		"schema/rule-unsupported":                   "type: object\nx-kubernetes-validations: [{rule: 'google.protobuf.Empty{} != null'}]\nproperties: {a: {type: string}}",
		"schema/rule-fails":                         "type: object\nx-kubernetes-validations: [{rule: self.a > 1}]\nproperties: {a: {type: integer}}",
		"schema/resource-in-metadata":               "type: object\nproperties: {a: {type: object, x-kubernetes-embedded-resource: true, properties: {metadata: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}}}",
		"schema/default-forbidden":                  "type: object\nproperties: {kind: {type: string, default: a}}",
		"schema/default-pruned":                     "type: object\nproperties: {a: {type: object, default: {b: 1}}}",
		"schema/default-metadata":                   "type: object\nproperties: {a: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true, default: {b: 1}}}",
		"schema/default-invalid":                    "type: object\nproperties: {a: {type: string, default: 1}}",
		"schema/unknown-format":                     "type: object\nproperties: {a: {type: string, format: colour}}",
		"schema/idle-keyword":                       "type: object\nproperties: {a: {type: object, x-kubernetes-no-prune: true}}",
		"schema/union":                              "type: object\nx-kubernetes-unions: [{fields: {a: A}}]\nproperties: {a: {type: string}}",
		"schema/only-one":                           "type: object\nproperties: {a: {type: array, items: {type: string}, properties: {b: {type: string}}}}",
		"loss/object":                               "type: object\nproperties: {a: {type: object}}",
		"loss/elements":                             "type: object\nproperties: {a: {type: array, items: {type: object}}}",
		"loss/default":                              "type: object\nproperties: {a: {type: object, additionalProperties: {type: object, default: {b: 1}, properties: {c: {type: string}}}}}",
		"loss/more":                                 "type: object\nproperties: {" + repeatField("{type: object}", lint.MaxLosses+1) + "}",
		"schema/unknown-type":                       "type: object\nproperties: {a: {type: text}}",
		"schema/unsupported-keyword":                "type: object\n$ref: a",
		"schema/items-array":                        "type: object\nproperties: {a: {type: array, items: [{type: string}]}}",
		"schema/preserve-false":                     "type: object\nx-kubernetes-preserve-unknown-fields: false",
		"structural/type-required":                  "type: object\nproperties: {a: {}}",
		"structural/root-type-required":             "properties: {}",
		"structural/root-type":                      "type: string",
		"structural/items-required":                 "type: object\nproperties: {a: {type: array}}",
		"structural/root-additional-properties":     "type: object\nadditionalProperties: {type: string}",
		"structural/resource-additional-properties": "type: object\nproperties: {a: {type: object, x-kubernetes-embedded-resource: true, additionalProperties: {type: string}}}",
		"structural/resource-type":                  "type: object\nproperties: {a: {x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}",
		"structural/resource-properties":            "type: object\nproperties: {a: {type: object, x-kubernetes-embedded-resource: true}}",
		"structural/type-meta":                      "type: object\nproperties: {kind: {type: integer}}",
		"structural/metadata-type":                  "type: object\nproperties: {metadata: {type: string}}",
		"structural/metadata-restricted":            "type: object\nproperties: {metadata: {type: object, maxProperties: 1}}",
		"structural/metadata-in-junctor":            "type: object\nnot: {properties: {metadata: {}}}",
		"structural/int-or-string":                  "type: object\nproperties: {a: {x-kubernetes-int-or-string: true, x-kubernetes-preserve-unknown-fields: true}}",
		"structural/forbidden-in-junctor":           "type: object\nnot: {type: object}",
		"structural/unspecified":                    "type: object\nnot: {properties: {a: {}}}",
		"structural/unspecified-below-root":         "type: object\nproperties: {b: {type: object, not: {properties: {a: {}}}}}",
		"structural/pattern":                        "type: object\npattern: '('",
	} {
		findings := lint.CRD(structuraltest.LoadCRD(t, structuraltest.CRDWith(schema)))
		check(findings, id)
		for _, f := range findings {
			if f.Hint == "" {
				t.Errorf("no hint: %+v", f)
			}
		}
	}
	for id, schema := range map[structural.ID]string{
		"skeleton/properties-beside-map": "{properties: {a: {}}, additionalProperties: {}}",
		"skeleton/no-prune-false":        "{x-kubernetes-no-prune: false}",
		"skeleton/no-prune-nested":       "{x-kubernetes-no-prune: true, properties: {a: {x-kubernetes-no-prune: true}}}",
	} {
		_, errs := skeleton.Of(structuraltest.ParseSchema(t, schema), nil)
		if !slices.ContainsFunc(errs, func(e *structural.Error) bool { return e.ID == id }) {
			t.Errorf("%s: found %v", id, errs)
		}
		found[id] = true
	}
	for id, schema := range map[structural.ID]string{
		"kubernetes/refused": "type: object\nx-kubernetes-validations: [{rule: 'isIP(self.a)'}]\nproperties: {a: {type: string}}",
		"kubernetes/ignored": "type: object\nx-kubernetes-validations: [{rule: 'true', messageExpression: self.a}]\nproperties: {a: {type: string}}",
	} {
		check(lint.Older(structuraltest.LoadCRD(t, structuraltest.CRDWith(schema)), kubeversion.OldestLinted), id)
	}
	for _, r := range allIDs {
		if !found[r.ID] {
			t.Errorf("nothing is found under %s", r.ID)
		}
	}
}
