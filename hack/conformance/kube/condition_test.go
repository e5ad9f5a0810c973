//go:build !(v0.33 || v0.34 || v0.35 || v0.36)

package kube

import "testing"

func TestConditionIsThatOfTheController(t *testing.T) {
	crd, err := DecodeCRD([]byte(`{"apiVersion": "apiextensions.k8s.io/v1beta1", "kind": "CustomResourceDefinition",
		"metadata": {"name": "widgets.example.com"}, "spec": {"group": "example.com", "version": "v1",
		"names": {"kind": "Widget", "plural": "widgets"}, "validation": {"openAPIV3Schema": {"properties": {"a": {}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	condition, err := crd.NonStructuralCondition()
	if err != nil || condition == nil || condition.Reason != "Violations" {
		t.Errorf("%+v, %v", condition, err)
	}
}
