package structural_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/load"
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
	c, err := load.CRD([]byte(crd), load.Options{})
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

// A version is deprecated in favour of one with a higher priority. The order is the example in Kubernetes' documentation of CRD
// versions, and there are words and numbers that are no version.
func TestDeprecationWarningFollowsThePriorityOfVersions(t *testing.T) {
	order := []string{"v10", "v2", "v1", "v11beta2", "v10beta3", "v3beta1", "v12alpha1", "v11alpha2", "foo1", "foo10", "v1gamma1", "v99999999999999999999", "v1beta99999999999999999999", "va"}
	slices.SortStableFunc(order[8:], strings.Compare)
	for i, higher := range order {
		for j, lower := range order {
			if i == j {
				continue
			}
			old := &structural.Version{Name: lower, Served: true, Deprecated: true}
			c := &structural.CRD{Group: "g", Names: structural.Names{Kind: "K"}, Versions: []*structural.Version{old, {Name: higher, Served: true}}}
			want := "g/" + lower + " K is deprecated"
			if i < j {
				want += "; use g/" + higher + " K"
			}
			if have := structural.DeprecationWarning(c, old); have != want {
				t.Errorf("%q, want %q", have, want)
			}
		}
	}
	// Of several, the one with the highest priority is named.
	old := &structural.Version{Name: "a", Served: true, Deprecated: true}
	c := &structural.CRD{Group: "g", Names: structural.Names{Kind: "K"}, Versions: []*structural.Version{old}}
	for _, name := range []string{"v2", "v10", "v1", "v11beta2"} {
		c.Versions = append(c.Versions, &structural.Version{Name: name, Served: true})
	}
	if have := structural.DeprecationWarning(c, old); have != "g/a K is deprecated; use g/v10 K" {
		t.Error(have)
	}
}
