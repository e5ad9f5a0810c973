package assist_test

import (
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/editor/assist"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

const nested = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: apps.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: App, plural: apps}
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
            properties:
              list: {type: array, items: {type: object, properties: {high: {type: integer}}}}
              map: {type: object, additionalProperties: {type: integer}}
              any: {type: object, x-kubernetes-preserve-unknown-fields: true}
`

// A path in an object leads to the schema of its value, or to the last one that is specified.
func TestSchemaPath(t *testing.T) {
	v := crdread.Load("crd.yaml", strings.NewReader(nested)).CRDs[0].Versions[0]
	field := func(names ...string) prunert.Path { return prunert.FieldPath(append([]string{"spec"}, names...)...) }
	for want, path := range map[string]prunert.Path{
		"list":                       field("list"),
		"list.items":                 append(field("list"), prunert.Step{Index: 1}),
		"list.items.properties.high": append(field("list"), prunert.Step{Index: 1}, prunert.Step{Name: "high", Index: -1}),
		"map.additionalProperties":   field("map", "a"),
		"any":                        field("any", "a", "b"),
	} {
		if have := assist.SchemaPath(v, path).String(); have != "spec.versions[0].schema.openAPIV3Schema.properties.spec.properties."+want {
			t.Errorf("%s: %s", path, have)
		}
	}
}
