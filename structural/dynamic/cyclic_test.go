package dynamic_test

import (
	"fmt"
	"os"
	"testing"

	v1 "github.com/prune-gen/prune-gen/examples/operator/api/v1"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

// A map that contains itself ends no program: the interpreter answers as generated code does.
func TestObjectsThatContainThemselves(t *testing.T) {
	f, err := os.Open("../../examples/operator/config/crd/bases/stable.example.com_crontabs.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	crds, err := load.CRDs(f, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := dynamic.Compile(crds[0])
	if err != nil {
		t.Fatal(err)
	}
	for place, put := range map[string]func(metadata, spec, endless map[string]any){
		"metadata":        func(metadata, _, _ map[string]any) { metadata["metadata"] = metadata },
		"metadata.labels": func(metadata, _, endless map[string]any) { metadata["labels"] = endless },
		"metadata.managedFields": func(metadata, _, endless map[string]any) {
			metadata["managedFields"] = []any{map[string]any{"fieldsV1": endless}}
		},
		"spec":                        func(_, spec, _ map[string]any) { spec["spec"] = spec },
		"spec.image":                  func(_, spec, endless map[string]any) { spec["image"] = endless },
		"spec.maxUnavailable":         func(_, spec, endless map[string]any) { spec["maxUnavailable"] = endless },
		"spec.nodeSelector":           func(_, spec, endless map[string]any) { spec["nodeSelector"] = endless },
		"spec.podTemplate":            func(_, spec, endless map[string]any) { spec["podTemplate"] = endless },
		"spec.podTemplate.metadata":   func(_, spec, endless map[string]any) { spec["podTemplate"] = map[string]any{"metadata": endless} },
		"spec.podTemplate, preserved": func(_, spec, endless map[string]any) { spec["podTemplate"] = map[string]any{"any": endless} },
	} {
		answer := func(r prunert.Resource) string {
			endless := map[string]any{"a": "b", "number": 1.0}
			endless["self"] = endless
			metadata, spec := map[string]any{"name": "a", "namespace": "n"}, map[string]any{"cronSpec": "* * * * *", "image": "i"}
			put(metadata, spec, endless)
			obj := map[string]any{"apiVersion": "stable.example.com/v1", "kind": "CronTab", "metadata": metadata, "spec": spec}
			unknown, err := r.Normalize(obj, prunert.NormalizeOptions{ReportUnknown: true})
			return fmt.Sprint(unknown, err, r.Validate(obj), r.ValidateMetadata(obj, nil), r.ValidateUpdate(obj, obj), r.ValidateMetadata(obj, obj))
		}
		if have, want := answer(all[0]), answer(v1.CronTabResource); have != want {
			t.Errorf("%s:\n%s, and generated code says\n%s", place, have, want)
		}
	}
}
