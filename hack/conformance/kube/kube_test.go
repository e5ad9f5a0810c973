package kube

import (
	"slices"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

const schema = `{"type": "object", "properties": {
	"spec": {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer", "minimum": 5, "enum": [5]},
		"closed": {"type": "object", "properties": {"x": {"type": "string"}}, "additionalProperties": false}}},
	"one": {"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true},
	"list": {"type": "array", "items": {"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true}},
	"map": {"type": "object", "additionalProperties": {"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true}}}}`

func newResource(t *testing.T) *Resource {
	t.Helper()
	props, err := DecodeSchema([]byte(schema))
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewResource(props, true)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func object(metadata ...map[string]any) map[string]any {
	obj := map[string]any{"one": map[string]any{}, "list": []any{map[string]any{}}, "map": map[string]any{"k": map[string]any{}}}
	places := []map[string]any{obj, obj["one"].(map[string]any), obj["list"].([]any)[0].(map[string]any),
		obj["map"].(map[string]any)["k"].(map[string]any)}
	for i, m := range metadata {
		places[i]["metadata"] = m
	}
	return obj
}

// What this package finds by walking on its own is what Kubernetes' walk finds.
func TestEmbeddedMetadataIsFoundWhereKubernetesFindsIt(t *testing.T) {
	r := newResource(t)
	unknown := func() map[string]any {
		return map[string]any{"x": true, "name": "n", "ownerReferences": []any{map[string]any{"y": true, "uid": "u"}}}
	}
	obj := object(unknown(), unknown(), unknown(), unknown())
	err, paths := objectmeta.CoerceWithOptions(nil, object(unknown(), unknown(), unknown(), unknown()), r.Structural, true,
		objectmeta.CoerceOptions{ReturnUnknownFieldPaths: true})
	if err != nil {
		t.Fatal(err)
	}
	dropped := r.Prune(obj)
	if !slices.Equal(dropped.Reported, paths) || !slices.Equal(dropped.All, paths) || len(paths) != 8 {
		t.Errorf("reported %q, all %q, Kubernetes %q", dropped.Reported, dropped.All, paths)
	}
	if meta := obj["metadata"].(map[string]any); len(meta) != 2 || meta["name"] != "n" {
		t.Errorf("left: %v", meta)
	}
}

func TestMalformedMetadataIsTakenOutEverywhere(t *testing.T) {
	bad := func() map[string]any { return map[string]any{"labels": []any{}} }
	obj := object(bad(), map[string]any{"name": "good"}, bad(), bad())
	if n := newResource(t).Malformed(obj); n != 3 {
		t.Errorf("%d", n)
	}
	if _, ok := obj["one"].(map[string]any)["metadata"]; !ok {
		t.Error("what is well-formed is gone, too")
	}
}

func TestCheckLooksAtTypesOnly(t *testing.T) {
	r := newResource(t)
	obj := map[string]any{"spec": map[string]any{"a": int64(1), "closed": map[string]any{"unknown": "y"}}}
	if texts := r.Check(obj); len(texts) > 0 {
		t.Errorf("value validations are left: %q", texts)
	}
	obj["spec"].(map[string]any)["closed"] = map[string]any{"x": int64(1)}
	want := []string{`spec.closed.x: Invalid value: "integer": spec.closed.x in body must be of type string: "integer"`}
	if texts := r.Check(obj); !slices.Equal(texts, want) {
		t.Errorf("%q", texts)
	}
}

func TestMetasAreTakenAndPutBack(t *testing.T) {
	obj := object(map[string]any{"name": int64(1)}, nil, map[string]any{"name": "n"})
	obj["kind"] = nil
	metas := newResource(t).TakeMetas(obj)
	var got []string
	for _, m := range metas {
		text := m.Path
		if m.Bad {
			text += " bad"
		}
		got = append(got, text)
	}
	if want := []string{"kind bad", "list[0].metadata", "metadata bad", "one.metadata"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if len(obj) != 3 {
		t.Errorf("something is left: %v", obj)
	}
	metas[0].Restore()
	if v, ok := obj["kind"]; !ok || v != nil {
		t.Errorf("not put back: %v", obj)
	}
}

func TestCRDsAreReadWithTheirDefaults(t *testing.T) {
	crd, err := DecodeCRD([]byte(`{"apiVersion": "apiextensions.k8s.io/v1beta1", "kind": "CustomResourceDefinition",
		"metadata": {"name": "widgets.example.com"}, "spec": {"group": "example.com", "version": "v1", "foo": 1,
		"names": {"kind": "Widget", "plural": "widgets"}, "validation": {"openAPIV3Schema": {"properties": {"a": {}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if !crd.Beta || !crd.PreserveUnknownFields() || !slices.Equal(crd.Unknown, []string{`unknown field "spec.foo"`}) {
		t.Errorf("%+v", crd)
	}
	props, err := crd.Schema("v1")
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewStructural(props)
	if err != nil {
		t.Fatal(err)
	}
	if texts := ValidateStructural(s, field.NewPath("x")); len(texts) != 2 {
		t.Errorf("%q", texts)
	}
	if len(crd.Validate()) == 0 {
		t.Error("Kubernetes takes it")
	}
}
