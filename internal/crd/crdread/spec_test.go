package crdread_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/structural"
)

// What a spec leaves out is filled in, and what v1beta1 says once goes for all versions.
func TestSpecsAreCompleted(t *testing.T) {
	const names, schema = "names: {kind: App, plural: apps}", "{openAPIV3Schema: {type: object}}"
	for _, test := range []struct{ version, spec, want string }{
		{"v1", names + ", scope: Cluster, versions: [{name: v1, served: true, storage: true, schema: " + schema + "}]",
			"Cluster app AppList; v1 served storage pruned object spec.versions[0].schema.openAPIV3Schema"},
		{"v1", "names: {kind: App, plural: apps, singular: one, listKind: Apps}, scope: Namespaced, versions: [{name: v1, served: false, storage: true, schema: " + schema + ", subresources: {status: {}, scale: {specReplicasPath: .spec.a, statusReplicasPath: .status.b, labelSelectorPath: .status.c}}, deprecated: true, deprecationWarning: w}, {name: v2, served: true, storage: false}]",
			"Namespaced one Apps; v1 storage pruned status {.spec.a .status.b .status.c} deprecated w object spec.versions[0].schema.openAPIV3Schema; v2 served pruned"},
		{"v1", names + ", scope: Cluster, preserveUnknownFields: true, versions: [{name: v1, served: true, storage: true}]", "Cluster app AppList; v1 served storage"},
		{"v1", names + ", scope: Cluster, preserveUnknownFields: false, versions: [{name: v1, served: true, storage: true}]", "Cluster app AppList; v1 served storage pruned"},
		{"v1beta1", names + ", version: v1", "Namespaced app AppList; v1 served storage"},
		{"v1beta1", names + ", version: v1, scope: Cluster", "Cluster app AppList; v1 served storage"},
		{"v1beta1", names + ", version: v1, preserveUnknownFields: false, validation: " + schema, "Namespaced app AppList; v1 served storage pruned object spec.validation.openAPIV3Schema"},
		{"v1beta1", names + ", version: v9, versions: [{name: v1, served: true, storage: true}, {name: v2, served: false, storage: false}], validation: " + schema + ", subresources: {status: {}}",
			"Namespaced app AppList; v1 served storage status object spec.validation.openAPIV3Schema; v2 status object spec.validation.openAPIV3Schema"},
		{"v1beta1", names + ", versions: [{name: v1, served: true, storage: true, schema: " + schema + ", subresources: {status: {}}}, {name: v2, served: true, storage: false}]",
			"Namespaced app AppList; v1 served storage status object spec.versions[0].schema.openAPIV3Schema; v2 served"},
		{"v1beta1", names + ", version: v1, subresources: {scale: {specReplicasPath: .spec.a, statusReplicasPath: .status.b}}", "Namespaced app AppList; v1 served storage {.spec.a .status.b }"},
	} {
		text := "apiVersion: apiextensions.k8s.io/" + test.version + "\nkind: CustomResourceDefinition\nmetadata: {name: apps.example.com}\nspec: {group: example.com, " + test.spec + "}\n"
		f := crdread.Load("a.yaml", strings.NewReader(text))
		if len(f.CRDs) != 1 {
			t.Errorf("%s\n%+v", text, f.Findings)
			continue
		}
		c := f.CRDs[0]
		have := fmt.Sprintf("%s %s %s", c.Scope, c.Names.Singular, c.Names.ListKind)
		for _, v := range c.Versions {
			have += "; " + v.Name
			for _, trait := range []struct {
				holds bool
				name  string
			}{{v.Served, "served"}, {v.Storage, "storage"}, {v.Pruned, "pruned"}, {v.HasStatus, "status"}} {
				if trait.holds {
					have += " " + trait.name
				}
			}
			if v.Scale != nil {
				have += fmt.Sprintf(" %v", *v.Scale)
			}
			if v.Deprecated {
				have += " deprecated " + structural.DeprecationWarning(c, v)
			}
			if v.Schema != nil {
				have += " " + v.Schema.Type + " " + v.SchemaPath.String()
			}
		}
		if have != test.want {
			t.Errorf("%s\nhave %s\nwant %s", text, have, test.want)
		}
	}
}

// The apiVersion and kind of a CRD can be quoted or missing.
func TestHeadsOfDocuments(t *testing.T) {
	const rest = "metadata: {name: apps.example.com}\nspec: {group: example.com, scope: Cluster, names: {kind: App, plural: apps}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}\n"
	for head, want := range map[string]string{
		"apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n":       "1 CRDs, 0 passed",
		"apiVersion: \"apiextensions.k8s.io/v1\"\nkind: 'CustomResourceDefinition'\n": "1 CRDs, 0 passed",
		"apiVersion: apiextensions.k8s.io/v2\nkind: CustomResourceDefinition\n":       `0 CRDs, 0 passed, no matches for kind "CustomResourceDefinition" in version "apiextensions.k8s.io/v2" at 1:1`,
		"kind: CustomResourceDefinition\n":                                            "0 CRDs, 0 passed, apiVersion: Required value at 1:1",
		"kind: CustomResourceDefinition\napiVersion: 1\n":                             "0 CRDs, 0 passed, apiVersion: Required value at 2:1",
		"kind: CustomResourceDefinition\napiVersion: ''\n":                            "0 CRDs, 0 passed, apiVersion: Required value at 2:1",
		"kind: Other\napiVersion: apiextensions.k8s.io/v1\n":                          "0 CRDs, 1 passed",
		"apiVersion: apiextensions.k8s.io/v1\n":                                       "0 CRDs, 1 passed",
		"apiVersion: apiextensions.k8s.io/v1\nkind: customresourcedefinition\n":       "0 CRDs, 1 passed",
	} {
		f := crdread.Load("a.yaml", strings.NewReader(head+rest))
		have := fmt.Sprintf("%d CRDs, %d passed", len(f.CRDs), f.Passed)
		for _, finding := range f.Findings {
			have += fmt.Sprintf(", %s at %d:%d", finding.Message, finding.Line, finding.Column)
		}
		if have != want {
			t.Errorf("%s%s, want %s", head, have, want)
		}
	}
}
