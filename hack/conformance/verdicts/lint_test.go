package verdicts

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/schemacases"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// crdOf returns a CRD of an API version with the given schema, and what more there is in its spec.
func crdOf(t *testing.T, apiVersion string, schema Object, more Object) json.RawMessage {
	t.Helper()
	version := Object{"name": "v1", "served": true, "storage": true}
	spec := Object{"group": "example.com", "scope": "Namespaced", "names": Object{"kind": "Widget", "plural": "widgets"}, "versions": []any{version}}
	if apiVersion == "v1" {
		version["schema"] = Object{"openAPIV3Schema": schema}
	} else {
		spec["validation"] = Object{"openAPIV3Schema": schema}
	}
	for k, v := range more {
		spec[k] = v
	}
	raw, err := json.Marshal(Object{
		"apiVersion": "apiextensions.k8s.io/" + apiVersion, "kind": "CustomResourceDefinition",
		"metadata": Object{"name": "widgets.example.com"}, "spec": spec,
	})
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// compareVerdict fails the test if the two sides differ on a CRD, and returns whether Kubernetes takes it.
func compareVerdict(t *testing.T, name string, raw json.RawMessage) bool {
	t.Helper()
	accepted, diffs := Verdict(raw)
	for _, d := range diffs {
		if d.Known == "" {
			t.Errorf("%s: %s\n%.1500s", name, d, raw)
		}
	}
	return accepted
}

func TestBrokenSchemasAreRefusedForTheSameReasons(t *testing.T) {
	t.Parallel()
	taken, refused := 0, 0
	count := func(accepted bool) {
		if accepted {
			taken++
		} else {
			refused++
		}
	}
	for i, c := range schemacases.Broken() {
		count(compareVerdict(t, c.Name, crdOf(t, "v1", c.Schema, nil)))
		if i%testsize.Pick(12, 1) != 0 {
			continue
		}
		count(compareVerdict(t, c.Name+", v1beta1", crdOf(t, "v1beta1", c.Schema, nil)))
		count(compareVerdict(t, c.Name+", with a status", crdOf(t, "v1beta1", c.Schema,
			Object{"preserveUnknownFields": false, "subresources": Object{"status": Object{}}})))
		if t.Failed() && taken+refused > 100000 {
			return
		}
	}
	t.Logf("%d taken, %d refused", taken, refused)
	if taken < 2000 || refused < 2000 {
		t.Errorf("only %d CRDs are taken and %d refused", taken, refused)
	}
}

func TestMutatedSchemasAreRefusedForTheSameReasons(t *testing.T) {
	t.Parallel()
	cases := schemacases.Broken()
	for seed := range testsize.Pick[uint64](1000, 20_000) {
		c := cases[seed%uint64(len(cases))]
		schemacases.Mutate(c.Schema, seed, 1+int(seed%5))
		compareVerdict(t, fmt.Sprint(c.Name, " ", seed), crdOf(t, "v1", c.Schema, nil))
	}
}
