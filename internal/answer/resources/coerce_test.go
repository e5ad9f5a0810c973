package resources_test

import (
	"reflect"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/resources"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

func TestCoerceNormalizesWithoutDefaults(t *testing.T) {
	crd, err := load.CRD([]byte(structuraltest.CRDWith(`{type: object, properties: {spec: {type: object, properties: {
		a: {type: string, default: x}, nullable: {type: string, nullable: true}, d: {type: object, default: {}, properties: {a: {type: string, default: x}}},
		l: {type: array, items: {type: object, properties: {a: {type: string}, b: {type: string, default: x}}}},
		e: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}}}}`)), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := dynamic.Compile(crd)
	if err != nil {
		t.Fatal(err)
	}
	object := func(labels, spec map[string]any) map[string]any {
		return map[string]any{"apiVersion": all[0].APIVersion(), "kind": all[0].Kind, "metadata": map[string]any{"name": "a", "labels": labels}, "spec": spec}
	}
	type m = map[string]any
	for name, c := range map[string]struct{ spec, want m }{
		"nothing is filled in":      {m{"d": m{}, "l": []any{m{}}}, m{"d": m{}, "l": []any{m{}}}},
		"unknown fields go":         {m{"u": 1, "l": []any{m{"u": 1}}}, m{"l": []any{m{}}}},
		"nulls with defaults stay":  {m{"a": nil, "d": nil}, m{"a": nil, "d": nil}},
		"nulls that are wanted":     {m{"nullable": nil, "l": []any{m{"a": nil, "b": nil}}}, m{"nullable": nil, "l": []any{m{"b": nil}}}},
		"metadata gets its form":    {m{"e": m{"metadata": m{"labels": m{}, "creationTimestamp": "2020-01-01T01:00:00+01:00"}}}, m{"e": m{"metadata": m{"creationTimestamp": "2020-01-01T00:00:00Z"}}}},
		"null metadata is an empty": {m{"e": m{"metadata": nil}}, m{"e": m{"metadata": m{}}}},
	} {
		obj, want := object(m{}, c.spec), object(nil, c.want)
		delete(want["metadata"].(m), "labels")
		if err := resources.Coerce(all[0], obj); err != nil || !reflect.DeepEqual(obj, want) {
			t.Errorf("%s: %v, %v\nwant %v", name, obj, err, want)
		}
	}
	if err := resources.Coerce(all[0], object(nil, m{"e": m{"metadata": m{"labels": "x"}}})); err == nil {
		t.Error("malformed metadata is accepted")
	}
}
