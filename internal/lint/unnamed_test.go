package lint_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/lint"
)

// The API server writes a field without a name as [], also below a default.
func TestTheDefaultOfAFieldWithoutANameHasItsPath(t *testing.T) {
	f := crdread.Load("crd.yaml", strings.NewReader(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: apps.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: App, plural: apps, singular: app, listKind: AppList}
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
            default: {"": {}}
            properties:
              "": {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
`))
	if len(f.CRDs) != 1 {
		t.Fatalf("%+v", f.Findings)
	}
	var messages []string
	for _, finding := range lint.CRD(f.CRDs[0]) {
		messages = append(messages, finding.Message)
	}
	if want := "spec.versions[0].schema.openAPIV3Schema.properties[spec].default[].kind: Required value"; !slices.Contains(messages, want) {
		t.Errorf("have %q, want %s", messages, want)
	}
}
