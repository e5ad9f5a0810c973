package dynamic_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

const identityCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: plurals.group.io}
spec:
  group: group.io
  scope: SCOPE
  names: {kind: Kind, plural: plurals, singular: singular, listKind: Listed}
  versions:
  - {name: v1, served: true, storage: true, subresources: {status: {}, scale: {specReplicasPath: .spec.a, statusReplicasPath: .status.b, labelSelectorPath: .status.c}}, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, x-kubernetes-validations: [{rule: "true"}], properties: {a: {type: integer}}}}}}}
  - {name: v2, served: true, storage: false, deprecated: true, deprecationWarning: use v1, schema: {openAPIV3Schema: {type: object}}}
`

// A resource is what its CRD and its version say, and has the functions for it.
func TestResourcesAreThoseOfTheirVersion(t *testing.T) {
	for scope, namespaced := range map[string]bool{"Cluster": false, "Namespaced": true} {
		c, err := load.CRD([]byte(strings.Replace(identityCRD, "SCOPE", scope, 1)), load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		all, err := dynamic.Compile(c)
		if err != nil || len(all) != 2 {
			t.Fatalf("%d resources, %v", len(all), err)
		}
		for i, want := range []string{
			"group.io v1 Kind plurals Listed true {.spec.a .status.b .status.c} true true true",
			"group.io v2 Kind plurals Listed false <nil> use v1 false false false",
		} {
			r := all[i]
			scale := "<nil>"
			if r.Scale != nil {
				scale = fmt.Sprint(*r.Scale)
			}
			have := strings.Join(strings.Fields(fmt.Sprint(r.Group, " ", r.Version, " ", r.Kind, " ", r.Plural, " ", r.ListKind, " ", r.Status, " ", scale, " ", r.DeprecationWarning, " ", r.HasRules, " ", r.ValidateRules != nil, " ", r.ValidateStatus != nil)), " ")
			if have != want || r.Namespaced != namespaced {
				t.Errorf("%s, namespaced %t, want %s", have, r.Namespaced, want)
			}
		}
		if all[0].SchemaHash == all[1].SchemaHash {
			t.Error("both versions have the same hash")
		}
		fit, err := dynamic.Fits(all[1], c)
		if err != nil || !fit.Same {
			t.Errorf("%+v, %v", fit, err)
		}
		for _, wrong := range []struct {
			group, version, kind, want string
		}{
			{"group.io", "v3", "Kind", "plurals.group.io has no version v3"},
			{"other.io", "v1", "Kind", "the code is for other.io/v1 Kind, and the CRD for group.io/v1 Kind"},
			{"group.io", "v1", "Other", "the code is for group.io/v1 Other, and the CRD for group.io/v1 Kind"},
		} {
			r := all[0]
			r.Group, r.Version, r.Kind = wrong.group, wrong.version, wrong.kind
			if _, err := dynamic.Fits(r, c); err == nil || err.Error() != wrong.want {
				t.Errorf("%v, want %s", err, wrong.want)
			}
		}
	}
}

func TestCRDsThatCannotBeReadAreNamed(t *testing.T) {
	good := strings.Replace(identityCRD, "SCOPE", "Cluster", 1)
	for text, want := range map[string]string{
		"a: 1\n":              "read the CustomResourceDefinition: there are 0, want one",
		good + "---\n" + good: "read the CustomResourceDefinition: there are 2, want one",
		"a: [\n":              "read the CustomResourceDefinition: line 1: invalid YAML: did not find expected node content",
		strings.Replace(strings.Replace(good, "group: group.io", "group: 5", 1), "singular: singular", "singular: 7", 1): "read the CustomResourceDefinition: line 5: spec.group: expected a string, found the integer 5; line 7: spec.names.singular: expected a string, found the integer 7",
	} {
		c, err := load.CRD([]byte(text), load.Options{})
		if c != nil || err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := load.Object(map[string]any{"a": func() {}}, load.Options{}); err == nil || !strings.HasPrefix(err.Error(), "read the CustomResourceDefinition: json: ") {
		t.Error(err)
	}
}

// Versions that share a schema share their functions, and are still resources of their own.
func TestVersionsShareFunctions(t *testing.T) {
	fields := ""
	for i := range 1000 {
		fields += fmt.Sprintf("f%d: {type: string}, ", i)
	}
	text := structuraltest.V1beta1With("preserveUnknownFields: false\nvalidation: {openAPIV3Schema: {type: object, properties: {" + fields + "}}}")
	var versions strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&versions, "  - {name: w%d, served: true, storage: false}\n", i)
	}
	c := structuraltest.LoadCRD(t, strings.Replace(text, "  versions:\n", "  versions:\n"+versions.String(), 1))
	all, err := dynamic.Compile(c)
	if err != nil || len(all) != 1002 {
		t.Fatalf("%d resources, %v", len(all), err)
	}
	allocated := testing.AllocsPerRun(1, func() { dynamic.Compile(c) })
	if allocated > 150_000 {
		t.Errorf("%.0f allocations for %d versions of one schema", allocated, len(all))
	}
	for i, r := range all {
		doc := fmt.Sprintf(`{"apiVersion":"example.com/%s","kind":"Job","f1":"x","g":1}`, c.Versions[i].Name)
		pruned, err := r.PruneJSON(nil, []byte(doc))
		if err != nil || strings.Contains(string(pruned), `"g"`) || !strings.Contains(string(pruned), `"f1"`) || r.Version != c.Versions[i].Name {
			t.Fatalf("%s: %s, %v", r.Version, pruned, err)
		}
	}
}
