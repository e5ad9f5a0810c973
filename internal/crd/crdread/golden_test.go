package crdread_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/testing/recorded"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
)

var update = flag.Bool("update", false, "write testdata/findings.txt instead of comparing with it")

const oddV1 = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: jobs.example.com}
spec:
  group: example.com
  names: {kind: Job, plural: jobs}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema: {type: object, properties: {a: {type: string, maxLength: 3}}}
  - name: v2
    served: false
    storage: false
`

const oddV1beta1 = `apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: jobs.example.com}
spec:
  group: example.com
  names: {kind: Job, plural: jobs}
  scope: Namespaced
  version: v1
  validation: {openAPIV3Schema: {type: object, properties: {a: {type: string}}}}
  subresources: {status: {}}
`

// oddCRDs are changes of the CRDs above: a text of theirs, and what replaces it.
var oddCRDs = []struct{ crd, old, new string }{
	{oddV1, "", ""}, {oddV1beta1, "", ""},
	{oddV1, "apiextensions.k8s.io/v1\n", "apiextensions.k8s.io/v2\n"}, {oddV1, "apiVersion: apiextensions.k8s.io/v1\n", ""}, {oddV1, "kind: CustomResourceDefinition", "kind: 1"}, {oddV1, "CustomResourceDefinition", "CustomResourceDefinitions"},
	{oddV1, "metadata: {name: jobs.example.com}", "metadata: {name: 1}"}, {oddV1, "metadata: {name: jobs.example.com}", "metadata: []"}, {oddV1, "metadata: {name: jobs.example.com}", "metadata: {name: jobs.example.com, labels: {a: 1}, other: 1}\nother: 2"},
	{oddV1, "{kind: Job, plural: jobs}", "{kind: 1, plural: [jobs], shortNames: a, categories: [1], other: x}"}, {oddV1, "{kind: Job, plural: jobs}", "null"}, {oddV1, "scope: Namespaced", "scope: true"},
	{oddV1, "scope: Namespaced", "scope: Namespaced\n  version: v1\n  validation: {}\n  subresources: {}\n  additionalPrinterColumns: []\n  selectableFields: []\n  other: 1"},
	{oddV1, "scope: Namespaced", "scope: Namespaced\n  preserveUnknownFields: 1\n  conversion: {strategy: 1, webhook: {clientConfig: {url: [], service: {port: x}}, other: 1}}"},
	{oddV1, "served: true", "served: 'true'"}, {oddV1, "  versions:\n", "  versions: {}\n  other:\n"}, {oddV1, "  versions:\n", "  versions: null\n  other:\n"}, {oddV1, "  versions:\n", "  versions: []\n  other:\n"},
	{oddV1, "  - name: v2\n    served: false\n    storage: false\n", "  - 1\n  - null\n  - name: v2\n    served: 1\n    schema: []\n  - {name: v3, deprecated: x, deprecationWarning: 1, additionalPrinterColumns: [{priority: x}], selectableFields: [1], subresources: {status: 1, scale: {specReplicasPath: 1}}}\n"},
	{oddV1, "    storage: false\n", "    storage: false\n    schema: {type: object, openAPIV3Schema: null, other: 1}\n"}, {oddV1, "    storage: false\n", "    storage: false\n    schema: {openAPIV3Schema: [1]}\n    shema: {}\n"},
	{oddV1, "    storage: false\n", "    storage: false\n    subresources: null\n    additionalPrinterColumns: null\n    selectableFields: null\n    schema: null\n"},
	{oddV1, "maxLength: 3", "maxLength: x"}, {oddV1, "maxLength: 3", "maxLenght: 3"}, {oddV1, "maxLength: 3", "maxLength: 3.0, minLength: 1.5, minimum: a, enum: 1, required: [1], nullable: 'yes', default: x, x-foo: 1, $ref: a, const: 1"},
	{oddV1, "maxLength: 3", "items: [{type: string}], additionalProperties: x, properties: [a], allOf: {}, anyOf: [1], not: [], x-kubernetes-validations: [{rule: 1, other: 2}], x-kubernetes-list-type: 1"},
	{oddV1, "maxLength: 3", "maxLength: 3, maxLength: 4"}, {oddV1, "maxLength: 3", "maxLength: null, items: null, properties: null, enum: null"}, {oddV1, "type: string", "type: [string, 'null']"}, {oddV1, "a: {type", "a: null, b: 1, c: {type"},
	{oddV1, "spec:\n  group: example.com\n", "spec: &s\n  <<: {group: example.com, scope: Cluster}\n"}, {oddV1, "spec:\n", "spec: 1\nother:\n"}, {oddV1, "spec:\n", "spec: null\nspce:\n"},
	{oddV1beta1, "version: v1", "version: 1"}, {oddV1beta1, "version: v1", "version: v1\n  versions: [{name: v2, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]"}, {oddV1beta1, "version: v1", "other: v1"},
	{oddV1beta1, "  validation: {openAPIV3Schema: {type: object, properties: {a: {type: string}}}}\n", "  validation: null\n"}, {oddV1beta1, "{openAPIV3Schema: {type: object, properties: {a: {type: string}}}}", "{type: object}"},
	{oddV1beta1, "subresources: {status: {}}", "subresources: {status: [], scale: 1, other: 2}\n  additionalPrinterColumns: [{name: a, JSONPath: 1, jsonPath: .b}]\n  selectableFields: [{jsonPath: 1}]\n  preserveUnknownFields: x\n  other: 1"},
	{oddV1beta1, "subresources: {status: {}}", "subresources: null\n  conversion: {strategy: Webhook, webhookClientConfig: {url: 1}, conversionReviewVersions: v1, webhook: {}}"},
	{oddV1, oddV1, "- 1\n---\na: 1\n---\nkind: List\napiVersion: v1\nitems: [1, {kind: CustomResourceDefinition}]\n---\napiVersion: v1\nkind: CustomResourceDefinition\n"},
	{oddV1, oddV1, "a: ["}, {oddV1, oddV1, ""}, {oddV1, oddV1, oddV1 + "---\n" + oddV1},
}

// Everything that is found in CRDs that are odd is in testdata/findings.txt.
func TestLoadFindsTheSameAsBefore(t *testing.T) {
	const file = "testdata/findings.txt"
	var have strings.Builder
	for _, c := range oddCRDs {
		text := strings.Replace(c.crd, c.old, c.new, 1)
		if text == c.crd && c.old != "" {
			t.Fatalf("%q: nothing changed", c.old)
		}
		version, _, _ := strings.Cut(c.crd, "\n")
		if c.old == c.crd {
			version, c.old = "", ""
		}
		fmt.Fprintf(&have, "== %s\n%s\n=> %s\n", version, strings.TrimSpace(c.old), strings.TrimSpace(c.new))
		f := crdread.Load("crd.yaml", strings.NewReader(text))
		documents := structuraltest.Documents(text)
		for _, f := range f.Findings {
			structuraltest.CheckSteps(t, f, documents...)
			fmt.Fprintf(&have, "%d:%d %s %s [%s] [%s] %s\n", f.Line, f.Column, f.Severity, f.ID, strings.TrimSpace(f.CRD+" "+f.Version), f.Path, f.Message)
			if f.Hint != "" {
				fmt.Fprintf(&have, "\t%s\n", f.Hint)
			}
		}
		fmt.Fprintf(&have, "%d usable, %d refused\n", len(f.CRDs), len(f.Refused))
		for _, c := range f.CRDs {
			for _, v := range c.Versions {
				fmt.Fprintf(&have, "%s %s: served %t, stored %t, pruned %t, status %t, schema %t at %s\n", c.Name, v.Name, v.Served, v.Storage, v.Pruned, v.HasStatus, v.Schema != nil, v.SchemaPath)
			}
		}
	}
	recorded.Compare(t, *update, file, have.String())
}
