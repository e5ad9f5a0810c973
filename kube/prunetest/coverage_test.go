package prunetest

import (
	"strings"
	"testing"
)

const ruledCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: zones.example.com
spec:
  group: example.com
  scope: Cluster
  names: {kind: Zone, listKind: ZoneList, plural: zones, singular: zone}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          size:
            type: integer
            x-kubernetes-validations:
            - rule: self > 1
            - rule: self < 9
          name:
            type: string
            x-kubernetes-validations:
            - rule: self == oldSelf
`

// A rule is covered by a suite or by a fixture. Those without a case are named with their places.
func TestRulesWithoutACaseAreNamed(t *testing.T) {
	crds, err := FromFiles(write(t, map[string]string{"crd.yaml": ruledCRD}))
	if err != nil {
		t.Fatal(err)
	}
	uncovered := crds.record()
	dir := write(t, map[string]string{
		"zones.yaml":            "crdName: zones.example.com\ntests:\n  onCreate:\n  - name: too small\n    initial: |\n      apiVersion: example.com/v1\n      kind: Zone\n      size: 1\n    expectedError: 'failed rule: self > 1'\n",
		"invalid/name.yaml":     "# self == oldSelf\napiVersion: example.com/v1\nkind: Zone\nmetadata: {name: a}\nname: b\n",
		"invalid/name.old.yaml": "apiVersion: example.com/v1\nkind: Zone\nmetadata: {name: a}\nname: a\n",
	})
	Suite(t, crds, dir)
	rules, err := uncovered()
	if err != nil || len(rules) != 1 || !strings.HasSuffix(rules[0], "crd.yaml:21: size: no test violates the rule self < 9") {
		t.Errorf("%q, %v", rules, err)
	}
	Suite(t, crds, write(t, map[string]string{"invalid/large.yaml": "# self < 9\napiVersion: example.com/v1\nkind: Zone\nmetadata: {name: a}\nsize: 9\n"}))
	if rules, err := uncovered(); err != nil || len(rules) > 0 {
		t.Errorf("%q, %v", rules, err)
	}
}
