package prunetest

import (
	"context"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
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

// A rule is covered by a suite, by a fixture or by a client. Those without a case are named with their places.
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
	c := crds.NewClient(fake.NewClientBuilder())
	obj := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "example.com/v1", "kind": "Zone", "metadata": map[string]any{"name": "a"}, "size": int64(9)}}
	if err := c.Create(context.Background(), obj); err == nil {
		t.Error("the object is accepted")
	}
	if rules, err := uncovered(); err != nil || len(rules) > 0 {
		t.Errorf("%q, %v", rules, err)
	}
}

func TestCoverageNeedsTheCRD(t *testing.T) {
	files := fromFiles(t)
	linked := FromSet(files.set)
	if _, err := linked.record()(); err == nil || !strings.Contains(err.Error(), "coverage needs the CRD crontabs.stable.example.com from a file") {
		t.Error(err)
	}
}
