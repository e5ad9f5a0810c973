package prunetest

import (
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
)

const crdWithRules = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ranges.example.com
spec:
  group: example.com
  names: {kind: Range, listKind: RangeList, plural: ranges, singular: range}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            x-kubernetes-validations:
            - rule: self.min <= self.max
              message: min must not be greater than max
            properties:
              min:
                type: integer
                default: 5
                x-kubernetes-validations:
                - rule: self == oldSelf
                  message: min is immutable
              max:
                type: integer
                default: 9
`

func TestRulesAreEvaluatedAfterDefaultsAndWithOldObjects(t *testing.T) {
	crds, err := FromFiles(write(t, map[string]string{"crd.yaml": crdWithRules}))
	if err != nil {
		t.Fatal(err)
	}
	c := crds.NewClient(fake.NewClientBuilder().WithScheme(runtime.NewScheme()))
	refused := func(err error, want string) {
		t.Helper()
		if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	obj := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "example.com/v1", "kind": "Range",
		"metadata": map[string]any{"name": "a", "namespace": "default"},
		"spec":     map[string]any{"max": int64(4)}, // less than the default of min
	}}
	refused(c.Create(t.Context(), obj.DeepCopy()), "spec: Invalid value: min must not be greater than max")
	unstructured.RemoveNestedField(obj.Object, "spec", "max")
	if err := c.Create(t.Context(), obj); err != nil {
		t.Fatal(err)
	}
	if err := unstructured.SetNestedField(obj.Object, int64(6), "spec", "min"); err != nil {
		t.Fatal(err)
	}
	refused(c.Update(t.Context(), obj), "spec.min: Invalid value: 6: min is immutable")
}

func TestFixturesAreRefusedByRules(t *testing.T) {
	crds, err := FromFiles(write(t, map[string]string{"crd.yaml": crdWithRules}))
	if err != nil {
		t.Fatal(err)
	}
	const object = "apiVersion: example.com/v1\nkind: Range\nmetadata:\n  name: a\nspec:\n  max: "
	Suite(t, crds, write(t, map[string]string{"valid/a.yaml": object + "7\n", "invalid/a.yaml": "# min must not be greater than max\n" + object + "3\n"}))
}
