package prunetest

import "testing"

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
	const object = "apiVersion: example.com/v1\nkind: Range\nmetadata:\n  name: a\nspec:\n  "
	Suite(t, crds, write(t, map[string]string{
		"valid/a.yaml":       object + "max: 7\n",
		"invalid/a.yaml":     "# min must not be greater than max\n" + object + "max: 3\n", // less than the default of min
		"invalid/b.old.yaml": object + "max: 9\n",
		"invalid/b.yaml":     "# spec.min: Invalid value: 6: min is immutable\n" + object + "min: 6\n",
	}))
}
