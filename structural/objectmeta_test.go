package structural_test

import (
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/structural"
)

func TestObjectMetaKnowsEveryField(t *testing.T) {
	const known = `
annotations: {a: b}
creationTimestamp: "2019-06-20T00:00:00Z"
deletionGracePeriodSeconds: 3
deletionTimestamp: "2019-06-20T00:00:00Z"
finalizers: [a]
generateName: a
generation: 4
labels: {a: b}
managedFields:
- {apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"k:{}": [{a: 1}]}}, manager: a, operation: Apply, subresource: status, time: "2019-06-20T00:00:00Z"}
name: a
namespace: a
ownerReferences:
- {apiVersion: v1, blockOwnerDeletion: true, controller: true, kind: K, name: a, uid: b}
resourceVersion: "5"
selfLink: a
uid: b
`
	meta := structuraltest.ParseObject(t, known)
	obj := map[string]any{"metadata": meta}
	if dropped := interpret.Prune(obj, nil, interpret.PruneOptions{}); dropped != nil {
		t.Errorf("dropped %q", dropped)
	}
	schema := structural.ObjectMeta()
	for k := range schema.Properties {
		if _, ok := meta[k]; !ok {
			t.Errorf("%s is no field of ObjectMeta", k)
		}
	}
	for _, list := range []string{"managedFields", "ownerReferences"} {
		for k := range schema.Properties[list].Items.Properties {
			if _, ok := meta[list].([]any)[0].(map[string]any)[k]; !ok {
				t.Errorf("%s is no field of %s", k, list)
			}
		}
	}
}

func TestObjectMetaTypes(t *testing.T) {
	schema := structural.ObjectMeta()
	structuraltest.WantTexts(t, structural.Validate(schema, nil))
	for path, want := range map[string]string{
		"name": "string ", "generation": "integer int64", "deletionGracePeriodSeconds": "integer int64",
		"creationTimestamp": "string date-time", "deletionTimestamp": "string date-time",
		"labels": "object ", "finalizers": "array ",
	} {
		s := schema.Properties[path]
		if got := s.Type + " " + s.ValueValidation.Format; got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
	entry := schema.Properties["managedFields"].Items
	if s := entry.Properties["time"]; s.ValueValidation.Format != "date-time" {
		t.Errorf("time is %+v", s)
	}
	if s := entry.Properties["fieldsV1"]; s.Type != "" || !s.XPreserveUnknownFields {
		t.Errorf("fieldsV1 is %+v", s)
	}
	if s := schema.Properties["ownerReferences"].Items.Properties["controller"]; s.Type != "boolean" {
		t.Errorf("controller is %+v", s)
	}
	schema.Visit(func(s *structural.Schema) {
		if !s.Nullable {
			t.Errorf("null is no value of %+v", s)
		}
	})
	schema.Properties["name"].Type = "changed"
	if structural.ObjectMeta().Properties["name"].Type != "string" {
		t.Error("two calls share a schema")
	}
}
