package dynamic_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/crd/origin"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural/dynamic"
)

const compiledCRD = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: jobs.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Job, plural: jobs, singular: job, listKind: JobList}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.k, statusReplicasPath: .status.k, labelSelectorPath: .status.s}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              k: {type: integer, maximum: 3, x-kubernetes-validations: [{rule: self >= oldSelf, message: shrinks}]}
              d: {type: string, default: x}
          status: {type: object, properties: {k: {type: integer, maximum: 3}, s: {type: string}}}
  - {name: v2, served: true, storage: false, deprecated: true, schema: {openAPIV3Schema: {type: object}}}
`

// Every function of a compiled resource does what its name says, with a meter and without one.
func TestCompiledResourcesHaveAllFunctions(t *testing.T) {
	crd := structuraltest.LoadCRD(t, compiledCRD)
	for name, compile := range map[string]func() ([]prunert.Resource, error){
		"alone": func() ([]prunert.Resource, error) { return dynamic.Compile(crd) },
		"with a meter": func() ([]prunert.Resource, error) {
			metered := structuraltest.LoadCRD(t, compiledCRD)
			origin.SetMeter(metered, meter.New(1))
			return dynamic.Compile(metered)
		},
	} {
		all, err := compile()
		if err != nil || len(all) != 2 {
			t.Fatalf("%s: %d resources, %v", name, len(all), err)
		}
		r, plain := all[0], all[1]
		obj := func(spec string) map[string]any {
			return structuraltest.ParseObject(t, "{apiVersion: example.com/v1, kind: Job, metadata: {name: a, namespace: b}, spec: "+spec+"}")
		}
		pruned := obj("{k: 1, other: 2}")
		r.Prune(pruned)
		reported := obj("{k: 1, other: 2}")
		defaulted := obj("{}")
		r.Default(defaulted)
		normal := obj("{other: null}")
		_, err = r.Normalize(normal, prunert.NormalizeOptions{})
		var fields []string
		r.Fields(func(path string) { fields = append(fields, path) })
		shrinks, _ := r.ValidateRules(obj("{k: 1}"), obj("{k: 2}"))
		grows, _ := r.ValidateRules(obj("{k: 2}"), obj("{k: 1}"))
		created, _ := r.ValidateRules(obj("{k: 1}"), nil)
		status := structuraltest.ParseObject(t, "{apiVersion: example.com/v1, kind: Job, metadata: {name: a, namespace: b}, status: {k: 4}}")
		for _, c := range []struct {
			what       string
			have, want any
		}{
			{"Prune", pruned, obj("{k: 1}")},
			{"PruneReport", r.PruneReport(reported), []string{"spec.other"}},
			{"the object after it", reported, obj("{k: 1}")},
			{"Default", defaulted, obj("{d: x}")},
			{"Normalize", fmt.Sprint(normal["spec"], err), "map[d:x] <nil>"},
			{"Check", fmt.Sprint(r.Check(obj("{k: x}"))), `[spec.k: Invalid value: "string": spec.k in body must be of type integer: "string"]`},
			{"Fields", slices.Contains(fields, ".spec.d"), true},
			{"Validate", fmt.Sprint(r.Validate(obj("{k: 4}"))), "[spec.k: Invalid value: 4: spec.k in body should be less than or equal to 3]"},
			{"ValidateUpdate", fmt.Sprint(r.ValidateUpdate(obj("{k: 4}"), obj("{k: 4}")), r.ValidateUpdate(obj("{k: 5}"), obj("{k: 4}"))), "[] [spec.k: Invalid value: 5: spec.k in body should be less than or equal to 3]"},
			{"ValidateStatus", fmt.Sprint(r.ValidateStatus(status, obj("{}"))), "[status.k: Invalid value: 4: k in body should be less than or equal to 3]"},
			{"ValidateMetadata", fmt.Sprint(r.ValidateMetadata(map[string]any{"metadata": map[string]any{"name": "a"}}, nil)), "[metadata.namespace: Required value]"},
			{"ValidateRules", fmt.Sprint(shrinks, grows, created), `[spec.k: Invalid value: 1: shrinks] [] []`},
			{"HasRules", []bool{r.HasRules, plain.HasRules, plain.ValidateRules != nil}, []bool{true, false, false}},
			{"Status", []bool{r.Status, plain.Status, plain.ValidateStatus != nil}, []bool{true, false, false}},
			{"Scale", *r.Scale, prunert.Scale{SpecReplicasPath: ".spec.k", StatusReplicasPath: ".status.k", LabelSelectorPath: ".status.s"}},
			{"no Scale", plain.Scale == nil, true},
			{"names", []string{r.Group, r.Version, r.Kind, r.Plural, r.ListKind, r.DeprecationWarning}, []string{"example.com", "v1", "Job", "jobs", "JobList", ""}},
			{"the other version", []string{plain.Version, plain.DeprecationWarning}, []string{"v2", "example.com/v2 Job is deprecated"}},
			{"hashes", r.SchemaHash != "" && r.SchemaHash != plain.SchemaHash, true},
		} {
			if !reflect.DeepEqual(c.have, c.want) {
				t.Errorf("%s: %s: have %v, want %v", name, c.what, c.have, c.want)
			}
		}
	}
}

// A CRD with a schema that the API server refuses is not compiled, and the version is named.
func TestCompileRefusesWhatTheServerRefuses(t *testing.T) {
	crd := structuraltest.LoadCRD(t, strings.Replace(compiledCRD, "schema: {openAPIV3Schema: {type: object}}", "schema: {openAPIV3Schema: {type: object, properties: {a: {}}}}", 1))
	_, err := dynamic.Compile(crd)
	if err == nil || !strings.HasPrefix(err.Error(), "jobs.example.com version v2: ") || !strings.Contains(err.Error(), "properties[a].type: Required value: must not be empty for specified object fields") {
		t.Error(err)
	}
}
