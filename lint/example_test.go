package lint_test

import (
	"fmt"
	"strings"

	"github.com/prune-gen/prune-gen/lint"
)

const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crontabs.stable.example.com}
spec:
  group: stable.example.com
  scope: Namespaced
  names: {kind: CronTab, plural: crontabs}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            properties:
              image: {type: string}
`

func ExampleText() {
	for _, f := range lint.Text("crd.yaml", strings.NewReader(crd)) {
		fmt.Printf("%s:%d: %s: %s\n", f.File, f.Line, f.Severity, f.Message)
		fmt.Println("  rule", f.ID)
	}
	// Output:
	// crd.yaml:16: error: spec.versions[0].schema.openAPIV3Schema.properties[spec].type: Required value: must not be empty for specified object fields
	//   rule structural/type-required
}
