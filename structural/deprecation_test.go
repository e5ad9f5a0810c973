package structural_test

import (
	"testing"

	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
)

func TestDeprecationWarningNamesTheBestVersion(t *testing.T) {
	const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Thing, plural: things}
  versions:
  - {name: v1alpha1, served: true, storage: false, deprecated: true, deprecationWarning: gone soon, schema: {openAPIV3Schema: {type: object}}}
  - {name: v1beta1, served: true, storage: false, deprecated: true, schema: {openAPIV3Schema: {type: object}}}
  - {name: v1beta2, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
  - {name: v2, served: false, storage: false, schema: {openAPIV3Schema: {type: object}}}
  - {name: v3, served: true, storage: false, deprecated: true, schema: {openAPIV3Schema: {type: object}}}
`
	c, err := dynamic.LoadCRD([]byte(crd))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"v1alpha1": "gone soon",
		"v1beta1":  "example.com/v1beta1 Thing is deprecated; use example.com/v1 Thing",
		"v3":       "example.com/v3 Thing is deprecated",
	}
	for _, v := range c.Versions {
		if have := structural.DeprecationWarning(c, v); have != want[v.Name] {
			t.Errorf("%s: %q, want %q", v.Name, have, want[v.Name])
		}
	}
}
